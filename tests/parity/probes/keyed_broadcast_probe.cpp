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

std::vector<NullableText> keys_in_java_order(const Reader& state, const JavaTable& table) {
  std::vector<NullableText> keys;
  for (const auto& [key, value] : state.entries()) keys.push_back(key);
  return java_hash_order(std::move(keys), table);
}

// There is no iterator that removes. The oracle's loop compares the text of the argument with each
// key, and fails at a null one.
void remove_in_loop(Writer& state, const JavaTable& table, const Json& step) {
  for (const auto& key : keys_in_java_order(state, table)) {
    if (key.value() == as_text(step, "arg")) state.remove(key);
  }
}

/// Flink does not look for a key then (LS-03).
bool adds_nothing(const std::string& op, const Json& step) {
  if (op != "list.addAll") return false;
  const auto items = nullable_ints(step, "arg");
  return items && items->empty();
}

/// False if `op` is no write.
bool write_op(Writer& state, JavaTable& table, const std::string& op, const Json& step) {
  if (op == "bc.put") {
    state.put(nullable_text(step, "arg"), {nullable_int(step, "to")});
    table.hold(state.entries().size());
  } else if (op == "bc.putAll") {
    const auto entries = nullable_entries(step, "arg");
    if (!entries) throw DoesNotCompile{"there are no null maps"};
    for (const auto& [key, value] : *entries) state.put(key, {value});
    table.put_all(entries->size(), state.entries().size());
  } else if (op == "bc.remove") {
    state.remove(nullable_text(step, "arg"));
  } else if (op == "bc.iter_remove") {
    remove_in_loop(state, table, step);
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

void KeyedBroadcastProbe::open(RuntimeContext& context) {
  states_.emplace(context, options_, emulation_);
  java_table_.hold(broadcast_table().entries().size());
}

KeyedBroadcastProbe::Table& KeyedBroadcastProbe::broadcast_table() const {
  return dynamic_cast<Table&>(*emulation_.op().operator_state().find(descriptor().name));
}

void KeyedBroadcastProbe::process_element(const Json& element, ReadOnlyContext& context,
                                          Collector<std::string>& out) {
  States& states = states_.value();
  last_key_ = context.current_key();
  run_ops(element.at("ops"), out,
          {[&](const std::string& op, const Json& step) { return states.apply(op, step); },
           [&](const std::string& op, const Json& step) { return main_op(context, op, step); }},
          &emulation_);
}

void KeyedBroadcastProbe::process_broadcast_element(const Json& element, Context& context,
                                                    Collector<std::string>& out) {
  if (!states_) throw std::runtime_error{"it could not be opened"};
  run_ops(element.at("ops"), out,
          {[&](const std::string& op, const Json& step) { return without_key(op, step); },
           [&](const std::string& op, const Json& step) {
             return broadcast_op(context, out, op, step);
           }},
          &emulation_);
}

void KeyedBroadcastProbe::on_timer(Timestamp timestamp, OnTimerContext& context,
                                   Collector<std::string>& out) {
  last_key_ = context.current_key();
  Trace::get().fired(context.time_domain(), context.current_key(), timestamp);
  out.collect("timer sees " + entries_of(context.broadcast_state(descriptor())).dump());
}

OpResult KeyedBroadcastProbe::without_key(const std::string& op, const Json& step) {
  States& states = states_.value();
  try {
    return states.apply(op, step);
  } catch (const IllegalState&) {
    if (!last_key_) {
      if (adds_nothing(op, step)) emulation_.differs("BC-11", op, {{"r", "ok"}});
      throw;
    }
    emulation_.differs("BC-11", op, emulation_.as_with_key(*last_key_, [&] {
      return states.apply(op, step).value();
    }));
    throw;
  }
}

// "add": N adds to every key's value, without it the value is cleared.
void KeyedBroadcastProbe::apply_value(Context& context, Collector<std::string>& out,
                                      const Json& step) {
  // The order of keys is open but for that of key groups; the last one stays Flink's current key.
  const auto group = [this](const std::string& key) {
    return key_group_of(java_hash(key), runtime_context().task().max_parallelism);
  };
  std::optional<std::string> last;
  const auto change = [&](const std::string& key, ValueState<UnstorableNull>& value) {
    if (!last || group(*last) <= group(key)) last = key;
    out.collect("apply " + key + " " + to_json(value.value()).dump());
    if (step.contains("add")) {
      const Json now =
          to_json(value.value());  // read again: the first may have removed it (TTL-07)
      value.update({wrapping_add(now.get<std::int32_t>(), as_int(step["add"]))});
    } else {
      value.clear();
    }
  };
  struct KeepLast {
    std::optional<std::string>& from;
    std::optional<std::string>& to;
    ~KeepLast() {
      if (from) to = from;
    }
  } const keep_last{last, last_key_};
  context.apply_to_keyed_state(States::value_descriptor(), change);
}

void KeyedBroadcastProbe::write_all_the_same(const std::string& op, const Json& step) {
  auto& table = broadcast_table();
  std::optional<NullableText> key;
  if (op == "bc.cast_put") {
    key = as_text(step, "arg");
    table.put(*key, {nullable_int(step, "to")});
    java_table_.hold(table.entries().size());
  } else if (op == "bc.entry_set" && !table.entries().empty()) {
    key = keys_in_java_order(Reader{table}, java_table_).front();
    table.put(*key, {as_int(step.at("to"))});
  }
  if (key) emulation_.differs("BC-08", op, {{"r", "ok"}});
  throw DoesNotCompile{"what the main side gets is const (BC-05, BC-08)"};
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
    write_all_the_same(op, step);
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
  if (op == "apply_value") {
    apply_value(context, out, step);
    return done();
  }
  auto state = context.broadcast_state(descriptor());
  if (write_op(state, java_table_, op, step)) return done();
  return read_op(state, op, step);
}

}  // namespace sluice::parity
