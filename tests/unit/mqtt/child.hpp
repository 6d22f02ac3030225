// This test program run once more as a process of its own, to be killed at the right moment.
#pragma once

#include <string>

#include "tests/support/process.hpp"

namespace sluice::mqtt {

/// Runs the disabled test `name` of Child, with the broker's address in its environment.
inline test::Process::Setup child(const std::string& name, const std::string& uri, int version) {
  return {.program = "/proc/self/exe",
          .arguments = {"--gtest_also_run_disabled_tests", "--gtest_filter=Child.DISABLED_" + name},
          .environment = {{"SLUICE_TEST_BROKER", uri},
                          {"SLUICE_TEST_VERSION", std::to_string(version)}},
          .folder = {}};
}

}  // namespace sluice::mqtt
