#include "tests/parity/probes/list_ops.hpp"

#include "tests/parity/probes/nullable.hpp"

namespace sluice::parity {

namespace {

Json list_of(const ListView<NullableInt>& view) {
  Json items = Json::array();
  for (const auto& item : view) items.push_back(to_json(item));
  return items;
}

std::vector<NullableInt> ints(const Json& step) {
  auto items = nullable_ints(step, "arg");
  if (!items) throw DoesNotCompile{"there are no null lists (LS-03, LS-04)"};
  return *items;
}

}  // namespace

ListOps::ListOps(RuntimeContext& context, const std::optional<TtlConfig>& ttl, Emulation& emulation)
    : list_{context.list_state<NullableInt>({.name = kName, .ttl = ttl})},
      config_{ttl},
      ttl_{has_ttl(ttl)},
      renews_{ttl && ttl->update == TtlConfig::Update::kOnReadAndWrite},
      emulation_{emulation} {}

OpResult ListOps::apply(const std::string& op, const Json& step) {
  if (op == "list.get") return list_of(list_.get());
  if (op == "list.live") return live(step);
  if (op == "list.is_null") {
    const auto reading = read();
    if (reading.existed && !reading.alive) emulation_.differs("TTL-11", op);
    return Json(false);  // a view is never null (LS-01)
  }
  if (op == "list.add") {
    list_.add(nullable_int(step, "arg"));
    emulation_.drop_empty_entry(kName);
  } else if (op == "list.addAll") {
    add_all(step);
  } else if (op == "list.update") {
    list_.update(ints(step));
    emulation_.drop_empty_entry(kName);
  } else if (op == "list.clear") {
    list_.clear();
    emulation_.drop_empty_entry(kName);
  } else if (op == "list.iter_add") {
    add_in_loop(step);
  } else if (op == "list.iter_update") {
    update_in_loop(step);
  } else {
    return std::nullopt;
  }
  return done();
}

void ListOps::add_all(const Json& step) {
  const auto items = ints(step);
  try {
    list_.add_all(items);
    if (!items.empty()) emulation_.drop_empty_entry(kName);
  } catch (const InvalidArgument&) {
    // Without TTL Flink adds until it meets the null, and makes a new list's entry before (LS-07).
    if (ttl_) throw;
    if (!emulation_.present(kName)) {
      emulation_.leave_empty_entry(kName);
      emulation_.differs("LS-07", "list.addAll");
    } else if (items.front()) {
      emulation_.differs("LS-07", "list.addAll");
      for (auto item = items.begin(); *item; ++item) list_.add(*item);
    }
    throw;
  }
}

ListOps::Reading ListOps::read() {
  if (!ttl_) return {list_.get(), true, true};
  emulation_.column(kName).clean_step();
  const bool existed = emulation_.present(kName);
  Reading reading{list_.get(), existed, emulation_.present(kName)};
  if (existed && !reading.alive) {
    // Ours has dropped what had expired: back with it. What is never seen need not be the same.
    const auto expired = emulation_.op().now() - config_->ttl.count();
    auto items = reading.view.to_vector();
    if (items.empty()) items.emplace_back(0);
    emulation_.write_at(expired, [&] { list_.add_all(items); });
  }
  return reading;
}

OpResult ListOps::live(const Json& step) {
  const auto before = read();
  Json theirs = list_of(before.view);
  list_.add(nullable_int(step, "arg"));
  emulation_.drop_empty_entry(kName);
  Json ours = list_of(before.view);
  if (!ttl_) return ours;
  if (!before.existed) {
    list_.clear();  // the iteration of an empty list drops whatever there is in the end
    emulation_.differs("LS-08", "list.live");
    return ours;
  }
  if (is_live(before)) theirs.push_back(to_json(nullable_int(step, "arg")));
  if (ours != theirs) emulation_.differs("LS-08", "list.live", {{"r", std::move(theirs)}});
  return ours;
}

void ListOps::add_in_loop(const Json& step) {
  const auto reading = read();
  const bool noticed_there = !ttl_ || is_live(reading);
  bool noticed = false;
  auto at = reading.view.begin();
  for (auto left = reading.view.size(); left > 0; --left) {
    list_.add(nullable_int(step, "arg"));
    try {
      if (!noticed) ++at;
    } catch (const ConcurrentModification&) {
      noticed = true;
      if (noticed_there) throw;
    }
    if (!noticed_there) continue;
    emulation_.differs("LS-08", "list.iter_add", {{"err", "ConcurrentModificationException"}});
    return;
  }
  if (!reading.alive) list_.clear();  // the end of an iteration that met no live element
  if (!noticed) return;
  emulation_.differs("LS-08", "list.iter_add", {{"r", "ok"}});
  throw ConcurrentModification{"a list state was added to while it was iterated (LS-08)"};
}

void ListOps::update_in_loop(const Json& step) {
  const auto reading = read();
  for ([[maybe_unused]] const auto& item : reading.view) list_.update(ints(step));
  if (reading.alive) return;
  list_.clear();  // whatever there is by now
  if (!reading.view.empty()) emulation_.differs("LS-08", "list.iter_update");
}

}  // namespace sluice::parity
