// The documents' jobs: how a script's JSON becomes their elements, and what their traces are.

#include "tests/parity/harness/catalog.hpp"
#include "tests/parity/harness/fields.hpp"
#include "tests/parity/harness/trace.hpp"
#include "tests/parity/jobs/average.hpp"
#include "tests/parity/jobs/broadcast_threshold.hpp"
#include "tests/parity/jobs/color_shape.hpp"
#include "tests/parity/jobs/delta_alert.hpp"
#include "tests/parity/jobs/enrichment.hpp"
#include "tests/parity/jobs/inactivity.hpp"
#include "tests/parity/jobs/level_count.hpp"
#include "tests/parity/jobs/level_rules.hpp"
#include "tests/parity/jobs/operator_list_count.hpp"
#include "tests/parity/jobs/order_payment.hpp"
#include "tests/parity/jobs/spike.hpp"
#include "tests/parity/jobs/sum.hpp"
#include "tests/parity/jobs/top3.hpp"
#include "tests/parity/jobs/ttl_value.hpp"

namespace sluice::parity {

namespace {

WaterSensor water_sensor(const Json& value) {
  const Fields v{value};
  return {v.text_of("id"), v.long_of("ts"), v.int_of("vc")};
}
WaterSensor keyed_water_sensor(const Json& value) {
  const Fields v{value};
  return {v.key_of("id"), v.long_of("ts"), v.int_of("vc")};
}
SensorReading sensor_reading(const Json& value) {
  const Fields v{value};
  return {v.text_of("sensorId"), v.double_of("temperature")};
}
SensorReading keyed_sensor_reading(const Json& value) {
  const Fields v{value};
  return {v.key_of("sensorId"), v.double_of("temperature")};
}
Item item(const Json& value) {
  const Fields v{value};
  return {v.key_of("color"), v.text_of("shape"), v.int_of("n")};
}
ShapeRule shape_rule(const Json& value) {
  const Fields v{value};
  return {v.text_of("name"), v.text_of("first"), v.text_of("second")};
}
LevelRule level_rule(const Json& value) {
  const Fields v{value};
  return {v.text_of("name"), v.int_of("min"), v.int_of("max"), v.bool_of("remove")};
}
Click click(const Json& value) {
  const Fields v{value};
  return {v.text_of("userID"), v.text_of("eventTime"), v.text_of("eventType"),
          v.int_of("productID")};
}
/// What is no object has no users, as the oracle reads it.
Users users(const Json& value) {
  Users table;
  if (!value.is_object()) return table;
  for (const auto& [id, user] : value.items())
    table[id] = {as_text(user.at(0)), as_int(user.at(1))};
  return table;
}
ShopEvent shop_event(const Json& value) {
  const Fields v{value};
  return {v.text_of("id"), v.key_of("customerId"), v.double_of("amount"), v.long_of("deadline")};
}
std::string text(const Json& v) { return as_text(v); }

// --- jobs that also write down what the oracle's do ---

template <class Base>
class TracedTimers final : public Base {
 public:
  void on_timer(Timestamp at, typename Base::OnTimerContext& context,
                Collector<std::string>& out) override {
    std::string key = "?";  // the context of a CoProcessFunction cannot tell the key
    if constexpr (requires { context.current_key(); }) key = context.current_key();
    Trace::get().fired(context.time_domain(), key, at);
    Base::on_timer(at, context, out);
  }
};

class TracedCount final : public OperatorListCount {
 public:
  void initialize_state(FunctionInitializationContext& context) override {
    OperatorListCount::initialize_state(context);
    Trace::get().event(std::string{"initializeState restored="} +
                       (context.is_restored() ? "true" : "false") +
                       " count=" + std::to_string(count()));
  }
  void snapshot_state(std::uint64_t checkpoint_id) override {
    Trace::get().event("snapshotState " + std::to_string(count()));
    OperatorListCount::snapshot_state(checkpoint_id);
  }
};

// --- the four shapes of job ---

template <class Function, class Projection, class... Args>
std::unique_ptr<Subtask> keyed(typename Function::Input (*parse)(const Json&),
                               Projection projection, const Args&... args) {
  using In = typename Function::Input;
  using Op = detail::ProcessOperator<Function>;
  const auto keying = keying_by<In>(projection);
  auto op = std::make_unique<Op>(std::make_unique<Function>(args...), keying);
  return std::make_unique<OneInputSubtask<Op, In>>(std::move(op), keyed_side<In>(parse, keying));
}

template <class Function, class Op>
std::unique_ptr<Subtask> plain(typename Function::Input (*parse)(const Json&)) {
  using In = typename Function::Input;
  auto op = std::make_unique<Op>(std::make_unique<Function>());
  return std::make_unique<OneInputSubtask<Op, In>>(std::move(op), Side<In>{parse, {}});
}

template <class Descriptor>
detail::DeclareStates declaring(const Descriptor& descriptor) {
  return [descriptor](OperatorStateStore& store) {
    static_cast<void>(store.broadcast_state(descriptor));
  };
}

template <class Function, class Descriptor>
std::unique_ptr<Subtask> broadcast(
    typename Function::Input (*parse)(const Json&),
    typename Function::BroadcastInput (*parse_broadcast)(const Json&),
    const Descriptor& descriptor) {
  using In = typename Function::Input;
  using B = typename Function::BroadcastInput;
  using Op = detail::BroadcastOperator<Function>;
  auto op = std::make_unique<Op>(std::make_unique<Function>(), declaring(descriptor));
  return std::make_unique<TwoInputSubtask<Op, In, B>>(std::move(op), Side<In>{parse, {}},
                                                      Side<B>{parse_broadcast, {}});
}

std::unique_ptr<Subtask> color_shape(const Json&) {
  using Op = detail::BroadcastOperator<ColorShape>;
  const auto keying = keying_by<Item>(&Item::color);
  auto op =
      std::make_unique<Op>(std::make_unique<ColorShape>(), declaring(ColorShape::rules()), keying);
  return std::make_unique<TwoInputSubtask<Op, Item, ShapeRule>>(
      std::move(op), keyed_side<Item>(item, keying), Side<ShapeRule>{shape_rule, {}});
}

std::unique_ptr<Subtask> order_payment(const Json&) {
  using Function = TracedTimers<OrderPayment>;
  using Op = detail::CoProcessOperator<Function>;
  const auto keying = keying_by<ShopEvent>(&ShopEvent::customer_id);
  auto op = std::make_unique<Op>(std::make_unique<Function>(), keying, keying);
  auto subtask = std::make_unique<TwoInputSubtask<Op, ShopEvent, ShopEvent>>(
      std::move(op), keyed_side<ShopEvent>(shop_event, keying),
      keyed_side<ShopEvent>(shop_event, keying));
  subtask->record_side(OrderPayment::unpaid());
  subtask->record_side(OrderPayment::unordered());
  return subtask;
}

std::unique_ptr<Subtask> spike(const Json&) {
  auto subtask = plain<Spike, detail::ProcessOperator<Spike>>(sensor_reading);
  subtask->record_side(Spike::normal());
  return subtask;
}

template <class Function>
Job water_job() {
  return {[](const Json&) { return keyed<Function>(keyed_water_sensor, &WaterSensor::id); }};
}

template <class Function>
Job inactivity_job() {
  return {[](const Json&) {
    return keyed<TracedTimers<Function>>(keyed_sensor_reading, &SensorReading::sensor_id);
  }};
}

}  // namespace

void add_document_jobs(Catalog& catalog) {
  catalog["delta_alert"] = water_job<DeltaAlert>();
  catalog["top3"] = water_job<Top3>();
  catalog["level_count"] = water_job<LevelCount>();
  catalog["sum"] = water_job<Sum>();
  catalog["average"] = water_job<Average>();
  catalog["ttl_value"] = {[](const Json& options) {
    return keyed<TtlValue>(keyed_water_sensor, &WaterSensor::id, ttl_of(member(options, "ttl")));
  }};
  catalog["operator_list_count"] = {
      [](const Json&) { return plain<TracedCount, detail::SimpleOperator<TracedCount>>(text); }};
  catalog["broadcast_threshold"] = {[](const Json&) {
    return broadcast<BroadcastThreshold>(water_sensor, text, BroadcastThreshold::config());
  }};
  catalog["color_shape"] = {color_shape};
  catalog["level_rules"] = {[](const Json&) {
    return broadcast<LevelRules>(water_sensor, level_rule, LevelRules::rules());
  }};
  catalog["enrichment"] = {
      [](const Json&) { return broadcast<Enrichment>(click, users, Enrichment::config()); }};
  catalog["spike"] = {spike};
  catalog["inactivity_as_documented"] = inactivity_job<InactivityAsDocumented>();
  catalog["inactivity"] = inactivity_job<Inactivity>();
  catalog["order_payment"] = {order_payment};
}

}  // namespace sluice::parity
