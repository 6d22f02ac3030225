// The retained states that the broker has from us, so that it can have them again: one that lost
// its database keeps nothing, and would show its subscribers no alarm until the next change.
//
// Bounded: the one that changed longest ago is forgotten first. Needs a lock around it.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>

#include "pipeline/records/publication.hpp"

namespace sluice::storage {

class RetainedStates {
 public:
  explicit RetainedStates(std::size_t max_bytes) : max_bytes_{max_bytes} {}

  /// The broker has it. An empty payload means that there is none any more.
  void put(const Publication& publication);

  /// One for each topic, the one that changed longest ago first.
  const std::list<Publication>& all() const { return states_; }

 private:
  static std::size_t cost(const Publication& publication);
  void drop(std::list<Publication>::iterator state);

  const std::size_t max_bytes_;
  std::size_t bytes_{};
  std::list<Publication> states_;
  std::unordered_map<std::string, std::list<Publication>::iterator> by_topic_;
};

}  // namespace sluice::storage
