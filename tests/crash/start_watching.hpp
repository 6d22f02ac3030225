// Starts a site's daemon and waits until its first reading has been through.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>

#include "tests/integration/site.hpp"

namespace sluice::test {

/// Fails the test if none comes through. The sensor "hello" then has a mean, and no alert.
inline void start_watching(Site& site, std::map<std::string, std::string> environment = {}) {
  using namespace std::chrono_literals;
  site.probe();
  site.launch(std::move(environment));
  ASSERT_TRUE(site.daemon().wait_for_text("info    ready")) << site.daemon().errors();
  const auto heard = [](const MqttProbe::Messages& messages) {
    for (const auto& message : messages) {
      if (message.topic == Site::topic("value/mean/hello")) return true;
    }
    return false;
  };
  for (int n = 0; n < 100; ++n) {
    site.send("hello", 1);  // again and again: before the first subscription nobody keeps it
    if (site.probe().wait_for(heard, 100ms)) return;
  }
  FAIL() << "no reading comes through\n" << site.daemon().errors();
}

}  // namespace sluice::test
