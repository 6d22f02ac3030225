// The seam between the daemon and a transport such as MQTT: who receives, and who sends.
//
// Implementations own their threads; all calls into the daemon's side are thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/result.hpp"
#include "pipeline/base/time.hpp"
#include "pipeline/records/message.hpp"
#include "pipeline/records/publication.hpp"

namespace sluice {

/// Takes messages in, on the transport's thread. When on_message returns, the message is in the
/// journal and may be acknowledged; it does not wait for the engine. Never throws.
class MessageHandler {
 public:
  virtual ~MessageHandler() = default;
  virtual void on_message(const MessageView& message) noexcept = 0;
};

/// Hears of a transport's ups and downs, for status, metrics and log. Never blocks, never throws.
class ConnectionObserver {
 public:
  virtual ~ConnectionObserver() = default;
  /// `connector` is "source" or "sink"; `reason` is a sentence, empty when all is well.
  virtual void on_connection(std::string_view connector, bool connected,
                             std::string_view reason) noexcept = 0;
  /// A subscription the broker refused, or any other fault that does not end the connection.
  virtual void on_fault(std::string_view connector, std::string_view what) noexcept = 0;
  /// What on_fault() has told of is over, while the connection lasts.
  virtual void on_fault_over(std::string_view connector) noexcept { static_cast<void>(connector); }
};

/// What a source subscribes to, renewed on every connect.
struct Subscription {
  std::string source;  ///< becomes MessageView::source
  std::string filter;  ///< MQTT topic filter
  int qos{1};
};

class MessageSource {
 public:
  virtual ~MessageSource() = default;
  /// Starts receiving. Returns at once; a broker that is away is no error (it is tried for ever).
  virtual Status start(MessageHandler& handler) = 0;
  /// Stops receiving; after it returns, the handler is not called any more.
  virtual void stop() noexcept = 0;
  /// Filters of earlier configurations that the other side may still know by our session, and so
  /// keep messages for: to be taken back another time. Any thread.
  virtual std::vector<std::string> former_filters() const { return {}; }
};

/// What a sink takes publications from (the outbox). Any thread.
class PublicationQueue {
 public:
  virtual ~PublicationQueue() = default;
  /// The next one to send, alerts first; waits up to `patience` for one. The queue remembers it as
  /// in flight until delivered() or returned().
  virtual std::optional<Publication> take(Duration patience) = 0;
  /// The broker has it.
  virtual void delivered(const Publication& publication) = 0;
  /// It was not acknowledged (connection lost, time-out): it will be handed out again, unless a
  /// newer one for its topic has replaced it meanwhile.
  virtual void returned(const Publication& publication) = 0;
  /// A connection was made, maybe to a broker that has lost what it had: retained states may be
  /// handed out again.
  virtual void on_connected() {}
};

class PublicationSink {
 public:
  virtual ~PublicationSink() = default;
  virtual Status start(PublicationQueue& queue) = 0;
  /// Sends what is left for at most `patience`, publishes the last status, then disconnects.
  virtual void stop(Duration patience) noexcept = 0;
};

}  // namespace sluice
