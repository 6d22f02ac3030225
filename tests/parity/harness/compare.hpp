// Compare: whether an answer of ours says the same as Flink's.
#pragma once

#include <string>
#include <vector>

#include "tests/parity/harness/script.hpp"

namespace sluice::parity {

/// An answer in a form in which equal meanings are equal values: errors are just there or not,
/// records that look like JSON are JSON, records of several subtasks are sorted by subtask, and
/// what Flink leaves open (MS-08, BC-06, BC-12, TM-07) is sorted.
Json normal_form(const Json& answer, const Script& script);

/// The parts that differ, each as "part: expected …, got …"; empty if none. Both in normal form.
std::vector<std::string> differences(const Json& expected, const Json& got);

}  // namespace sluice::parity
