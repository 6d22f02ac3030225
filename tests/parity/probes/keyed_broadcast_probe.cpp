#include "tests/parity/probes/keyed_broadcast_probe.hpp"

#include "pipeline/operators/operator.hpp"
#include "tests/parity/harness/trace.hpp"

namespace sluice::parity {

namespace {

using Reader = ReadOnlyBroadcastState<NullableText, UnstorableNull>;
using Writer = BroadcastState<NullableText, UnstorableNull>;

Json entries_of(const Reader& state) {
  Json entries = Json::array();
  for (const auto& [key, value] : state.entries()) {
    entries.push_back(Json::array({to_json(key), to_json(value.value)}));
  }
  return entries;
}

OpResult read_op(const Reader& state, const std::string& op, const Json& step) {
  if (op == "bc.get") {
    const auto* found = state.find(nullable_text(step, "arg"));
    return found == nullptr ? Json() : to_json(found->value);
  }
  if (op == "bc.contains") return Json(state.contains(nullable_text(step, "arg")));
  if (op == "bc.entries") return entries_of(state);
  return std::nullopt;
}

/// False if `op` is no write.
bool write_op(Writer& state, const std::string& op, const Json& step) {
  if (op == "bc.put") {
    state.put(nullable_text(step, "arg"), {nullable_int(step, "to")});
  } else if (op == "bc.putAll") {
    const auto entries = nullable_entries(step, "arg");
    if (!entries) throw DoesNotCompile{"there are no null maps"};
    for (const auto& [key, value] : *entries) state.put(key, {value});
  } else if (op == "bc.remove" || op == "bc.iter_remove") {
    // No iterator that removes: by key it is the same.
    state.remove(nullable_text(step, "arg"));
  } else if (op == "bc.clear") {
    state.clear();
  } else {
    return false;
  }
  return true;
}

}  // namespace

BroadcastStateDescriptor<NullableText, UnstorableNull> KeyedBroadcastProbe::descriptor() {
  return {.name = "broadcast"};
}

void KeyedBroadcastProbe::open(RuntimeContext& context) { states_.emplace(context, options_); }

void KeyedBroadcastProbe::process_element(const Json& element, ReadOnlyContext& context,
                                          Collector<std::string>& out) {
  States& states = states_.value();
  run_ops(element.at("ops"), out,
          {[&](const std::string& op, const Json& step) { return states.apply(op, step); },
           [&](const std::string& op, const Json& step) { return main_op(context, op, step); }});
}

void KeyedBroadcastProbe::process_broadcast_element(const Json& element, Context& context,
                                                    Collector<std::string>& out) {
  States& states = states_.value();
  run_ops(element.at("ops"), out,
          {[&](const std::string& op, const Json& step) { return states.apply(op, step); },
           [&](const std::string& op, const Json& step) {
             return broadcast_op(context, out, op, step);
           }});
}

void KeyedBroadcastProbe::on_timer(Timestamp timestamp, OnTimerContext& context,
                                   Collector<std::string>& out) {
  Trace::get().fired(context.time_domain(), context.current_key(), timestamp);
  out.collect("timer sees " + entries_of(context.broadcast_state(descriptor())).dump());
}

OpResult KeyedBroadcastProbe::main_op(ReadOnlyContext& context, const std::string& op,
                                      const Json& step) {
  if (op == "key") return Json(context.current_key());
  if (op == "timestamp") return to_json(context.timestamp());
  if (op == "side") {
    context.output(side_tag(), as_text(step, "arg"));
    return done();
  }
  if (op == "bc.cast_put" || op == "bc.entry_remove" || op == "bc.entry_set") {
    throw DoesNotCompile{"what the main side gets is const (BC-05, BC-08)"};
  }
  if (op == "bc.unregistered") {
    static_cast<void>(context.broadcast_state(
        BroadcastStateDescriptor<NullableText, UnstorableNull>{.name = "unregistered"}));
    return done();
  }
  if (auto read = read_op(context.broadcast_state(descriptor()), op, step)) return read;
  return timer_op(context.timer_service(), op, step);
}

OpResult KeyedBroadcastProbe::broadcast_op(Context& context, Collector<std::string>& out,
                                           const std::string& op, const Json& step) {
  if (op == "timestamp") return to_json(context.timestamp());
  if (op == "watermark") return Json(context.current_watermark());
  if (op == "processing_time") return Json(context.current_processing_time());
  if (op == "side") {
    context.output(side_tag(), as_text(step, "arg"));
    return done();
  }
  if (op == "apply_value") {  // "add": N adds to every key's value, else it is cleared
    const auto change = [&](const std::string& key, ValueState<NullableInt>& value) {
      const auto now = value.value();
      out.collect("apply " + key + " " + (now ? std::to_string(*now) : "null"));
      if (step.contains("add")) {
        value.update(wrapping_add(now.value(), nullable_int(step, "add").value()));
      } else {
        value.clear();
      }
    };
    context.apply_to_keyed_state(States::value_descriptor(), change);
    return done();
  }
  auto state = context.broadcast_state(descriptor());
  if (write_op(state, op, step)) return done();
  return read_op(state, op, step);
}

}  // namespace sluice::parity
