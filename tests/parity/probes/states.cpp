#include "tests/parity/probes/states.hpp"

#include "tests/parity/harness/catalog.hpp"

namespace sluice::parity {

namespace {

NullableInt add_values(const NullableInt& a, const NullableInt& b) {
  return wrapping_add(a.value(), b.value());
}

template <class Range>
Json list_of(Range&& range) {
  Json items = Json::array();
  for (const auto& item : range) items.push_back(to_json(item));
  return items;
}

std::vector<NullableInt> ints(const Json& step) {
  auto items = nullable_ints(step, "arg");
  if (!items) throw DoesNotCompile{"there are no null lists (LS-03, LS-04)"};
  return *items;
}

}  // namespace

States::States(RuntimeContext& context, const Json& options) {
  std::optional<TtlConfig> ttl;
  if (options.contains("ttl")) ttl = ttl_of(options["ttl"]);
  auto value = value_descriptor();
  value.ttl = ttl;
  if (options.contains("default")) value.default_value = nullable_int(options, "default");
  value_ = context.value_state<NullableInt>(value);
  list_ = context.list_state<NullableInt>({.name = "list", .ttl = ttl});
  map_ = context.map_state<NullableText, NullableInt>({.name = "map", .ttl = ttl});
  reducing_ =
      context.reducing_state<NullableInt>({.name = "reducing", .reduce = add_values, .ttl = ttl});
  aggregating_ =
      context.aggregating_state<NullableMean>({.name = "aggregating", .function = {}, .ttl = ttl});
}

OpResult States::apply(const std::string& op, const Json& step) {
  if (op.starts_with("value.")) return value_op(op, step);
  if (op.starts_with("list.")) return list_op(op, step);
  if (op.starts_with("map.")) return map_op(op, step);
  return folding_op(op, step);
}

OpResult States::value_op(const std::string& op, const Json& step) {
  if (op == "value.get") return to_json(value_.value());
  if (op == "value.update") {
    value_.update(nullable_int(step, "arg"));
  } else if (op == "value.clear") {
    value_.clear();
  } else {
    return std::nullopt;
  }
  return done();
}

OpResult States::list_op(const std::string& op, const Json& step) {
  if (op == "list.get") return list_of(list_.get());
  if (op == "list.is_null") {
    static_cast<void>(list_.get());
    return Json(false);  // a view is never null (LS-01)
  }
  if (op == "list.add") {
    list_.add(nullable_int(step, "arg"));
  } else if (op == "list.addAll") {
    list_.add_all(ints(step));
  } else if (op == "list.update") {
    list_.update(ints(step));
  } else if (op == "list.clear") {
    list_.clear();
  } else {
    return list_loop(op, step);
  }
  return done();
}

OpResult States::list_loop(const std::string& op, const Json& step) {
  if (op == "list.live") {  // does a view that was got before show a later change?
    const auto before = list_.get();
    list_.add(nullable_int(step, "arg"));
    return list_of(before);
  }
  if (op == "list.iter_add") {
    for ([[maybe_unused]] const auto& item : list_.get()) list_.add(nullable_int(step, "arg"));
  } else if (op == "list.iter_update") {
    for ([[maybe_unused]] const auto& item : list_.get()) list_.update(ints(step));
  } else {
    return std::nullopt;
  }
  return done();
}

OpResult States::map_op(const std::string& op, const Json& step) {
  const auto key = [&] { return nullable_text(step, "arg"); };
  if (op == "map.get") return to_json(map_.get(key()));
  if (op == "map.contains") return Json(map_.contains(key()));
  if (op == "map.isEmpty") return Json(map_.is_empty());
  if (op == "map.put") {
    map_.put(key(), nullable_int(step, "to"));
  } else if (op == "map.putAll") {
    const auto entries = nullable_entries(step, "arg");
    if (!entries) throw DoesNotCompile{"there are no null maps (MS-09)"};
    map_.put_all(*entries);
  } else if (op == "map.remove") {
    map_.remove(key());
  } else if (op == "map.clear") {
    map_.clear();
  } else if (op.starts_with("map.iter_")) {
    return map_loop(op, step);
  } else {
    return map_view(op);
  }
  return done();
}

OpResult States::map_view(const std::string& op) {
  if (op == "map.keys") return list_of(map_.keys());
  if (op == "map.values") return list_of(map_.values());
  if (op != "map.entries") return std::nullopt;
  Json entries = Json::array();
  for (const auto& [key, value] : map_.entries()) {
    entries.push_back(Json::array({to_json(key), to_json(value)}));
  }
  return entries;
}

OpResult States::map_loop(const std::string& op, const Json& step) {
  const auto key = nullable_text(step, "arg");
  if (op == "map.iter_put") {
    for ([[maybe_unused]] const auto& each : map_.keys()) {
      map_.put(key, nullable_int(step, "to"));
    }
    return done();
  }
  if (op != "map.iter_remove" && op != "map.iter_set") return std::nullopt;
  const auto value = op == "map.iter_set" ? nullable_int(step, "to") : std::nullopt;
  for (auto cursor = map_.cursor(); cursor.next();) {
    if (cursor.key().value() != key) continue;
    if (value) {
      cursor.set_value(value);
    } else {
      cursor.remove();
    }
  }
  return done();
}

OpResult States::folding_op(const std::string& op, const Json& step) {
  if (op == "reducing.get") return to_json(reducing_.get());
  if (op == "aggregating.get") return to_json(aggregating_.get());
  if (op == "reducing.add") {
    reducing_.add(nullable_int(step, "arg"));
  } else if (op == "reducing.clear") {
    reducing_.clear();
  } else if (op == "aggregating.add") {
    aggregating_.add(nullable_int(step, "arg"));
  } else if (op == "aggregating.clear") {
    aggregating_.clear();
  } else {
    return std::nullopt;
  }
  return done();
}

}  // namespace sluice::parity
