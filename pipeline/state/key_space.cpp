#include "pipeline/state/key_space.hpp"

#include <algorithm>

#include "pipeline/base/errors.hpp"
#include "pipeline/state/column.hpp"

namespace sluice::detail {

void KeySpace::no_key_set() const {
  throw IllegalState{
      "no key set: keyed state can only be used while an element or timer of a keyed "
      "stream is processed (KS-04)"};
}

bool KeySpace::before(KeyIndex a, KeyIndex b) const {
  return encode(a).to_text() < encode(b).to_text();
}

void KeySpace::sort(std::vector<KeyIndex>& indexes) const {
  std::sort(indexes.begin(), indexes.end(), [this](KeyIndex a, KeyIndex b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : a != b && before(a, b);
  });
}

void KeySpace::attach(StateColumn& column) {
  columns_.push_back(&column);
  column.grow(capacity_);
}

void KeySpace::grow_columns(std::size_t capacity) {
  capacity_ = capacity;
  for (auto* column : columns_) column->grow(capacity);
}

void KeySpace::prefetch_columns(KeyIndex index) const {
  for (const auto* column : columns_) column->prefetch(index);
}

void KeySpace::release_if_unused(KeyIndex index) {
  if (uses_of(index) != 0) return;
  if (tracking_) {
    // A column may still have to write that this key's row is gone, under this index.
    for (const auto* column : columns_) {
      if (column->changed(index)) return wait(index);
    }
  }
  forget(index);
}

// A key that comes and goes many times before the next snapshot waits for it once.
void KeySpace::wait(KeyIndex index) {
  if (waits(index)) return;
  waits(index) = true;
  waiting_.push_back(index);
}

void KeySpace::changes_written() {
  std::vector<KeyIndex> waiting;
  waiting.swap(waiting_);
  for (const auto index : waiting) {
    waits(index) = false;
    // The key may have come back to life.
    if (index == current_) {
      current_may_be_unused_ = true;
    } else if (uses_of(index) == 0) {
      forget(index);
    }
  }
}

}  // namespace sluice::detail
