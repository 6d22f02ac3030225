#include "storage/outbox.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "storage/crash_point.hpp"

namespace sluice::storage {
namespace {

/// What an entry costs besides its own bytes, roughly.
constexpr std::size_t kOverhead = 200;
constexpr Duration kLongest = std::chrono::hours{24};

}  // namespace

Outbox::Outbox(OutboxOptions options, DeliveredCallback on_delivered)
    : options_{options},
      on_delivered_{std::move(on_delivered)},
      gate_closed_{options.gate_closed},
      retained_{options.max_bytes / 4} {}

std::size_t Outbox::cost(const Publication& publication) {
  return kOverhead + publication.topic.size() + publication.payload.size();
}

Outbox::Coalesced& Outbox::lane(Urgency urgency) {
  return urgency == Urgency::kStatus ? status_ : values_;
}

void Outbox::add(Publication publication) {
  {
    const std::lock_guard lock{mutex_};
    if (publication.urgency == Urgency::kAlert) {
      add_alert(std::move(publication));
    } else {
      add_coalesced(std::move(publication));
    }
  }
  changed_.notify_one();
}

void Outbox::add_alert(Publication&& publication) {
  if (alert_ids_.contains(publication.id)) return;
  if (std::binary_search(delivered_before_.begin(), delivered_before_.end(), publication.id)) {
    return;
  }
  crash_point("outbox.alert.before-add");
  if (!make_room(publication)) {
    ++counts_.dropped_alerts;
    return;
  }
  ++count_;
  bytes_ += cost(publication);
  alert_bytes_ += cost(publication);
  alert_ids_.emplace(publication.id, next_order_);
  alerts_.emplace(next_order_++, std::move(publication));
}

void Outbox::add_coalesced(Publication&& publication) {
  Coalesced& lane = this->lane(publication.urgency);
  // The older one goes first, so that it does not count against the room for its successor.
  std::optional<Order> place;
  if (const auto found = lane.topics.find(publication.topic);
      found != lane.topics.end() && found->second.waiting) {
    Waiting& older = *found->second.waiting;
    --count_;
    bytes_ -= cost(older.publication);
    ++counts_.coalesced;
    place = older.order;
    lane.queue.erase(older.order);
    found->second.waiting.reset();
  }
  if (!make_room(publication)) {
    ++(publication.urgency == Urgency::kStatus ? counts_.dropped_status : counts_.dropped_values);
    forget_if_idle(lane, publication.topic);
    return;
  }
  Topic& topic = lane.topics[publication.topic];
  // It takes the place of the one it replaces: a busy topic must not move to the end for ever.
  const Order order = place ? *place : next_order_++;
  topic.newest = next_order_++;
  enqueue(lane, topic, {std::move(publication), order});
}

void Outbox::enqueue(Coalesced& lane, Topic& topic, Waiting&& waiting) {
  ++count_;
  bytes_ += cost(waiting.publication);
  lane.queue.emplace(waiting.order, waiting.publication.topic);
  topic.waiting = std::move(waiting);
}

void Outbox::forget_if_idle(Coalesced& lane, const std::string& topic) {
  const auto found = lane.topics.find(topic);
  if (found == lane.topics.end()) return;
  if (!found->second.waiting && found->second.in_flight.empty()) lane.topics.erase(found);
}

bool Outbox::has_room_for(std::size_t bytes) const {
  return count_ < options_.max_count && bytes_ + bytes <= options_.max_bytes;
}

// Nothing gives way for something less urgent than itself. What is in flight stays.
bool Outbox::make_room(const Publication& publication) {
  const std::size_t bytes = cost(publication);
  if (bytes > options_.max_bytes) return false;
  for (const Urgency urgency : {Urgency::kValue, Urgency::kStatus, Urgency::kAlert}) {
    if (urgency > publication.urgency) break;
    while (!has_room_for(bytes) && drop_one(urgency)) {
    }
  }
  return has_room_for(bytes);
}

bool Outbox::drop_one(Urgency urgency) {
  if (urgency == Urgency::kAlert) {
    if (alerts_.empty()) return false;
    const auto oldest = alerts_.begin();
    --count_;
    bytes_ -= cost(oldest->second);
    alert_bytes_ -= cost(oldest->second);
    alert_ids_.erase(oldest->second.id);
    alerts_.erase(oldest);
    ++counts_.dropped_alerts;
    return true;
  }
  Coalesced& lane = this->lane(urgency);
  if (lane.queue.empty()) return false;
  const std::string name = std::move(lane.queue.begin()->second);
  lane.queue.erase(lane.queue.begin());
  Topic& topic = lane.topics.at(name);
  --count_;
  bytes_ -= cost(topic.waiting->publication);
  topic.waiting.reset();
  forget_if_idle(lane, name);
  ++(urgency == Urgency::kStatus ? counts_.dropped_status : counts_.dropped_values);
  return true;
}

void Outbox::expect_again(std::vector<PublicationId> delivered) {
  std::sort(delivered.begin(), delivered.end());
  const std::lock_guard lock{mutex_};
  delivered_before_ = std::move(delivered);
}

void Outbox::open_gate() {
  {
    const std::lock_guard lock{mutex_};
    gate_closed_ = false;
    std::vector<PublicationId>{}.swap(delivered_before_);
  }
  changed_.notify_all();
}

void Outbox::set_durable_through(std::uint64_t sequence) {
  {
    const std::lock_guard lock{mutex_};
    durable_through_ = sequence;
  }
  changed_.notify_all();
}

bool Outbox::is_crowded() const {
  const auto three_quarters = [](std::size_t most) { return most - most / 4; };
  return alert_ids_.size() >= three_quarters(options_.max_count) ||
         alert_bytes_ >= three_quarters(options_.max_bytes);
}

bool Outbox::is_stuck(SteadyTime now) {
  if (!crowded_since_) crowded_since_ = now;
  return now - std::max(*crowded_since_, last_delivery_) >= options_.away_after;
}

bool Outbox::wait_for_room(Duration patience) {
  std::unique_lock lock{mutex_};
  if (is_crowded() && !is_stuck(std::chrono::steady_clock::now())) {
    room_.wait_for(lock, std::min(patience, kLongest), [this] { return !is_crowded(); });
    if (is_crowded()) return false;
  }
  if (!is_crowded()) crowded_since_.reset();
  return true;
}

std::optional<Publication> Outbox::take(Duration patience) {
  const auto deadline = std::chrono::steady_clock::now() + std::min(patience, kLongest);
  std::unique_lock lock{mutex_};
  for (;;) {
    if (auto publication = take_now()) return publication;
    if (changed_.wait_until(lock, deadline) == std::cv_status::timeout) return take_now();
  }
}

std::optional<Publication> Outbox::take_now() {
  for (auto alert = alerts_.begin(); alert != alerts_.end(); ++alert) {
    if (options_.hold_until_durable && alert->second.id.sequence > durable_through_) continue;
    Waiting taken{std::move(alert->second), alert->first};
    alerts_.erase(alert);
    const PublicationId id = taken.publication.id;
    crash_point("outbox.alert.taken");
    return alerts_in_flight_.emplace(id, std::move(taken)).first->second.publication;
  }
  if (gate_closed_) return std::nullopt;
  if (auto status = take_from(status_)) return status;
  return take_from(values_);
}

std::optional<Publication> Outbox::take_from(Coalesced& lane) {
  if (lane.queue.empty()) return std::nullopt;
  const std::string name = std::move(lane.queue.begin()->second);
  lane.queue.erase(lane.queue.begin());
  Topic& topic = lane.topics.at(name);
  Waiting taken = std::move(*topic.waiting);
  topic.waiting.reset();
  taken.order = topic.newest;  // from now on: which one of this topic it was
  const PublicationId id = taken.publication.id;
  // What is made outside the engine has no id of its own: the newer one stands for both.
  if (const auto same = topic.in_flight.find(id); same != topic.in_flight.end()) {
    --count_;
    bytes_ -= cost(same->second.publication);
    topic.in_flight.erase(same);
  }
  return topic.in_flight.emplace(id, std::move(taken)).first->second.publication;
}

bool Outbox::delivered_alert(const Publication& publication) {
  const auto found = alerts_in_flight_.find(publication.id);
  if (found == alerts_in_flight_.end()) return false;
  --count_;
  bytes_ -= cost(found->second.publication);
  alert_bytes_ -= cost(found->second.publication);
  alert_ids_.erase(publication.id);
  alerts_in_flight_.erase(found);
  if (!is_crowded()) room_.notify_one();
  return true;
}

void Outbox::delivered(const Publication& publication) {
  bool mark = false;
  {
    const std::lock_guard lock{mutex_};
    ++counts_.delivered;
    last_delivery_ = std::chrono::steady_clock::now();
    if (publication.urgency == Urgency::kAlert) {
      mark = delivered_alert(publication);
    } else {
      Coalesced& lane = this->lane(publication.urgency);
      const auto topic = lane.topics.find(publication.topic);
      if (topic == lane.topics.end()) return;
      const auto found = topic->second.in_flight.find(publication.id);
      if (found == topic->second.in_flight.end()) return;
      --count_;
      bytes_ -= cost(found->second.publication);
      // What has no cause in the journal is made anew by itself.
      const bool lasts = publication.urgency == Urgency::kStatus && publication.retain &&
                         publication.id.sequence != 0;
      if (lasts && found->second.order == topic->second.newest) retained_.put(publication);
      topic->second.in_flight.erase(found);
      forget_if_idle(lane, publication.topic);
    }
  }
  if (!mark || !on_delivered_) return;
  crash_point("outbox.delivered.before-mark");
  on_delivered_(publication.id);
  crash_point("outbox.delivered.after-mark");
}

void Outbox::returned(const Publication& publication) {
  {
    const std::lock_guard lock{mutex_};
    if (publication.urgency == Urgency::kAlert) {
      const auto found = alerts_in_flight_.find(publication.id);
      if (found == alerts_in_flight_.end()) return;
      alerts_.emplace(found->second.order, std::move(found->second.publication));
      alerts_in_flight_.erase(found);
    } else {
      Coalesced& lane = this->lane(publication.urgency);
      const auto topic = lane.topics.find(publication.topic);
      if (topic == lane.topics.end()) return;
      const auto found = topic->second.in_flight.find(publication.id);
      if (found == topic->second.in_flight.end()) return;
      Waiting back = std::move(found->second);
      topic->second.in_flight.erase(found);
      --count_;
      bytes_ -= cost(back.publication);
      if (back.order == topic->second.newest) {
        enqueue(lane, topic->second, std::move(back));
      } else {
        ++counts_.coalesced;
        forget_if_idle(lane, publication.topic);
      }
    }
  }
  changed_.notify_one();
}

void Outbox::on_connected() {
  {
    const std::lock_guard lock{mutex_};
    for (const Publication& state : retained_.all()) {
      if (status_.topics.contains(state.topic)) continue;  // a newer one is on its way
      if (!has_room_for(cost(state))) break;
      const Order order = next_order_++;
      Topic& topic = status_.topics[state.topic];
      topic.newest = order;
      enqueue(status_, topic, {state, order});
    }
  }
  changed_.notify_one();
}

std::vector<Publication> Outbox::snapshot() const {
  const std::lock_guard lock{mutex_};
  std::map<Order, const Publication*> alerts;
  for (const auto& [order, publication] : alerts_) alerts.emplace(order, &publication);
  for (const auto& [id, waiting] : alerts_in_flight_) {
    alerts.emplace(waiting.order, &waiting.publication);
  }
  std::vector<Publication> all;
  for (const auto& [order, publication] : alerts) all.push_back(*publication);
  for (const auto& [order, name] : status_.queue) {
    all.push_back(status_.topics.at(name).waiting->publication);
  }
  for (const auto& [name, topic] : status_.topics) {
    for (const auto& [id, waiting] : topic.in_flight) {
      if (!topic.waiting && waiting.order == topic.newest) all.push_back(waiting.publication);
    }
  }
  return all;
}

OutboxStats Outbox::stats() const {
  const std::lock_guard lock{mutex_};
  OutboxStats stats = counts_;
  stats.waiting_alerts = alerts_.size();
  stats.waiting_status = status_.queue.size();
  stats.waiting_values = values_.queue.size();
  stats.bytes = bytes_;
  stats.in_flight = count_ - alerts_.size() - status_.queue.size() - values_.queue.size();
  return stats;
}

}  // namespace sluice::storage
