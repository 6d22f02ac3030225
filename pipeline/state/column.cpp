#include "pipeline/state/column.hpp"

#include <algorithm>

namespace sluice::detail {

namespace {
constexpr std::size_t kFewestSlots = 128;
}

void StateColumn::put(SnapshotWriter& writer, KeyIndex index, bool full) const {
  if (full && ttl_.enabled() && ttl_.config().cleanup_full_snapshot) {
    Datum alive = encode_alive(index);
    if (!alive.is_null()) writer.put(keys_.encode(index), std::move(alive));
  } else {
    writer.put(keys_.encode(index), encode(index));
  }
}

void StateColumn::remember_change(KeyIndex index) {
  if (changes_.size() >= most_changes_) drop_outdated_changes();
  changes_.push_back(index);
}

// An entry that came and went between two snapshots is no change any more, but still among them.
void StateColumn::drop_outdated_changes() {
  std::vector<KeyIndex> kept;
  for (const KeyIndex i : changes_) {
    if (!changed(i)) continue;
    flags(i) &= ~kChanged;  // once each
    kept.push_back(i);
  }
  for (const KeyIndex i : kept) flags(i) |= kChanged;
  changes_ = std::move(kept);
  most_changes_ = std::max<std::size_t>(64, 2 * changes_.size());
}

void StateColumn::write(SnapshotWriter& writer, bool full) {
  if (!full && changes_.empty()) return;
  writer.begin_state(info_, full);
  if (full) write_all(writer);
  for (const KeyIndex i : changes_) {
    if (!changed(i)) continue;
    flags(i) &= ~kChanged;
    if (!full) write_change(writer, i);
  }
  changes_.clear();
}

void StateColumn::write_all(SnapshotWriter& writer) {
  for (KeyIndex i = 0; i < keys_.capacity(); ++i) {
    if (present(i)) {
      put(writer, i, true);
      flags(i) |= kStored;
    } else {
      flags(i) &= ~kStored;
    }
  }
}

void StateColumn::write_change(SnapshotWriter& writer, KeyIndex index) {
  if (present(index)) {
    put(writer, index, false);
    flags(index) |= kStored;
  } else {
    writer.erase(keys_.encode(index));
    flags(index) &= ~kStored;
  }
}

void StateColumn::restore(KeyIndex index, const Datum& value) {
  decode(index, value);
  flags(index) |= kStored;
  search_.left = 0;  // it may be older than all that was seen so far
  // What was just restored is looked at last, as what was just written is.
  cleanup_cursor_ = std::max<std::size_t>(cleanup_cursor_, index + 1);
}

// One lazy cursor over the slots; it stops after `budget` entries, or `budget` empty slots. A small
// column counts as if it had as many slots as Flink's smallest table has buckets: with few keys
// each access would clean all of them, and "return expired if not cleaned up" never return any.
void StateColumn::clean(std::uint32_t budget) {
  if (held_ > 0 || budget == 0) return;
  const std::size_t used = keys_.capacity();
  const std::size_t slots = std::max(used, kFewestSlots);
  search_among(slots);
  cleanup_cursor_ %= slots;
  std::uint32_t seen = 0;
  std::uint32_t empty = 0;
  for (std::size_t step = 0; step < slots && seen < budget && empty < budget; ++step) {
    const auto index = static_cast<KeyIndex>(cleanup_cursor_);
    if (++cleanup_cursor_ == slots) cleanup_cursor_ = 0;
    if (index < used && present(index)) {
      ++seen;
      search_.oldest = std::min(search_.oldest, purge(index));
    } else {
      ++empty;
    }
    if (--search_.left == 0) {
      set_oldest(search_.oldest);
      return;
    }
  }
}

void StateColumn::set_oldest(Timestamp stamp) {
  oldest_stamp_ = stamp;
  nothing_gone_before_ = ttl_.end_of(stamp);
}

// What is written while the search goes on is newer than its beginning.
void StateColumn::search_among(std::size_t slots) {
  if (search_.left == 0) search_ = {slots, slots, ttl_.now()};
  search_.left += slots - search_.slots;
  search_.slots = slots;
}

}  // namespace sluice::detail
