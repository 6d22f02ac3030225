#include "plugins/mqtt/sink.hpp"

#include "pipeline/base/log.hpp"
#include "plugins/mqtt/guarded.hpp"
#include "plugins/mqtt/topic_filter.hpp"

namespace sluice::mqtt {
namespace {

using std::chrono::milliseconds;

// How long take() may wait. With some on their way their acknowledgements are told soon; with none
// a stop is noticed soon enough, and the processor sleeps.
constexpr milliseconds kBusyPatience{20};
constexpr milliseconds kIdlePatience{250};
constexpr milliseconds kPatienceToAnnounce{50};

// A refusal is for good until somebody changes the broker's rules.
constexpr std::chrono::seconds kRefusedPause{10};

// The tickets of our own status messages, which the window does not know.
constexpr Window::Ticket kOnline = UINTPTR_MAX;
constexpr Window::Ticket kOffline = UINTPTR_MAX - 1;

Window::Ticket ticket_of(const paho::token& token) {
  return reinterpret_cast<Window::Ticket>(token.get_user_context());
}

}  // namespace

MqttSink::MqttSink(MqttOptions options, ConnectionObserver& observer, Log& log,
                   std::function<bool()> is_receiving)
    : options_{std::move(options)},
      observer_{observer},
      log_{log},
      is_receiving_{std::move(is_receiving)},
      window_{static_cast<std::size_t>(options_.in_flight)},
      connection_{options_, Role::kSink, *this, observer, log} {}

MqttSink::~MqttSink() { stop(Duration{0}); }

Status MqttSink::start(PublicationQueue& queue) {
  queue_ = &queue;
  SLUICE_RETURN_IF_ERROR(connection_.start());
  try {
    thread_ = std::thread{[this] { run(); }};
  } catch (const std::exception& fault) {
    connection_.stop(Duration{0});
    return Error{ErrorCode::kInternal, "cannot start the publisher: " + std::string{fault.what()}};
  }
  return Status::ok();
}

void MqttSink::stop(Duration patience) noexcept {
  if (!thread_.joinable()) return;
  const auto now = Clock::now();
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
    // The last quarter, a second at most, is for the last status and the farewell.
    goodbye_until_ = now + patience - std::min<Duration>(patience / 8, milliseconds{500});
    drain_until_ = now + patience - std::min<Duration>(patience / 4, milliseconds{1'000});
  }
  changed_.notify_all();
  thread_.join();
  const auto left = std::chrono::duration_cast<Duration>(now + patience - Clock::now());
  connection_.stop(std::max<Duration>(left, milliseconds{100}));
}

void MqttSink::on_open(paho::async_client&, std::size_t receive_maximum) noexcept {
  bool trusted = true;
  {
    const std::lock_guard lock{mutex_};
    // Beyond what the broker takes Paho would hold them back itself, and wake up for them too late.
    window_.resize(std::min(static_cast<std::size_t>(options_.in_flight), receive_maximum));
    // Left over from a connection whose end nobody told us about.
    for (Publication& one : window_.remove_all()) settled_.returned.push_back(std::move(one));
    connected_ = true;
    greeted_ = false;
    announced_ = false;
    trusted = !doubtful_;
    refused_topics_.clear();  // the observer has forgotten them with the connection
  }
  changed_.notify_all();
  // A broker that acknowledges nothing would else count as there for most of the time.
  if (trusted) connection_.settle();
}

// With nothing on its way there is nothing to judge the broker by.
std::string MqttSink::on_look(paho::async_client&) {
  {
    const std::lock_guard lock{mutex_};
    if (!doubtful_ || !window_.is_empty() || !settled_.returned.empty()) return {};
    doubtful_ = false;
  }
  connection_.settle();
  return {};
}

void MqttSink::on_down() noexcept {
  {
    const std::lock_guard lock{mutex_};
    for (Publication& one : window_.remove_all()) settled_.returned.push_back(std::move(one));
    connected_ = false;
  }
  changed_.notify_all();
}

void MqttSink::on_success(const paho::token& token) {
  guarded(log_, "published", [&] { settle(ticket_of(token), 0, true); });
}

void MqttSink::on_failure(const paho::token& token) {
  // A code below 0 is Paho's own, and the connection is at fault.
  const int reason = token.get_return_code() < 0 ? 0 : int{token.get_reason_code()};
  guarded(log_, "publish", [&] { settle(ticket_of(token), reason, false); });
}

void MqttSink::settle(Window::Ticket ticket, int reason, bool delivered) {
  std::string refused_topic;
  bool trusted_again = false;
  bool taken_again = false;
  {
    const std::lock_guard lock{mutex_};
    if (delivered) trusted_again = std::exchange(doubtful_, false);
    if (ticket == kOffline) goodbye_done_ = true;
    if (auto publication = window_.remove(ticket)) {
      if (delivered) {
        taken_again = refused_topics_.erase(publication->topic) != 0 && refused_topics_.empty();
        settled_.delivered.push_back(std::move(*publication));
      } else if (reason < 0x80) {
        settled_.returned.push_back(std::move(*publication));
      } else {
        refused_topic = publication->topic;
        refused_topics_.insert(refused_topic);
        refused_.push_back({std::move(*publication), Clock::now() + kRefusedPause});
      }
    }
  }
  changed_.notify_all();
  if (trusted_again) connection_.settle();
  if (taken_again) observer_.on_fault_over("sink");
  if (refused_topic.empty()) return;
  observer_.on_fault("sink", "the broker refuses publications on \"" + printable(refused_topic) +
                                 "\": " + reason_words(reason) +
                                 "; check its access rules for this user");
}

void MqttSink::run() noexcept {
  while (step()) {
  }
  say_goodbye();
  return_rest();
}

// False if it is time to stop.
bool MqttSink::step() {
  settle_all();
  check_deadlines();
  if (is_over()) return false;
  std::unique_lock lock{mutex_};
  const bool connected = connected_;
  const bool full = window_.is_full();
  lock.unlock();
  if (connected) greet();
  if (!connected) {
    wait_for_connection();
  } else if (full) {
    wait_for_room();
  } else if (auto publication = queue_->take(take_patience())) {
    send(std::move(*publication));
  } else {
    const std::lock_guard again{mutex_};
    if (stopping_ && window_.is_empty() && settled_.returned.empty())
      drain_until_ = {};  // all sent
  }
  return true;
}

bool MqttSink::is_over() {
  const std::lock_guard lock{mutex_};
  if (!stopping_) return false;
  // Without a connection and with none in sight, waiting would not help.
  if (!connected_ && connection_.is_waiting()) return true;
  return Clock::now() >= drain_until_ && settled_.delivered.empty() && settled_.returned.empty();
}

void MqttSink::settle_all() {
  Settled now;
  {
    const std::lock_guard lock{mutex_};
    now = std::exchange(settled_, {});
    while (!refused_.empty() && refused_.front().due <= Clock::now()) {
      now.returned.push_back(std::move(refused_.front().publication));
      refused_.pop_front();
    }
  }
  for (const Publication& one : now.delivered) queue_->delivered(one);
  for (const Publication& one : now.returned) queue_->returned(one);
}

void MqttSink::check_deadlines() {
  std::vector<Publication> overdue;
  {
    const std::lock_guard lock{mutex_};
    overdue = window_.remove_overdue(Clock::now());
  }
  if (overdue.empty()) return;
  for (const Publication& one : overdue) queue_->returned(one);
  {
    const std::lock_guard lock{mutex_};
    doubtful_ = true;
  }
  // TCP loses nothing, so what is not acknowledged by now never will be over this connection.
  connection_.renew("has not acknowledged the publication on \"" +
                    printable(overdue.front().topic) + "\" within " +
                    in_words(options_.publish_timeout) +
                    ": is it overloaded? (mqtt.publish_timeout)");
}

/// What a new connection begins with: first of all, so that whoever sees an alert knows that we are
/// there, but not before we can be sent something.
void MqttSink::greet() {
  bool greeted = false;
  bool announced = false;
  {
    const std::lock_guard lock{mutex_};
    greeted = std::exchange(greeted_, true);
    announced = announced_;
  }
  if (!greeted) queue_->on_connected();
  if (!announced && (!is_receiving_ || is_receiving_())) announce();
}

void MqttSink::announce() {
  {
    const std::lock_guard lock{mutex_};
    announced_ = true;
  }
  if (!options_.status_topic.empty())
    publish({{}, Urgency::kStatus, options_.status_topic, "online", 1, true}, kOnline);
}

void MqttSink::wait_for_room() {
  std::unique_lock lock{mutex_};
  auto until = window_.next_deadline().value_or(Clock::now());
  if (stopping_) until = std::min(until, drain_until_);
  const bool was_stopping = stopping_;
  changed_.wait_until(
      lock, until, [&] { return !window_.is_full() || !connected_ || stopping_ != was_stopping; });
}

void MqttSink::wait_for_connection() {
  std::unique_lock lock{mutex_};
  const auto is_due = [this] { return connected_ || !settled_.returned.empty(); };
  if (stopping_)
    changed_.wait_until(lock, std::min(drain_until_, Clock::now() + kIdlePatience), is_due);
  else
    changed_.wait_for(lock, std::chrono::seconds{1}, [&] { return stopping_ || is_due(); });
}

Duration MqttSink::take_patience() {
  const std::lock_guard lock{mutex_};
  if (stopping_) return window_.is_empty() ? Duration{0} : milliseconds{2};
  if (!announced_) return kPatienceToAnnounce;
  return window_.is_empty() && settled_.delivered.empty() ? kIdlePatience : kBusyPatience;
}

void MqttSink::send(Publication publication) {
  if (const Status topic = check_topic(publication.topic); !topic) {
    // Brokers answer such a topic by ending the connection, and would each time it came round.
    observer_.on_fault("sink", "a publication is dropped: " + topic.error().message());
    queue_->delivered(publication);
    return;
  }
  Window::Ticket ticket{};
  {
    const std::lock_guard lock{mutex_};
    ticket = window_.add(publication, Clock::now() + options_.publish_timeout);
  }
  if (publish(publication, ticket)) return;
  std::optional<Publication> back;
  {
    std::unique_lock lock{mutex_};
    back = window_.remove(ticket);
    // It comes round at once; a fault that lasts must not turn the processor.
    changed_.wait_for(lock, milliseconds{100}, [this] { return stopping_; });
  }
  if (back) queue_->returned(*back);
}

// Our lock must not be held: Paho calls back with its own held.
bool MqttSink::publish(const Publication& publication, Window::Ticket ticket) {
  try {
    connection_.client().publish(paho::message::create(publication.topic, publication.payload,
                                                       publication.qos, publication.retain),
                                 reinterpret_cast<void*>(ticket), *this);
    return true;
  } catch (const std::exception& fault) {
    log_.write_limited(
        "mqtt-publish", LogLevel::kDebug,
        "publishing on \"" + printable(publication.topic) + "\" is put off: " + fault.what());
    return false;
  }
}

void MqttSink::say_goodbye() {
  if (options_.status_topic.empty()) return;
  {
    const std::lock_guard lock{mutex_};
    if (!connected_) return;
  }
  if (!publish({{}, Urgency::kStatus, options_.status_topic, "offline", 1, true}, kOffline)) return;
  std::unique_lock lock{mutex_};
  changed_.wait_until(lock, goodbye_until_, [this] { return goodbye_done_ || !connected_; });
}

void MqttSink::return_rest() {
  settle_all();
  std::vector<Publication> rest;
  {
    const std::lock_guard lock{mutex_};
    rest = window_.remove_all();
    for (Refused& one : refused_) rest.push_back(std::move(one.publication));
    refused_.clear();
  }
  for (const Publication& one : rest) queue_->returned(one);
}

std::unique_ptr<PublicationSink> make_sink(MqttOptions options, ConnectionObserver& observer,
                                           Log& log, std::function<bool()> is_receiving) {
  return std::make_unique<MqttSink>(std::move(options), observer, log, std::move(is_receiving));
}

}  // namespace sluice::mqtt
