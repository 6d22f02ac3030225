// Recorder: stands behind an output and writes down what comes.
#pragma once

#include <string>

#include "pipeline/operators/ports.hpp"
#include "tests/parity/harness/values.hpp"

namespace sluice::parity {

class Recorder final : public detail::Input<std::string> {
 public:
  void element(const std::string& value, OptionalTimestamp timestamp) override {
    records_.push_back({{"v", value}, {"ts", to_json(timestamp)}});
  }
  void watermark(Timestamp watermark) override { records_.push_back({{"wm", watermark}}); }
  void idle(bool idle) override { records_.push_back({{"status", idle ? "IDLE" : "ACTIVE"}}); }

  /// Everything since the last call, in order.
  Json take() { return std::exchange(records_, Json::array()); }

 private:
  Json records_ = Json::array();
};

}  // namespace sluice::parity
