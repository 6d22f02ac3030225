// A timer: a key and the time it fires at.
#pragma once

#include "pipeline/base/time.hpp"
#include "pipeline/state/key_space.hpp"

namespace sluice::detail {

struct Timer {
  Timestamp at{};
  KeyIndex key{kNoKey};

  friend bool operator==(const Timer&, const Timer&) = default;
};

/// The order of firing. Among equal times it is open (TM-07); by index it is at least the same in
/// every run.
inline bool earlier(const Timer& a, const Timer& b) {
  // The same as a.at != b.at ? … : …, but without a branch.
  return static_cast<int>(a.at < b.at) |
         (static_cast<int>(a.at == b.at) & static_cast<int>(a.key < b.key));
}

}  // namespace sluice::detail
