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

void StateColumn::remember_change(KeyIndex index) { changes_.push_back(index); }

void StateColumn::write(SnapshotWriter& writer, bool full) {
  if (!full && changes_.empty()) return;
  writer.begin_state(info_, full);
  if (full) {
    for (KeyIndex i = 0; i < keys_.capacity(); ++i) {
      if (present(i)) put(writer, i, true);
    }
  }
  for (const KeyIndex i : changes_) {
    flags(i) &= static_cast<std::uint8_t>(~kChanged);
    if (full) continue;
    if (present(i)) {
      put(writer, i, false);
    } else {
      writer.erase(keys_.encode(i));
    }
  }
  changes_.clear();
}

void StateColumn::restore(KeyIndex index, const Datum& value) {
  decode(index, value);
  search_.left = 0;  // it may be older than all that was seen so far
  // What was just restored is looked at last, as what was just written is.
  cleanup_cursor_ = std::max<std::size_t>(cleanup_cursor_, index + 1);
}

// One lazy cursor over the slots; it stops after `budget` entries, or `budget` empty slots. A small
// column counts as if it had as many slots as Flink's smallest table has buckets: with few keys
// each access would clean all of them, and "return expired if not cleaned up" never return any.
void StateColumn::clean(std::uint32_t budget) {
  if (held_ > 0) return;
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
      oldest_stamp_ = search_.oldest;
      return;
    }
  }
}

// What is written while the search goes on is newer than its beginning.
void StateColumn::search_among(std::size_t slots) {
  if (search_.left == 0) search_ = {slots, slots, ttl_.now()};
  search_.left += slots - search_.slots;
  search_.slots = slots;
}

}  // namespace sluice::detail
