// CoProbe: scripted operations on both sides of a keyed co-process function; the state is shared.
#pragma once

#include "pipeline/functions/co_process_functions.hpp"
#include "tests/parity/probes/states.hpp"

namespace sluice::parity {

class CoProbe final : public KeyedCoProcessFunction<std::string, Json, Json, std::string> {
 public:
  CoProbe(Json options, Emulation& emulation)
      : options_(std::move(options)), emulation_{emulation} {}

  void open(RuntimeContext& context) override;
  void process_element1(const Json& element, Context& context,
                        Collector<std::string>& out) override;
  void process_element2(const Json& element, Context& context,
                        Collector<std::string>& out) override;
  void on_timer(Timestamp timestamp, OnTimerContext& context, Collector<std::string>& out) override;

 private:
  void run(const Json& element, Context& context, Collector<std::string>& out);

  Json options_;
  Emulation& emulation_;
  std::optional<States> states_;
};

}  // namespace sluice::parity
