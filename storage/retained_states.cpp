#include "storage/retained_states.hpp"

#include <iterator>

namespace sluice::storage {

// Besides its bytes, the topic once more and the nodes of list and index.
std::size_t RetainedStates::cost(const Publication& publication) {
  constexpr std::size_t kOverhead = 250;
  return kOverhead + 2 * publication.topic.size() + publication.payload.size();
}

void RetainedStates::put(const Publication& publication) {
  if (const auto older = by_topic_.find(publication.topic); older != by_topic_.end()) {
    drop(older->second);
  }
  if (publication.payload.empty()) return;
  states_.push_back(publication);
  by_topic_.emplace(publication.topic, std::prev(states_.end()));
  bytes_ += cost(publication);
  while (bytes_ > max_bytes_) drop(states_.begin());
}

void RetainedStates::drop(std::list<Publication>::iterator state) {
  bytes_ -= cost(*state);
  by_topic_.erase(state->topic);
  states_.erase(state);
}

}  // namespace sluice::storage
