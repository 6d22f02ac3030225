// The probes, and the watermark operator.

#include "pipeline/operators/broadcast_operators.hpp"
#include "pipeline/operators/process_operators.hpp"
#include "pipeline/operators/simple_operators.hpp"
#include "pipeline/operators/watermark_operator.hpp"
#include "tests/parity/harness/catalog.hpp"
#include "tests/parity/jobs/whole_number.hpp"
#include "tests/parity/probes/co_probe.hpp"
#include "tests/parity/probes/keyed_broadcast_probe.hpp"
#include "tests/parity/probes/keyed_probe.hpp"
#include "tests/parity/probes/operator_state_probe.hpp"
#include "tests/parity/probes/plain_probe.hpp"

namespace sluice::parity {

namespace {

Json unchanged(const Json& value) { return value; }
std::string text(const Json& value) { return as_text(value); }

/// A subtask of a probe: `make` gets what the probe is to tell about Flink's answers.
template <class Made, class Make>
std::unique_ptr<Subtask> probing(Make make) {
  auto emulation = std::make_unique<Emulation>();
  std::unique_ptr<Made> subtask = make(*emulation);
  emulation->attach(subtask->op());
  subtask->emulate(std::move(emulation));
  subtask->record_side(side_tag());
  return subtask;
}

std::unique_ptr<Subtask> keyed_probe(const Json& options) {
  using Op = detail::ProcessOperator<KeyedProbe>;
  using Made = OneInputSubtask<Op, Json>;
  const auto keying = keying_by<Json>(probe_key);
  return probing<Made>([&](Emulation& emulation) {
    auto probe = std::make_unique<KeyedProbe>(options, emulation);
    return std::make_unique<Made>(std::make_unique<Op>(std::move(probe), keying),
                                  keyed_side<Json>(unchanged, keying));
  });
}

std::unique_ptr<Subtask> plain_probe(const Json&) {
  using Op = detail::ProcessOperator<PlainProbe>;
  auto subtask = std::make_unique<OneInputSubtask<Op, Json>>(
      std::make_unique<Op>(std::make_unique<PlainProbe>()), Side<Json>{unchanged, {}});
  subtask->record_side(side_tag());
  return subtask;
}

std::unique_ptr<Subtask> co_probe(const Json& options) {
  using Op = detail::CoProcessOperator<CoProbe>;
  using Made = TwoInputSubtask<Op, Json, Json>;
  const auto keying = keying_by<Json>(probe_key);
  return probing<Made>([&](Emulation& emulation) {
    auto probe = std::make_unique<CoProbe>(options, emulation);
    return std::make_unique<Made>(std::make_unique<Op>(std::move(probe), keying, keying),
                                  keyed_side<Json>(unchanged, keying),
                                  keyed_side<Json>(unchanged, keying));
  });
}

std::unique_ptr<Subtask> keyed_broadcast_probe(const Json& options) {
  using Op = detail::BroadcastOperator<KeyedBroadcastProbe>;
  using Made = TwoInputSubtask<Op, Json, Json>;
  const auto keying = keying_by<Json>(probe_key);
  const auto declare = [](OperatorStateStore& store) {
    static_cast<void>(store.broadcast_state(KeyedBroadcastProbe::descriptor()));
  };
  return probing<Made>([&](Emulation& emulation) {
    auto probe = std::make_unique<KeyedBroadcastProbe>(options, emulation);
    return std::make_unique<Made>(std::make_unique<Op>(std::move(probe), declare, keying),
                                  keyed_side<Json>(unchanged, keying), Side<Json>{unchanged, {}});
  });
}

std::unique_ptr<Subtask> operator_state_probe(const Json&) {
  using Op = detail::SimpleOperator<OperatorStateProbe>;
  return std::make_unique<OneInputSubtask<Op, std::string>>(
      std::make_unique<Op>(std::make_unique<OperatorStateProbe>()), Side<std::string>{text, {}});
}

/// Elements are numbers, which are their own times ("assign") or keep the record's time.
WatermarkStrategy<std::string> strategy_of(const Json& options) {
  using Strategy = WatermarkStrategy<std::string>;
  const Duration delay{as_long(options, "out_of_orderness")};
  auto strategy = as_bool(options, "none") ? Strategy::no_watermarks()
                                           : Strategy::for_bounded_out_of_orderness(delay);
  if (as_bool(options, "assign")) {
    strategy = std::move(strategy).with_timestamp_assigner(
        [](const std::string& element, Timestamp) -> Timestamp {
          const auto number = parse_long(element);
          if (!number) throw std::invalid_argument{"no number: " + element};
          return *number;
        });
  }
  if (options.contains("idleness")) {
    strategy = std::move(strategy).with_idleness(Duration{as_long(options, "idleness")});
  }
  return strategy;
}

std::unique_ptr<Subtask> watermarks(const Json& options) {
  using Op = detail::WatermarkOperator<std::string>;
  return std::make_unique<OneInputSubtask<Op, std::string>>(
      std::make_unique<Op>(strategy_of(options)), Side<std::string>{text, {}});
}

}  // namespace

void add_probes(Catalog& catalog) {
  catalog["keyed_probe"] = {keyed_probe};
  catalog["plain_probe"] = {plain_probe};
  catalog["co_probe"] = {co_probe};
  catalog["keyed_broadcast_probe"] = {keyed_broadcast_probe};
  catalog["operator_state_probe"] = {operator_state_probe};
  catalog["watermarks"] = {watermarks};
}

}  // namespace sluice::parity
