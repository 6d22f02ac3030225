#include "tests/parity/probes/keyed_probe.hpp"

#include "pipeline/operators/operator.hpp"
#include "tests/parity/harness/trace.hpp"

namespace sluice::parity {

void KeyedProbe::open(RuntimeContext& context) {
  states_.emplace(context, options_, emulation_);
  then_ = context.map_state<std::string, std::string>({.name = "then"});
}

void KeyedProbe::process_element(const Json& element, Context& context,
                                 Collector<std::string>& out) {
  run(element.at("ops"), context, out);
}

void KeyedProbe::on_timer(Timestamp timestamp, OnTimerContext& context,
                          Collector<std::string>& out) {
  Trace::get().fired(context.time_domain(), context.current_key(), timestamp);
  const bool event = context.time_domain() == TimeDomain::kEventTime;
  const std::string timer =
      std::to_string(timestamp) + (event ? " EVENT_TIME" : " PROCESSING_TIME");
  const auto ops = then_.get(timer);
  then_.remove(timer);
  if (ops) run(Json::parse(*ops), context, out);
}

void KeyedProbe::run(const Json& ops, Context& context, Collector<std::string>& out) {
  States& states = states_.value();
  run_ops(ops, out,
          {[&](const std::string& op, const Json& step) { return states.apply(op, step); },
           [&](const std::string& op, const Json& step) { return with_timer(context, op, step); }},
          &emulation_);
}

OpResult KeyedProbe::with_timer(Context& context, const std::string& op, const Json& step) {
  if (step.contains("then")) {
    if (!step.contains("ts")) throw std::invalid_argument{"what is to be done at no time"};
    const char* domain = op == "reg_event" ? " EVENT_TIME" : " PROCESSING_TIME";
    then_.put(std::to_string(as_long(step, "ts")) + domain, step["then"].dump());
  }
  if (op == "key") return Json(context.current_key());
  if (op == "timestamp") return to_json(context.timestamp());
  if (op == "side") {
    context.output(side_tag(), as_text(step, "arg"));
    return done();
  }
  if (op == "emit") {
    if (!step.contains("arg")) return std::nullopt;
    return step["arg"];
  }
  if (op == "side_null_tag") throw DoesNotCompile{"there are no null tags (SO-03)"};
  return timer_op(context.timer_service(), op, step);
}

}  // namespace sluice::parity
