// The receiving client. Everything that matters happens inside Paho's callback: when that returns,
// Paho acknowledges the message, whatever became of it.
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>

#include "pipeline/base/log.hpp"
#include "plugins/mqtt/connection.hpp"
#include "plugins/mqtt/copies.hpp"
#include "plugins/mqtt/guarded.hpp"
#include "plugins/mqtt/topic_filter.hpp"

namespace sluice::mqtt {
namespace {

// How many times as long a broker may take to answer while it hands out messages.
constexpr int kLongestBusy = 10;

Timestamp wall_clock() {
  return std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// A filter that we ask the broker to know, or to forget, and what has come of it.
struct Request {
  enum class State { kAsked, kGranted, kRefused };

  std::string filter;
  int qos{1};
  std::optional<std::size_t> subscription{};  ///< its number; none: of an earlier configuration
  State state{State::kAsked};
  std::chrono::steady_clock::time_point since{};  ///< of this state
  std::string fault{};                            ///< what is wrong with it; empty: nothing
};

class MqttSource final : public MessageSource,
                         private ConnectionEvents,
                         private paho::iaction_listener {
 public:
  MqttSource(MqttOptions options, std::vector<Subscription> subscriptions,
             ConnectionObserver& observer, Log& log, std::vector<std::string> former_filters)
      : options_{std::move(options)},
        subscriptions_{std::move(subscriptions)},
        observer_{observer},
        log_{log},
        connection_{options_, Role::kSource, *this, observer, log} {
    for (std::string& filter : former_filters) requests_.push_back({std::move(filter), 0, {}});
  }

  ~MqttSource() override { stop(); }

  Status start(MessageHandler& handler) override;
  void stop() noexcept override { connection_.stop(std::chrono::seconds{2}); }
  std::vector<std::string> former_filters() const override;

 private:
  using Clock = std::chrono::steady_clock;

  // Paho's receiving thread.
  void on_open(paho::async_client& client, std::size_t) noexcept override;
  void on_down() noexcept override {}
  void on_message(const paho::message& message) noexcept override;
  void on_success(const paho::token& token) override;
  void on_failure(const paho::token& token) override;

  // The connection's thread.
  std::string on_look(paho::async_client& client) override;

  void ask(paho::async_client& client, Request& request);
  void send(paho::async_client& client, Request& request);
  void note_answer(Request& request, Request::State state, std::string fault);
  void note_refusal(Request& request, int code);
  std::string overdue();
  std::vector<Request*> refused_long_ago();
  bool is_busy();
  void tell_of_faults();
  void take_in(const paho::message& message) noexcept;
  void hand_over(std::size_t index, const paho::message& message);
  bool is_copy(std::size_t first, const paho::message& message);

  const MqttOptions options_;
  const std::vector<Subscription> subscriptions_;
  ConnectionObserver& observer_;
  Log& log_;
  MessageHandler* handler_{};
  std::vector<TopicFilter> filters_;
  bool with_identifiers_{};
  Copies copies_;
  std::atomic<bool> handling_{};          ///< a message is being handed over
  std::atomic<std::uint64_t> handled_{};  ///< messages
  std::uint64_t handled_before_{};        ///< at the last look
  mutable std::mutex mutex_;              ///< of the requests' states
  std::vector<Request> requests_;         ///< as many, from start() on
  std::string told_fault_;                ///< to the observer
  Connection connection_;                 // last: its threads use the rest
};

bool any_overlap(const std::vector<TopicFilter>& filters) {
  for (std::size_t i = 0; i < filters.size(); ++i)
    for (std::size_t k = i + 1; k < filters.size(); ++k)
      if (overlap(filters[i], filters[k])) return true;
  return false;
}

Status MqttSource::start(MessageHandler& handler) {
  filters_.clear();
  std::vector<Request> former = std::exchange(requests_, {});
  std::erase_if(former, [](const Request& one) { return !check_filter(one.filter); });
  for (std::size_t index = 0; index < subscriptions_.size(); ++index) {
    const Subscription& subscription = subscriptions_[index];
    const std::string name = "source \"" + printable(subscription.source) + "\"";
    if (Status filter = check_filter(subscription.filter); !filter)
      return std::move(filter).error().with_context(name);
    if (subscription.qos < 0 || subscription.qos > 2)
      return Error{ErrorCode::kInvalid, name + ": QoS must be 0, 1 or 2"};
    filters_.emplace_back(subscription.filter);
    requests_.push_back({subscription.filter, subscription.qos, index});
    std::erase_if(former, [&](const Request& one) { return one.filter == subscription.filter; });
  }
  for (Request& one : former) requests_.push_back(std::move(one));
  // Only where needed: not every broker can do identifiers. 3.1.1 has none; there mosquitto sends a
  // message once, and a broker that does not cannot be helped.
  with_identifiers_ = options_.version == 5 && filters_.size() < 64 && any_overlap(filters_);
  handler_ = &handler;
  return connection_.start();
}

std::vector<std::string> MqttSource::former_filters() const {
  const std::lock_guard lock{mutex_};
  std::vector<std::string> out;
  for (const Request& one : requests_)
    if (!one.subscription && one.state != Request::State::kGranted) out.push_back(one.filter);
  return out;
}

void MqttSource::on_open(paho::async_client& client, std::size_t) noexcept {
  {
    const std::lock_guard lock{mutex_};
    told_fault_.clear();  // the observer has forgotten it with the connection
  }
  if (requests_.empty()) connection_.settle();
  // Each time: the broker may have lost the session, and retained settings are sent again for it.
  for (Request& request : requests_) {
    {
      const std::lock_guard lock{mutex_};
      if (!request.subscription && request.state == Request::State::kGranted) continue;
      request.fault.clear();
    }
    ask(client, request);
  }
}

// Our lock must not be held: Paho calls back with its own held.
void MqttSource::ask(paho::async_client& client, Request& request) {
  {
    const std::lock_guard lock{mutex_};
    request.state = Request::State::kAsked;
    request.since = Clock::now();
  }
  try {
    send(client, request);
  } catch (const std::exception& fault) {
    note_answer(request, Request::State::kRefused,
                "cannot ask the broker for \"" + printable(request.filter) + "\": " + fault.what());
  }
}

// One request each: Paho then says which of them the broker refused.
void MqttSource::send(paho::async_client& client, Request& request) {
  if (!request.subscription) {
    client.unsubscribe(request.filter, &request, *this);
    return;
  }
  if (!with_identifiers_) {
    client.subscribe(request.filter, request.qos, &request, *this);
    return;
  }
  const auto id = static_cast<std::int32_t>(*request.subscription + 1);
  client.subscribe(request.filter, request.qos, &request, *this, paho::subscribe_options{},
                   paho::properties{{paho::property::SUBSCRIPTION_IDENTIFIER, id}});
}

void MqttSource::note_answer(Request& request, Request::State state, std::string fault) {
  bool settled = true;
  {
    const std::lock_guard lock{mutex_};
    request.state = state;
    request.since = Clock::now();
    request.fault = std::move(fault);
    for (const Request& one : requests_)
      settled = settled && (!one.subscription || one.state != Request::State::kAsked);
  }
  tell_of_faults();
  if (settled) connection_.settle();
}

// Of several faults the first: what is to be done is mostly the same.
void MqttSource::tell_of_faults() {
  std::string fault;
  {
    const std::lock_guard lock{mutex_};
    std::size_t more = 0;
    for (const Request& one : requests_) {
      if (one.fault.empty()) continue;
      if (fault.empty())
        fault = one.fault;
      else
        ++more;
    }
    if (more != 0) fault += " (and " + std::to_string(more) + " more filters)";
    if (fault == told_fault_) return;
    told_fault_ = fault;
  }
  if (fault.empty())
    observer_.on_fault_over("source");
  else
    observer_.on_fault("source", fault);
}

void MqttSource::on_success(const paho::token& token) {
  guarded(log_, "subscribe", [&] {
    auto& request = *static_cast<Request*>(token.get_user_context());
    if (!request.subscription) {
      // Paho takes any answer to this for a success.
      const int code = int{token.get_reason_code()};
      if (code >= 0x80) return note_refusal(request, code);
      return note_answer(request, Request::State::kGranted, {});
    }
    // Complete by now, so this does not wait.
    const auto granted = token.get_subscribe_response().get_reason_codes();
    std::string fault;
    if (!granted.empty() && int{granted.front()} < request.qos)
      fault = "the broker grants only QoS " + std::to_string(granted.front()) + " for \"" +
              printable(request.filter) + "\": set its max_qos to " + std::to_string(request.qos) +
              ", or messages may be lost";
    note_answer(request, Request::State::kGranted, std::move(fault));
  });
}

void MqttSource::on_failure(const paho::token& token) {
  // Of 3.1.1 the first has the broker's code, and the second one of the wrapper's own.
  int code = token.get_return_code();
  if (code >= 0 && code < 0x80) code = int{token.get_reason_code()};
  // Below 0 the connection went away; the next one asks again.
  if (code < 0x80) return;
  guarded(log_, "subscribe",
          [&] { note_refusal(*static_cast<Request*>(token.get_user_context()), code); });
}

void MqttSource::note_refusal(Request& request, int code) {
  const std::string what = "\"" + printable(request.filter) + "\": " + reason_words(code);
  note_answer(request, Request::State::kRefused,
              request.subscription
                  ? "the broker refuses the subscription to " + what +
                        "; check its access rules for this user"
                  : "the broker refuses to take back the subscription to " + what +
                        "; it goes on keeping those messages for us: let this user unsubscribe, or "
                        "set a new 'client_id'");
}

std::string MqttSource::on_look(paho::async_client& client) {
  if (std::string why = overdue(); !why.empty()) return why;
  for (Request* request : refused_long_ago()) ask(client, *request);
  return {};
}

// While messages come in, or one is being stored, answers may be behind them.
bool MqttSource::is_busy() {
  const std::uint64_t handled = handled_;
  return handling_ || std::exchange(handled_before_, handled) != handled;
}

/// Why the connection is of no use; empty if it is.
std::string MqttSource::overdue() {
  const bool busy = is_busy();
  const auto now = Clock::now();
  {
    const std::lock_guard lock{mutex_};
    for (Request& one : requests_) {
      const auto waited = now - one.since;
      if (one.state != Request::State::kAsked || waited < options_.connect_timeout) continue;
      if (busy && waited < kLongestBusy * options_.connect_timeout) continue;
      const std::string what =
          "\"" + printable(one.filter) + "\" within " + in_words(options_.connect_timeout);
      if (one.subscription)
        return "accepts the connection, but has not answered the subscription to " + what +
               ": is it overloaded, or a proxy without a broker behind it? (mqtt.connect_timeout)";
      one.state = Request::State::kRefused;
      one.since = now;
      one.fault = "the broker has not answered the request to take back the subscription to " +
                  what +
                  "; it may go on keeping those messages for us: look into its log, or set "
                  "a new 'client_id'";
    }
  }
  tell_of_faults();
  return {};
}

std::vector<Request*> MqttSource::refused_long_ago() {
  const std::lock_guard lock{mutex_};
  std::vector<Request*> out;
  for (Request& one : requests_)
    if (one.state == Request::State::kRefused && Clock::now() - one.since >= options_.reconnect_max)
      out.push_back(&one);
  return out;
}

void MqttSource::on_message(const paho::message& message) noexcept {
  handling_ = true;
  take_in(message);
  ++handled_;
  handling_ = false;
}

void MqttSource::take_in(const paho::message& message) noexcept {
  const std::string& topic = message.get_topic();
  for (std::size_t index = 0; index < filters_.size(); ++index) {
    if (!filters_[index].matches(topic)) continue;
    if (!with_identifiers_ || !is_copy(index, message)) hand_over(index, message);
    return;
  }
  // It waited from before a filter was taken back, or the broker knows one that nobody remembers.
  log_.write_limited("mqtt-unexpected-topic", LogLevel::kWarning,
                     "a message on \"" + printable(topic) +
                         "\" matches no source and is dropped: it came for a subscription of an "
                         "earlier configuration of client id \"" +
                         client_id(options_, Role::kSource) +
                         "\"; if this goes on, a new 'client_id' leaves that behind");
}

bool MqttSource::is_copy(std::size_t first, const paho::message& message) {
  const std::string& topic = message.get_topic();
  std::size_t second = first + 1;
  while (second < filters_.size() && !filters_[second].matches(topic)) ++second;
  if (second == filters_.size()) return false;
  constexpr auto kIdentifier = paho::property::SUBSCRIPTION_IDENTIFIER;
  const paho::properties& properties = message.get_properties();
  // A broker that names several identifiers sends the message once.
  if (properties.count(kIdentifier) != 1) return false;
  const auto id = paho::get<std::int32_t>(properties, kIdentifier);
  if (id < 1 || static_cast<std::size_t>(id) > filters_.size()) return false;
  return !copies_.is_news(topic, message.get_payload(), static_cast<unsigned>(id),
                          message.is_duplicate());
}

void MqttSource::hand_over(std::size_t index, const paho::message& message) {
  MessageView view;
  view.source = subscriptions_[index].source;
  view.topic = message.get_topic();
  view.payload = message.get_payload();
  view.received = wall_clock();
  view.packet_id = packet_id(message);
  view.duplicate = message.is_duplicate();
  view.retained = message.is_retained();
  handler_->on_message(view);
}

}  // namespace

std::unique_ptr<MessageSource> make_source(MqttOptions options,
                                           std::vector<Subscription> subscriptions,
                                           ConnectionObserver& observer, Log& log,
                                           std::vector<std::string> former_filters) {
  return std::make_unique<MqttSource>(std::move(options), std::move(subscriptions), observer, log,
                                      std::move(former_filters));
}

}  // namespace sluice::mqtt
