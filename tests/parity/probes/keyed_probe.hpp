// KeyedProbe: scripted operations on keyed state, timers and outputs. An element is
// {"key": K, "ops": […]}; a timer registered with "then": […] runs those when it fires next.
#pragma once

#include "pipeline/functions/process_functions.hpp"
#include "tests/parity/probes/states.hpp"

namespace sluice::parity {

class KeyedProbe final : public KeyedProcessFunction<std::string, Json, std::string> {
 public:
  KeyedProbe(Json options, Emulation& emulation)
      : options_(std::move(options)), emulation_{emulation} {}

  void open(RuntimeContext& context) override;
  void process_element(const Json& element, Context& context, Collector<std::string>& out) override;
  void on_timer(Timestamp timestamp, OnTimerContext& context, Collector<std::string>& out) override;

 private:
  void run(const Json& ops, Context& context, Collector<std::string>& out);
  OpResult with_timer(Context& context, const std::string& op, const Json& step);

  Json options_;
  Emulation& emulation_;
  std::optional<States> states_;
  MapState<std::string, std::string> then_;  // by "time domain"
};

}  // namespace sluice::parity
