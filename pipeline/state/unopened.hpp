// What a state handle refers to before a RuntimeContext gave it: something whose every use is an
// IllegalState with a sentence. So a function that uses a handle which it never got, or did not get
// because open() failed half-way, fails like any other one; and handles need no check at each use.
#pragma once

#include <utility>

#include "pipeline/state/key_space.hpp"
#include "pipeline/state/snapshot.hpp"
#include "pipeline/state/ttl.hpp"

namespace sluice::detail {

/// Throws IllegalState: the handle was not got from a context.
[[noreturn]] void unopened_handle();

/// Keys of which none ever is the current one: all that columns over it do is to say why.
KeySpace& unopened_keys();
/// No time-to-live.
const TtlPolicy& unopened_ttl();

/// The column of handles that were not got yet; one for each type, never written to.
template <class Column, class... Args>
Column* unopened(Args&&... args) {
  static Column column{StateInfo{}, unopened_keys(), unopened_ttl(), std::forward<Args>(args)...};
  return &column;
}

}  // namespace sluice::detail
