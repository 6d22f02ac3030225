// The receiving client. Everything that matters happens inside Paho's callback: when that returns,
// Paho acknowledges the message, whatever became of it.
#include <chrono>
#include <functional>

#include "pipeline/base/log.hpp"
#include "plugins/mqtt/connection.hpp"
#include "plugins/mqtt/copies.hpp"
#include "plugins/mqtt/guarded.hpp"
#include "plugins/mqtt/topic_filter.hpp"

namespace sluice::mqtt {
namespace {

Timestamp wall_clock() {
  return std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

class MqttSource final : public MessageSource,
                         private ConnectionEvents,
                         private paho::iaction_listener {
 public:
  MqttSource(MqttOptions options, std::vector<Subscription> subscriptions,
             ConnectionObserver& observer, Log& log, std::vector<std::string> former_filters)
      : options_{std::move(options)},
        subscriptions_{std::move(subscriptions)},
        former_filters_{std::move(former_filters)},
        observer_{observer},
        log_{log},
        connection_{options_, Role::kSource, *this, observer, log} {}

  ~MqttSource() override { stop(); }

  Status start(MessageHandler& handler) override;
  void stop() noexcept override { connection_.stop(std::chrono::seconds{2}); }

 private:
  // Paho's receiving thread.
  void on_open(paho::async_client& client, std::size_t) noexcept override;
  void on_down() noexcept override {}
  void on_message(const paho::message& message) noexcept override;
  void on_success(const paho::token& token) override;
  void on_failure(const paho::token& token) override;

  void subscribe(paho::async_client& client, std::size_t index);
  void request(const std::string& filter, const std::function<void()>& send);
  void note_answer();
  void hand_over(std::size_t index, const paho::message& message);
  bool is_copy(std::size_t first, const paho::message& message);

  const MqttOptions options_;
  const std::vector<Subscription> subscriptions_;
  std::vector<std::string> former_filters_;
  ConnectionObserver& observer_;
  Log& log_;
  MessageHandler* handler_{};
  std::vector<TopicFilter> filters_;
  bool with_identifiers_{};
  std::size_t unanswered_{};  ///< requests over this connection; Paho's receiving thread
  Copies copies_;
  Connection connection_;  // last: its threads use the rest
};

bool any_overlap(const std::vector<TopicFilter>& filters) {
  for (std::size_t i = 0; i < filters.size(); ++i)
    for (std::size_t k = i + 1; k < filters.size(); ++k)
      if (overlap(filters[i], filters[k])) return true;
  return false;
}

Status MqttSource::start(MessageHandler& handler) {
  filters_.clear();
  for (const Subscription& subscription : subscriptions_) {
    const std::string name = "source \"" + printable(subscription.source) + "\"";
    if (Status filter = check_filter(subscription.filter); !filter)
      return std::move(filter).error().with_context(name);
    if (subscription.qos < 0 || subscription.qos > 2)
      return Error{ErrorCode::kInvalid, name + ": QoS must be 0, 1 or 2"};
    filters_.emplace_back(subscription.filter);
    std::erase(former_filters_, subscription.filter);
  }
  std::erase_if(former_filters_, [](const std::string& filter) { return !check_filter(filter); });
  // Only where needed: not every broker can do identifiers. 3.1.1 has none; there mosquitto sends a
  // message once, and a broker that does not cannot be helped.
  with_identifiers_ = options_.version == 5 && filters_.size() < 64 && any_overlap(filters_);
  handler_ = &handler;
  return connection_.start();
}

void MqttSource::on_open(paho::async_client& client, std::size_t) noexcept {
  unanswered_ = subscriptions_.size() + former_filters_.size();
  if (unanswered_ == 0) connection_.settle();
  // Each time: the broker may have lost the session, and retained settings are sent again for it.
  for (std::size_t index = 0; index < subscriptions_.size(); ++index) {
    request(subscriptions_[index].filter, [&] { subscribe(client, index); });
  }
  for (const std::string& filter : former_filters_) {
    request(filter, [&] { client.unsubscribe(filter, nullptr, *this); });
  }
}

void MqttSource::request(const std::string& filter, const std::function<void()>& send) {
  try {
    send();
  } catch (const std::exception& fault) {
    observer_.on_fault("source",
                       "cannot subscribe to \"" + printable(filter) + "\": " + fault.what());
    note_answer();
  }
}

void MqttSource::note_answer() {
  if (unanswered_ != 0 && --unanswered_ == 0) connection_.settle();
}

void MqttSource::subscribe(paho::async_client& client, std::size_t index) {
  const Subscription& subscription = subscriptions_[index];
  // One request each: Paho then says which of them the broker refused.
  void* context = const_cast<Subscription*>(&subscription);
  if (!with_identifiers_) {
    client.subscribe(subscription.filter, subscription.qos, context, *this);
    return;
  }
  const auto id = static_cast<std::int32_t>(index + 1);
  client.subscribe(subscription.filter, subscription.qos, context, *this, paho::subscribe_options{},
                   paho::properties{{paho::property::SUBSCRIPTION_IDENTIFIER, id}});
}

void MqttSource::on_success(const paho::token& token) {
  note_answer();
  // Of an unsubscription there is nothing to say.
  if (token.get_user_context() == nullptr) return;
  guarded(log_, "subscribe", [&] {
    // Complete by now, so this does not wait.
    const auto granted = token.get_subscribe_response().get_reason_codes();
    const auto* asked = static_cast<const Subscription*>(token.get_user_context());
    if (granted.empty() || int{granted.front()} >= asked->qos) return;
    observer_.on_fault("source", "the broker grants only QoS " + std::to_string(granted.front()) +
                                     " for \"" + printable(asked->filter) +
                                     "\": set its max_qos to " + std::to_string(asked->qos) +
                                     ", or messages may be lost");
  });
}

void MqttSource::on_failure(const paho::token& token) {
  const int code = std::max(token.get_return_code(), int{token.get_reason_code()});
  // Below 0 the connection went away; the next one asks again.
  if (code < 0x80) return;
  note_answer();
  if (token.get_user_context() == nullptr) return;
  guarded(log_, "subscribe", [&] {
    const auto* asked = static_cast<const Subscription*>(token.get_user_context());
    observer_.on_fault("source", "the broker refuses the subscription to \"" +
                                     printable(asked->filter) + "\": " + reason_words(code) +
                                     "; check its access rules for this user");
  });
}

void MqttSource::on_message(const paho::message& message) noexcept {
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
