// What is on its way to the broker: each publication under a ticket, settled exactly once.
//
// Whoever takes a publication out settles it; a ticket that is gone is nobody's any more. So an
// acknowledgement after a time-out, or one told twice, changes nothing. Needs a lock around it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "pipeline/records/publication.hpp"

namespace sluice::mqtt {

class Window {
 public:
  using Ticket = std::uintptr_t;
  using Time = std::chrono::steady_clock::time_point;

  explicit Window(std::size_t size) : size_{size} {}

  /// What is in it stays, even if that is more.
  void resize(std::size_t size) { size_ = size; }
  bool is_full() const { return open_.size() >= size_; }
  bool is_empty() const { return open_.empty(); }

  /// `deadlines` of later calls are not earlier.
  Ticket add(Publication publication, Time deadline);
  /// Nothing if it was taken out already.
  std::optional<Publication> remove(Ticket ticket);
  /// Those whose deadline has passed, oldest first.
  std::vector<Publication> remove_overdue(Time now);
  /// All, oldest first.
  std::vector<Publication> remove_all();
  /// When the oldest is overdue.
  std::optional<Time> next_deadline() const;

 private:
  struct Entry {
    Publication publication;
    Time deadline;
  };

  std::size_t size_;
  Ticket last_{0};
  std::map<Ticket, Entry> open_;  // oldest first
};

}  // namespace sluice::mqtt
