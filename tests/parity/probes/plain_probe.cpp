#include "tests/parity/probes/plain_probe.hpp"

#include "pipeline/operators/operator.hpp"

namespace sluice::parity {

void PlainProbe::process_element(const Json& element, Context& context,
                                 Collector<std::string>& out) {
  const auto run = [&](const std::string& op, const Json& step) -> OpResult {
    if (op == "timestamp") return to_json(context.timestamp());
    if (op == "side") {
      context.output(side_tag(), as_text(step, "arg"));
      return done();
    }
    if (op == "keyed_state") {
      static_cast<void>(runtime_context().value_state(States::value_descriptor()));
      return done();
    }
    return timer_op(context.timer_service(), op, step);
  };
  run_ops(element.at("ops"), out, {run});
}

}  // namespace sluice::parity
