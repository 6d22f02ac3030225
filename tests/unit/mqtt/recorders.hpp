// The daemon's side of the MQTT plugin, as the simplest thing that remembers what it was told.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/base/log.hpp"
#include "pipeline/plugin/connector.hpp"
#include "plugins/mqtt/mqtt.hpp"
#include "tests/support/process.hpp"

namespace sluice::mqtt {

/// A list that one thread fills and another waits on.
template <class T>
class Recorded {
 public:
  void add(T item) {
    {
      const std::lock_guard lock{mutex_};
      items_.push_back(std::move(item));
    }
    changed_.notify_all();
  }

  std::vector<T> all() const {
    const std::lock_guard lock{mutex_};
    return items_;
  }

  bool wait_for(const std::function<bool(const std::vector<T>&)>& wanted,
                std::chrono::milliseconds limit = test::kLimit) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, limit, [&] { return wanted(items_); });
  }

  bool wait_for_count(std::size_t count) {
    return wait_for([&](const std::vector<T>& items) { return items.size() >= count; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<T> items_;
};

struct Received {
  std::string source;
  std::string topic;
  std::string payload;
  Timestamp received{};
  std::uint16_t packet_id{};
  bool duplicate{};
  bool retained{};
};

class RecordingHandler : public MessageHandler, public Recorded<Received> {
 public:
  void on_message(const MessageView& view) noexcept override {
    add({std::string{view.source}, std::string{view.topic}, std::string{view.payload},
         view.received, view.packet_id, view.duplicate, view.retained});
  }

  bool wait_for_payload(const std::string& payload) {
    return wait_for([&](const std::vector<Received>& items) {
      for (const Received& one : items)
        if (one.payload == payload) return true;
      return false;
    });
  }
};

struct Change {
  bool connected{};
  std::string reason;
};

class RecordingObserver : public ConnectionObserver {
 public:
  void on_connection(std::string_view connector, bool connected,
                     std::string_view reason) noexcept override {
    changes.add({connected, std::string{reason}});
    connectors.add(std::string{connector});
  }
  void on_fault(std::string_view, std::string_view what) noexcept override {
    faults.add(std::string{what});
  }
  void on_fault_over(std::string_view connector) noexcept override {
    overs.add(std::string{connector});
  }

  /// Until the newest change is this one.
  bool wait_for_connected(bool connected) {
    return changes.wait_for([&](const std::vector<Change>& all) {
      return !all.empty() && all.back().connected == connected;
    });
  }
  /// Until some failure has `text` in its reason.
  bool wait_for_reason(const std::string& text) {
    return changes.wait_for([&](const std::vector<Change>& all) {
      for (const Change& one : all)
        if (one.reason.find(text) != std::string::npos) return true;
      return false;
    });
  }

  Recorded<Change> changes;
  Recorded<std::string> connectors;
  Recorded<std::string> faults;
  Recorded<std::string> overs;
};

class RecordingLog : public Log {
 public:
  void write(LogLevel, std::string_view message,
             std::initializer_list<LogField>) noexcept override {
    lines.add(std::string{message});
  }
  void write_limited(std::string_view, LogLevel level, std::string_view message,
                     std::initializer_list<LogField> fields) noexcept override {
    write(level, message, fields);
  }

  Recorded<std::string> lines;
};

/// A queue that checks the rules: each publication handed out is settled once before it may come
/// again.
class TestQueue : public PublicationQueue {
 public:
  void put(Publication publication) {
    {
      const std::lock_guard lock{mutex_};
      waiting_.push_back(std::move(publication));
    }
    changed_.notify_all();
  }

  std::optional<Publication> take(Duration patience) override {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, patience, [this] { return !waiting_.empty(); }))
      return std::nullopt;
    Publication out = std::move(waiting_.front());
    waiting_.pop_front();
    open_.emplace(out.id, out);
    most_open_ = std::max(most_open_, open_.size());
    changed_.notify_all();
    return out;
  }

  void delivered(const Publication& publication) override {
    {
      const std::lock_guard lock{mutex_};
      settle(publication);
      ++delivered_[publication.id];
    }
    changed_.notify_all();
  }

  void returned(const Publication& publication) override {
    {
      const std::lock_guard lock{mutex_};
      settle(publication);
      ++returned_;
      waiting_.push_front(publication);
    }
    changed_.notify_all();
  }

  void on_connected() override {
    {
      const std::lock_guard lock{mutex_};
      ++connections_;
    }
    changed_.notify_all();
  }

  bool wait_for_connections(int count) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, test::kLimit, [&] { return connections_ >= count; });
  }
  bool wait_for_delivered(std::size_t count) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, test::kLimit, [&] { return delivered_.size() >= count; });
  }
  bool wait_for_returned(std::size_t count) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, test::kLimit, [&] { return returned_ >= count; });
  }
  /// Until exactly so many are on their way.
  bool wait_for_open(std::size_t count) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, test::kLimit, [&] { return open_.size() == count; });
  }

  std::size_t delivered_count() const {
    return locked([this] { return delivered_.size(); });
  }
  std::size_t waiting_count() const {
    return locked([this] { return waiting_.size(); });
  }
  std::size_t open_count() const {
    return locked([this] { return open_.size(); });
  }
  std::size_t most_open() const {
    return locked([this] { return most_open_; });
  }
  std::size_t returned_count() const {
    return locked([this] { return returned_; });
  }
  /// Settled without having been handed out.
  std::size_t violations() const {
    return locked([this] { return violations_; });
  }

 private:
  std::size_t locked(const std::function<std::size_t()>& read) const {
    const std::lock_guard lock{mutex_};
    return read();
  }
  void settle(const Publication& publication) {
    if (open_.erase(publication.id) != 1) ++violations_;
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Publication> waiting_;
  std::map<PublicationId, Publication> open_;
  std::map<PublicationId, int> delivered_;
  std::size_t returned_{};
  std::size_t most_open_{};
  std::size_t violations_{};
  int connections_{};
};

/// Options for tests: quick to try again, patient with a busy machine.
inline MqttOptions test_options(const std::string& uri, int version = 5) {
  MqttOptions options;
  options.servers = {uri};
  options.version = version;
  options.client_id = "test";
  options.reconnect_min = Duration{100};
  options.reconnect_max = Duration{500};
  return options;
}

}  // namespace sluice::mqtt
