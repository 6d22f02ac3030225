// What must go out, between the engine (add) and the publisher (take, delivered, returned).
//
// Alerts leave in the order of their making, and each one stays until the broker has it. Of a
// status or value only the newest per topic is kept. When room runs out, values give way first,
// then status, alerts last; each loss is counted. Whoever makes alerts faster than the broker takes
// them is asked to wait (wait_for_room), so alerts are lost only where the broker is away. Any
// thread; waits only in take() and wait_for_room().
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "pipeline/plugin/connector.hpp"
#include "pipeline/records/publication.hpp"
#include "storage/retained_states.hpp"

namespace sluice::storage {

struct OutboxOptions {
  std::size_t max_count{100000};
  std::size_t max_bytes{std::size_t{16} << 20U};
  /// Alerts wait until the journal is durable up to their cause: see set_durable_through().
  bool hold_until_durable{};
  /// take() gives alerts alone before open_gate(): in a replay, newer values and status follow.
  bool gate_closed{};
  /// A broker that has taken nothing for so long is away, and is not waited for.
  Duration away_after{std::chrono::seconds{30}};
};

struct OutboxStats {
  std::uint64_t waiting_alerts{};
  std::uint64_t waiting_status{};
  std::uint64_t waiting_values{};
  std::uint64_t in_flight{};
  std::uint64_t bytes{};
  std::uint64_t delivered{};
  std::uint64_t coalesced{};       ///< replaced by a newer one of the same topic
  std::uint64_t dropped_alerts{};  ///< for want of room
  std::uint64_t dropped_status{};
  std::uint64_t dropped_values{};
};

class Outbox final : public PublicationQueue {
 public:
  /// Called on the publisher's thread, without a lock, after an alert was delivered and removed.
  using DeliveredCallback = std::function<void(const PublicationId&)>;

  explicit Outbox(OutboxOptions options, DeliveredCallback on_delivered = {});

  /// An alert that is here already (same id: replay) is not added again.
  void add(Publication publication);

  /// Before a replay and the first add(): what the journal marks as delivered. These alerts will
  /// be made again, and are not taken in.
  void expect_again(std::vector<PublicationId> delivered);
  /// The replay is done: hand out values and status from now on, and forget expect_again().
  void open_gate();

  /// Waits up to `patience` while alerts take three quarters of the room and the broker takes some.
  /// False if it is still so: try again before making more. True if there is room, or if the
  /// broker is away; then the oldest alerts will have to go. Engine thread.
  bool wait_for_room(Duration patience);

  /// With hold_until_durable: the journal is durable up to here. ~0 lets everything go (a disk that
  /// cannot be written must not keep alerts from people).
  void set_durable_through(std::uint64_t sequence);

  /// What a checkpoint must keep: all undelivered alerts and status, in flight or not. Values are
  /// not kept, a newer one will come.
  std::vector<Publication> snapshot() const;

  OutboxStats stats() const;

  std::optional<Publication> take(Duration patience) override;
  void delivered(const Publication& publication) override;
  void returned(const Publication& publication) override;
  /// Retained states that it was given since the start wait once more, as far as a quarter of
  /// max_bytes holds them.
  void on_connected() override;

 private:
  using Order = std::uint64_t;
  using SteadyTime = std::chrono::steady_clock::time_point;

  struct Waiting {
    Publication publication;
    Order order{};
  };
  /// One topic of status or values.
  struct Topic {
    std::optional<Waiting> waiting;
    std::map<PublicationId, Waiting> in_flight;
    Order newest{};  ///< of all that were added
  };
  /// Status, or values: newest per topic, in the order in which the topics got something new.
  struct Coalesced {
    std::unordered_map<std::string, Topic> topics;
    std::map<Order, std::string> queue;  ///< topics with something waiting
  };

  static std::size_t cost(const Publication& publication);
  Coalesced& lane(Urgency urgency);
  void add_alert(Publication&& publication);
  void add_coalesced(Publication&& publication);
  void enqueue(Coalesced& lane, Topic& topic, Waiting&& waiting);
  void forget_if_idle(Coalesced& lane, const std::string& topic);
  bool make_room(const Publication& publication);
  bool drop_one(Urgency urgency);
  std::optional<Publication> take_now();
  std::optional<Publication> take_from(Coalesced& lane);
  bool has_room_for(std::size_t bytes) const;
  bool delivered_alert(const Publication& publication);
  bool is_crowded() const;
  bool is_stuck(SteadyTime now);

  const OutboxOptions options_;
  const DeliveredCallback on_delivered_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable room_;
  bool gate_closed_{};
  std::vector<PublicationId> delivered_before_;  ///< sorted
  std::uint64_t durable_through_{};
  Order next_order_{1};
  std::map<Order, Publication> alerts_;  ///< waiting
  std::map<PublicationId, Waiting> alerts_in_flight_;
  std::map<PublicationId, Order> alert_ids_;  ///< waiting or in flight
  Coalesced status_;
  Coalesced values_;
  RetainedStates retained_;
  std::size_t count_{};
  std::size_t bytes_{};
  std::size_t alert_bytes_{};
  std::optional<SteadyTime> crowded_since_;  ///< while wait_for_room() finds no room
  SteadyTime last_delivery_{};
  OutboxStats counts_;
};

}  // namespace sluice::storage
