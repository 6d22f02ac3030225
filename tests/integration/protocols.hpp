// For tests that must hold over both versions of MQTT.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace sluice::test {

class OverMqtt : public testing::TestWithParam<const char*> {
 protected:
  static std::string protocol() { return GetParam(); }
};

inline std::string name_of_protocol(const testing::TestParamInfo<const char*>& info) {
  return std::string{info.param} == "5" ? "Mqtt5" : "Mqtt311";
}

}  // namespace sluice::test

/// Once in each file, for its suite derived from OverMqtt.
#define SLUICE_OVER_BOTH_PROTOCOLS(suite)                              \
  INSTANTIATE_TEST_SUITE_P(Over, suite, testing::Values("5", "3.1.1"), \
                           ::sluice::test::name_of_protocol)
