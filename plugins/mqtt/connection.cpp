#include "plugins/mqtt/connection.hpp"

#include "plugins/mqtt/guarded.hpp"
#include "plugins/mqtt/server_uri.hpp"

namespace sluice::mqtt {
namespace {

using Clock = std::chrono::steady_clock;

// A connection that lasts less was no success: two clients of one id would throw each other out
// several times a second.
constexpr std::chrono::seconds kSteady{10};

// How often at least a connection is looked at.
constexpr std::chrono::seconds kLook{10};

// Beyond Paho's own time-out for an attempt, which it checks only now and then.
constexpr std::chrono::seconds kGrace{5};

}  // namespace

Connection::Connection(const MqttOptions& options, Role role, ConnectionEvents& events,
                       ConnectionObserver& observer, Log& log)
    : options_{options},
      role_{role},
      events_{events},
      observer_{observer},
      log_{log},
      backoff_{options.reconnect_min, options.reconnect_max},
      resolver_{options.connect_timeout} {}

Connection::~Connection() { stop(std::chrono::seconds{1}); }

Status Connection::start() {
  for (const std::string& server : options_.servers) {
    auto uri = parse_server_uri(server);
    if (!uri) return std::move(uri).error();
    uris_.push_back(uri->paho);
  }
  try {
    make_client();
    thread_ = std::thread{[this] { run(); }};
  } catch (const std::exception& fault) {
    return Error{ErrorCode::kInternal, "cannot start the MQTT " + std::string{to_string(role_)} +
                                           " \"" + client_id(options_, role_) +
                                           "\": " + fault.what()};
  }
  return Status::ok();
}

void Connection::make_client() {
  // No persistence is named, so none is used: it would be a second, worse journal.
  client_ = std::make_unique<paho::async_client>(uris_.front(), client_id(options_, role_),
                                                 make_create_options(options_));
  ignore_sigpipe();
  client_->set_callback(*this);
  client_->set_disconnected_handler(
      [this](const paho::properties&, paho::ReasonCode code) { disconnected(int{code}); });
}

void Connection::stop(Duration patience) noexcept {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
    patience_ = patience;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return !opening_; });
  }
  // Up to here each message that came in was handed over: Paho acknowledges it in any case.
  client_.reset();
}

void Connection::settle() {
  {
    const std::lock_guard lock{mutex_};
    settled_ = true;
  }
  changed_.notify_all();
}

void Connection::renew(const std::string& why) { lose(uri() + " " + why); }

std::string Connection::uri() const {
  const std::lock_guard lock{mutex_};
  return uri_;
}

bool Connection::is_waiting() const {
  const std::lock_guard lock{mutex_};
  return state_ == State::kWaiting;
}

void Connection::connected(const std::string&) {
  {
    const std::lock_guard lock{mutex_};
    // An attempt may succeed while stop() takes the client away.
    if (stopping_) return;
    opening_ = true;
    settled_ = false;
  }
  events_.on_open(*client_, receive_maximum_);
  {
    const std::lock_guard lock{mutex_};
    opening_ = false;
    state_ = State::kConnected;
  }
  changed_.notify_all();
}

void Connection::connection_lost(const std::string&) {
  guarded(log_, "connection lost", [this] {
    lose("the connection to " + uri() + " is lost: the broker has closed it or does not answer",
         false);
  });
}

void Connection::disconnected(int reason_code) {
  guarded(log_, "disconnected",
          [&] { lose(explain_disconnect(reason_code, client_id(options_, role_))); });
}

void Connection::lose(std::string reason, bool explained) {
  {
    const std::lock_guard lock{mutex_};
    // Paho may tell one loss twice, and the first reason is the better one.
    if (state_ != State::kConnected) return;
    state_ = State::kLost;
    loss_ = std::move(reason);
    loss_explained_ = explained;
  }
  events_.on_down();
  changed_.notify_all();
}

void Connection::message_arrived(paho::const_message_ptr message) { events_.on_message(*message); }

// Comes just before connected(), on the same thread.
void Connection::on_success(const paho::token& token) {
  guarded(log_, "connect", [&] {
    constexpr auto kMaximum = paho::property::RECEIVE_MAXIMUM;
    receive_maximum_ = 65'535;
    const paho::connect_response response = token.get_connect_response();
    if (response.get_properties().contains(kMaximum))
      receive_maximum_ = paho::get<std::uint16_t>(response.get_properties(), kMaximum);
  });
}

void Connection::on_failure(const paho::token& token) {
  {
    const std::lock_guard lock{mutex_};
    if (state_ != State::kConnecting) return;
    state_ = State::kFailed;
    failure_ = token.get_return_code();
  }
  changed_.notify_all();
}

void Connection::run() noexcept {
  while (true) {
    std::string why = attempt();
    if (why.empty()) why = serve();
    if (is_stopping()) break;
    observer_.on_connection(to_string(role_), false, why);
    pause(backoff_.next());
    if (is_stopping()) break;
  }
  disconnect(patience_);
}

// Empty if it is up.
std::string Connection::attempt() {
  const std::string uri = uris_[next_uri_++ % uris_.size()];
  try {
    disconnect(std::chrono::seconds{2});
    return try_to_connect(uri);
  } catch (const std::exception& fault) {
    return "cannot connect to " + uri + ": " + fault.what();
  }
}

std::string Connection::try_to_connect(const std::string& uri) {
  // Paho looks it up itself, but for as long as that takes, and meanwhile nothing of it can be
  // ended: not this client, and no other.
  if (const auto found = resolver_.look_up(split_uri(uri), [this] { return is_stopping(); });
      !found)
    return found.error().message();
  auto secret = credentials();
  if (!secret) return secret.error().message();
  paho::connect_options connect;
  if (Status filled = fill_connect_options(connect, options_, role_, uri, *secret); !filled)
    return filled.error().message();
  {
    const std::lock_guard lock{mutex_};
    state_ = State::kConnecting;
    uri_ = uri;
  }
  client_->connect(connect, nullptr, *this);
  return await_connection(uri);
}

std::string Connection::await_connection(const std::string& uri) {
  std::unique_lock lock{mutex_};
  const bool over = changed_.wait_for(lock, options_.connect_timeout + kGrace,
                                      [this] { return stopping_ || state_ != State::kConnecting; });
  if (stopping_ || state_ == State::kConnected || state_ == State::kLost) return {};
  const int failure = over ? failure_ : MQTTASYNC_FAILURE;
  lock.unlock();
  return explain(failure, uri, options_, resolver_, [this] { return is_stopping(); });
}

// While it is up. Returns why that is over.
std::string Connection::serve() {
  const Clock::time_point since = Clock::now();
  const auto between =
      std::min<Clock::duration>({options_.connect_timeout / 2, options_.reconnect_max, kLook});
  Clock::time_point look = since + between;
  bool told = false;
  std::unique_lock lock{mutex_};
  const auto is_over = [this] { return stopping_ || state_ == State::kLost; };
  while (!is_over()) {
    const bool news =
        changed_.wait_until(lock, look, [&] { return is_over() || (settled_ && !told); });
    if (is_over()) break;
    lock.unlock();
    if (news) {
      told = true;
      observer_.on_connection(to_string(role_), true, "");
    } else {
      if (const std::string why = events_.on_look(*client_); !why.empty()) renew(why);
      look = Clock::now() + between;
    }
    lock.lock();
  }
  const bool lasted = Clock::now() - since > kSteady;
  // One that never did what it is for was no success either, however long that took.
  if (lasted && told) backoff_.reset();
  if (lasted || loss_explained_) return loss_;
  return loss_ + ", after a few seconds only: if this goes on, does another client use the id \"" +
         client_id(options_, role_) + "\"? Give each daemon its own 'client_id'";
}

bool Connection::is_stopping() const {
  const std::lock_guard lock{mutex_};
  return stopping_;
}

Result<std::optional<Credentials>> Connection::credentials() {
  if (options_.credentials_file.empty()) return std::optional<Credentials>{};
  auto found = read_credentials(options_.credentials_file);
  if (!found) return std::move(found).error();
  if (found->world_readable)
    log_.write_limited("mqtt-credentials-readable", LogLevel::kWarning,
                       "every user of this machine can read the password in " +
                           options_.credentials_file + ": chmod o-r it");
  return std::optional<Credentials>{std::move(found).value()};
}

void Connection::pause(Duration length) {
  {
    const std::lock_guard lock{mutex_};
    state_ = State::kWaiting;
  }
  events_.on_down();
  std::unique_lock lock{mutex_};
  changed_.wait_for(lock, length, [this] { return stopping_; });
}

void Connection::disconnect(Duration patience) noexcept {
  try {
    if (!client_->is_connected()) return;
    client_->disconnect(std::chrono::milliseconds{0})->wait_for(patience);
  } catch (const std::exception& fault) {
    log_.debug("ending the MQTT connection: " + std::string{fault.what()});
  }
}

}  // namespace sluice::mqtt
