#include "tests/parity/probes/ops.hpp"

namespace sluice::parity {

namespace {

Json run(const std::string& op, const Json& step, const std::vector<OpHandler>& handlers) {
  for (const auto& handler : handlers) {
    if (auto result = handler(op, step)) return *result;
  }
  throw std::invalid_argument{"unknown op " + op};
}

}  // namespace

void run_ops(const Json& ops, Collector<std::string>& out, const std::vector<OpHandler>& handlers,
             Emulation* emulation) {
  for (const auto& step : ops) {
    const std::string op = as_text(step, "op");
    Json result{{"op", op}};
    try {
      result["r"] = run(op, step, handlers);
    } catch (const std::exception& e) {
      result["err"] = e.what();
    }
    if (emulation != nullptr) {
      if (Json choice = emulation->take(); !choice.is_null()) result["by_choice"] = choice;
    }
    out.collect(result.dump());
  }
}

OpResult timer_op(TimerService& timers, const std::string& op, const Json& step) {
  const Timestamp at = member(step, "ts").is_string() ? kMaxTimestamp : as_long(step, "ts");
  if (op == "reg_event") {
    timers.register_event_time_timer(at);
  } else if (op == "del_event") {
    timers.delete_event_time_timer(at);
  } else if (op == "reg_proc") {
    timers.register_processing_time_timer(at);
  } else if (op == "del_proc") {
    timers.delete_processing_time_timer(at);
  } else if (op == "watermark") {
    return Json(timers.current_watermark());
  } else if (op == "processing_time") {
    return Json(timers.current_processing_time());
  } else {
    return std::nullopt;
  }
  return done();
}

}  // namespace sluice::parity
