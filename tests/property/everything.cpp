#include "tests/property/everything.hpp"

namespace sluice::property {

void Everything::open(RuntimeContext& context) {
  value_ = context.value_state<std::int64_t>({.name = "value", .ttl = ttl_});
  list_ = context.list_state<std::int64_t>({.name = "list", .ttl = ttl_});
  map_ = context.map_state<std::string, std::int64_t>({.name = "map", .ttl = ttl_});
  reducing_ = context.reducing_state<std::int64_t>(
      {.name = "reducing",
       .reduce = [](const std::int64_t& a, const std::int64_t& b) { return a * 3 + b; },
       .ttl = ttl_});
  aggregating_ = context.aggregating_state<MeanAggregate>(
      {.name = "aggregating", .function = {}, .ttl = ttl_});
}

void Everything::change_state(const Op& op) {
  const std::vector<std::int64_t> values{op.a, op.b};
  switch (op.action) {
    case Action::kValueSet: value_.update(op.b); break;
    case Action::kValueClear: value_.clear(); break;
    case Action::kListAdd: list_.add(op.b); break;
    case Action::kListReplace: list_.update(values); break;
    case Action::kListClear: list_.clear(); break;
    case Action::kMapPut: map_.put("m" + std::to_string(op.a), op.b); break;
    case Action::kMapRemove: map_.remove("m" + std::to_string(op.a)); break;
    case Action::kMapClear: map_.clear(); break;
    case Action::kReduce: reducing_.add(op.b); break;
    case Action::kReduceClear: reducing_.clear(); break;
    case Action::kAggregate: aggregating_.add(op.b); break;
    case Action::kAggregateClear: aggregating_.clear(); break;
    default: break;
  }
}

void Everything::change_timers(const Op& op, TimerService& timers) const {
  switch (op.action) {
    case Action::kEventTimer: timers.register_event_time_timer(op.b); break;
    case Action::kEventTimerDelete: timers.delete_event_time_timer(op.b); break;
    case Action::kProcessingTimer: timers.register_processing_time_timer(op.b); break;
    case Action::kProcessingTimerDelete: timers.delete_processing_time_timer(op.b); break;
    default: break;
  }
}

std::string Everything::read_all() {
  const auto text = [](const std::optional<std::int64_t>& v) {
    return v ? std::to_string(*v) : std::string{"-"};
  };
  std::string all = "value " + text(value_.value()) + " list";
  for (const auto item : list_.get()) all += " " + std::to_string(item);
  all += " map";
  for (const auto& [key, item] : map_.entries()) all += " " + key + "=" + std::to_string(item);
  all += " reducing " + text(reducing_.get());
  all += " aggregating " + text(aggregating_.get());
  return all;
}

void Everything::process_element(const Op& op, Context& context, Collector<Report>& out) {
  change_state(op);
  change_timers(op, context.timer_service());
  if (op.action == Action::kReadAll) out.collect({op.key, read_all()});
}

void Everything::on_timer(Timestamp at, OnTimerContext& context, Collector<Report>& out) {
  const bool event = context.time_domain() == TimeDomain::kEventTime;
  out.collect({context.current_key(), (event ? "event timer " : "processing timer ") +
                                          std::to_string(at) + ": " + read_all()});
}

}  // namespace sluice::property
