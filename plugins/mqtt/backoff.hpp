// How long to wait before the next attempt: hardly at all, then from `first` doubling to `longest`.
//
// One thread. The random part keeps the daemons of many sites from returning to a restarted broker
// all at the same moment.
#pragma once

#include <algorithm>
#include <random>

#include "pipeline/base/time.hpp"

namespace sluice::mqtt {

class Backoff {
 public:
  Backoff(Duration first, Duration longest) : first_{first}, longest_{longest} {}

  /// The pause before the next attempt; each is up to a fifth shorter than its nominal length.
  Duration next() {
    const Duration nominal = quick_ ? std::min(kQuick, first_) : nominal_;
    if (!quick_) nominal_ = std::min(nominal_ * 2, longest_);
    quick_ = false;
    std::uniform_int_distribution<Duration::rep> less{0, nominal.count() / 5};
    return nominal - Duration{less(random_)};
  }

  /// All is well: the next failure is the first again.
  void reset() {
    nominal_ = first_;
    quick_ = true;
  }

 private:
  // Most losses are a broker that restarts or a link that blinks.
  static constexpr Duration kQuick{100};

  Duration first_;
  Duration longest_;
  Duration nominal_{first_};
  bool quick_{true};
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace sluice::mqtt
