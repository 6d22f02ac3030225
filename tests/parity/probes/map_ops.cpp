#include "tests/parity/probes/map_ops.hpp"

#include <algorithm>

namespace sluice::parity {

namespace {

template <class Range>
Json list_of(Range&& range) {
  Json items = Json::array();
  for (const auto& item : range) items.push_back(to_json(item));
  return items;
}

}  // namespace

template <class V>
MapOps<V>::MapOps(RuntimeContext& context, const std::optional<TtlConfig>& ttl,
                  Emulation& emulation)
    : map_{context.map_state<NullableText, V>({.name = kName, .ttl = ttl})},
      ttl_{has_ttl(ttl)},
      emulation_{emulation} {}

template <class V>
OpResult MapOps<V>::apply(const std::string& op, const Json& step) {
  const auto key = [&] { return nullable_text(step, "arg"); };
  if (op == "map.get") return to_json(map_.get(key()));
  if (op == "map.contains") return Json(map_.contains(key()));
  if (op == "map.isEmpty") return Json(map_.is_empty());
  if (op == "map.put") {
    map_.put(key(), V{nullable_int(step, "to")});
  } else if (op == "map.putAll") {
    put_all(step);
  } else if (op == "map.remove") {
    map_.remove(key());
  } else if (op == "map.clear") {
    map_.clear();
  } else if (op == "map.iter_remove" || op == "map.iter_set") {
    change_in_loop(op, step);
  } else if (op == "map.iter_put") {
    put_in_loop(step);
  } else {
    return view(op);
  }
  return done();
}

template <class V>
void MapOps<V>::put_all(const Json& step) {
  const auto given = nullable_entries(step, "arg");
  std::map<NullableText, V> entries;
  if (given) {
    for (const auto& [key, value] : *given) entries.emplace(key, V{value});
  }
  map_.put_all(entries);
  const bool ignored = !given && ttl_;
  if (ignored) {
    emulation_.differs("MS-09", "map.putAll", {{"r", "ok"}});
  } else if (entries.empty() && !emulation_.present(kName)) {
    emulation_.differs("MS-09", "map.putAll");
    map_.put("", V{});  // what an iteration removes leaves an empty map behind (MS-06)
    auto cursor = map_.cursor();
    cursor.next();
    cursor.remove();
  }
  if (!given) throw DoesNotCompile{"there are no null maps (MS-09)"};
}

template <class V>
OpResult MapOps<V>::view(const std::string& op) {
  if (op == "map.keys") return list_of(map_.keys());
  if (op == "map.values") return list_of(map_.values());
  if (op != "map.entries") return std::nullopt;
  Json entries = Json::array();
  for (const auto& [key, value] : map_.entries()) {
    entries.push_back(Json::array({to_json(key), to_json(value)}));
  }
  return entries;
}

template <class V>
void MapOps<V>::change_in_loop(const std::string& op, const Json& step) {
  const auto key = nullable_text(step, "arg");
  const auto value = op == "map.iter_set" ? nullable_int(step, "to") : std::nullopt;
  auto cursor = map_.cursor();
  const bool taken = expired(key);
  while (cursor.next()) {
    if (cursor.key().value() != key) continue;
    if (value) {
      cursor.set_value(V{value});
      continue;
    }
    cursor.remove();
    if (!taken) continue;
    // Flink's has removed it already, and refuses to do it twice.
    emulation_.differs("TTL-12", op, {{"err", "IllegalStateException"}});
    return;
  }
}

template <class V>
void MapOps<V>::put_in_loop(const Json& step) {
  const auto key = nullable_text(step, "arg");
  auto keys = map_.keys();
  const bool notices = java_notices(key);
  try {
    for ([[maybe_unused]] const auto& each : keys) map_.put(key, V{nullable_int(step, "to")});
  } catch (const ConcurrentModification&) {
    if (!notices) emulation_.differs("MS-10", "map.iter_put", {{"r", "ok"}});
    throw;
  }
  if (notices) {
    emulation_.differs("MS-10", "map.iter_put", {{"err", "ConcurrentModificationException"}});
  }
}

template <class V>
bool MapOps<V>::java_notices(const NullableText& key) const {
  const auto* entries = column().entries_of(emulation_.op().keys()->current());
  if (entries == nullptr || replaced_by_clean_up()) return false;
  std::vector<NullableText> keys;
  for (const auto& [each, entry] : *entries) keys.push_back(each);
  keys = java_hash_order(std::move(keys));
  // The first that is seen; expired ones before it are removed on the way to it.
  const bool sees_expired = column().ttl().returns_expired();
  const auto first = std::find_if(keys.begin(), keys.end(), [&](const NullableText& each) {
    return sees_expired || !expired(each);
  });
  if (first == keys.end() || std::next(first) == keys.end()) return false;
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() || (found <= first && expired(key));
}

// Flink's clean-up puts a copy in the place of each map that it looks at (TTL-14), also on the way
// of a put: the iteration goes on over the old one. With several keys it may look at others.
template <class V>
bool MapOps<V>::replaced_by_clean_up() const {
  constexpr std::uint32_t kSmallestTable = 128;
  return ttl_ && column().ttl().config().cleanup_size >= kSmallestTable &&
         (column().entries() == 1 || emulation_.op().task().max_parallelism == 1);
}

template <class V>
typename MapOps<V>::Column& MapOps<V>::column() const {
  return dynamic_cast<Column&>(emulation_.column(kName));
}

template <class V>
bool MapOps<V>::expired(const NullableText& key) const {
  const auto* entries = column().entries_of(emulation_.op().keys()->current());
  if (entries == nullptr) return false;
  const auto found = entries->find(key);
  return found != entries->end() && column().gone(found->second);
}

template class MapOps<NullableInt>;
template class MapOps<UnstorableNull>;

}  // namespace sluice::parity
