// A typical site for benchmarks of the daemon: a broker of its own, and a configuration.
#pragma once

#include <memory>
#include <string>

#include "daemon/builtins.hpp"
#include "daemon/config/config.hpp"
#include "tests/support/mosquitto.hpp"
#include "tests/support/temp_dir.hpp"

namespace sluice::bench {

class Site {
 public:
  Site();

  test::MosquittoBroker& broker() { return broker_; }
  std::string config_path() const { return folder_ / "sluice.toml"; }
  std::string data_dir() const { return folder_ / "data"; }

 private:
  test::TempDir folder_;
  test::MosquittoBroker broker_;
};

/// 100 bytes of JSON from one of so many sensors; every thousandth level is far from the one
/// before.
std::string site_payload(std::size_t number, std::size_t sensors = 100);
inline constexpr const char* kSiteTopic = "site/levels";

/// So many of them with QoS 1, by mosquitto's own publisher, which keeps many in flight. Returns
/// when the broker has them all.
void publish_readings(Site& site, std::size_t count);

}  // namespace sluice::bench
