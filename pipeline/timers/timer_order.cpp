#include "pipeline/timers/timer_order.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace sluice::detail {

void TimerOrder::push(const Timer& timer) {
  if (!everything_now_) return place(timer);
  now_.push(timer);
  if (now_.size() > kManyTimers) assign(now_.take());
}

void TimerOrder::place(const Timer& timer) {
  const std::int64_t bucket = bucket_of(timer);
  if (bucket <= now_bucket_) {
    now_.push(timer);
  } else if (bucket - now_bucket_ < static_cast<std::int64_t>(kBuckets)) {
    put_into_ring(timer);
  } else {
    later_.push(timer);
  }
}

void TimerOrder::assign(std::vector<Timer> timers) {
  for (auto& bucket : ring_) bucket.clear();
  occupied_.fill(0);
  in_ring_ = 0;
  now_.assign({});
  later_.assign({});
  everything_now_ = timers.size() <= kManyTimers;
  if (everything_now_) {
    now_.assign(std::move(timers));
    return;
  }
  ring_.resize(kBuckets);
  now_bucket_ = bucket_of(*std::min_element(timers.begin(), timers.end(), earlier_)) - 1;
  for (const Timer& timer : timers) place(timer);
}

// Makes now_ the earliest bucket that has a timer.
void TimerOrder::fetch() {
  if (in_ring_ == 0) {
    now_bucket_ = bucket_of(later_.front()) - 1;
    fill_ring();
  }
  now_bucket_ = next_bucket();
  const std::size_t place = place_of(now_bucket_);
  in_ring_ -= ring_[place].size();
  now_.exchange(ring_[place]);  // which was empty
  occupied_[place / 64] &= ~(std::uint64_t{1} << (place % 64));
  fill_ring();
}

// What the ring reaches to by now comes out of later_.
void TimerOrder::fill_ring() {
  while (!later_.empty() &&
         bucket_of(later_.front()) - now_bucket_ < static_cast<std::int64_t>(kBuckets)) {
    put_into_ring(later_.front());
    later_.pop();
  }
}

void TimerOrder::put_into_ring(const Timer& timer) {
  const std::size_t place = place_of(bucket_of(timer));
  ring_[place].push_back(timer);
  occupied_[place / 64] |= std::uint64_t{1} << (place % 64);
  ++in_ring_;
}

// The first occupied place behind that of now_bucket_, all the way round. Only if there is one.
std::int64_t TimerOrder::next_bucket() const {
  for (std::int64_t bucket = now_bucket_ + 1;;) {
    const std::size_t place = place_of(bucket);
    const std::uint64_t rest = occupied_[place / 64] >> (place % 64);
    if (rest != 0) return bucket + std::countr_zero(rest);
    bucket += static_cast<std::int64_t>(64 - place % 64);
  }
}

}  // namespace sluice::detail
