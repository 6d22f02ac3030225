#include "tests/parity/probes/co_probe.hpp"

#include "pipeline/operators/operator.hpp"
#include "tests/parity/harness/trace.hpp"

namespace sluice::parity {

void CoProbe::open(RuntimeContext& context) { states_.emplace(context, options_, emulation_); }

void CoProbe::process_element1(const Json& element, Context& context, Collector<std::string>& out) {
  run(element, context, out);
}

void CoProbe::process_element2(const Json& element, Context& context, Collector<std::string>& out) {
  run(element, context, out);
}

void CoProbe::on_timer(Timestamp timestamp, OnTimerContext& context, Collector<std::string>& out) {
  Trace::get().fired(context.time_domain(), context.current_key(), timestamp);
  out.collect("timer of " + context.current_key() + " at " +
              std::to_string(context.timestamp().value()));
}

void CoProbe::run(const Json& element, Context& context, Collector<std::string>& out) {
  States& states = states_.value();
  const auto other = [&](const std::string& op, const Json& step) -> OpResult {
    if (op == "key") return Json(context.current_key());
    if (op == "timestamp") return to_json(context.timestamp());
    if (op == "side") {
      context.output(side_tag(), as_text(step, "arg"));
      return done();
    }
    return timer_op(context.timer_service(), op, step);
  };
  run_ops(element.at("ops"), out,
          {[&](const std::string& op, const Json& step) { return states.apply(op, step); }, other},
          &emulation_);
}

}  // namespace sluice::parity
