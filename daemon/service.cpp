#include "daemon/service.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "storage/crash_point.hpp"
#include "storage/journal/marks.hpp"

namespace sluice::daemon {

namespace {
/// How long the last alerts may take to get out at stop.
constexpr Duration kFarewell{2000};
/// How long a step of the clock stays a condition.
constexpr std::chrono::seconds kStepIsNews{30};
/// While times are ahead of a wall clock that was set back: how often they are held back a little.
constexpr std::chrono::seconds kHoldBackEvery{1};
/// Connected for this long with nothing waiting: what the broker had kept for us is in.
constexpr std::chrono::seconds kAllIsIn{2};
/// Of a message that is too large: so much shows people what it was.
constexpr std::size_t kShownOfTooLarge{1024};
/// With the broker away nobody knows; then sensors are missed all the same.
constexpr std::chrono::seconds kLongestHold{60};
}  // namespace

void Service::Receiver::on_message(const MessageView& message) noexcept {
  if (topics_.is_ours(message.topic)) {
    // An alert taken for a reading can make the next alert, and so on without end.
    log_.write_limited("own-publication", LogLevel::kWarning,
                       "what Sluice publishes on \"" + printable(message.topic) +
                           "\" comes back by the topic filter of source '" +
                           printable(message.source) +
                           "' and is left out: let its 'topic' not match what is below \"" +
                           printable(topics_.prefix()) + "/\"");
    return;
  }
  // Thousands may come with each connection, and none is news: the machine would ignore them, but
  // only after they were written. Settings are another matter.
  if (message.retained && !message.source.starts_with('$')) {
    ++counters_.retained_ignored;
    return;
  }
  MessageView stamped = message;
  stamped.received = clock_.now();
  // It is acknowledged like any other, or it would come again and again; but neither disk nor
  // engine should have to do with all of it.
  if (message.payload.size() > largest_) {
    stamped.cut = true;
    stamped.payload = message.payload.substr(0, std::min(largest_, kShownOfTooLarge));
    log_.write_limited("too-large", LogLevel::kWarning,
                       "a message of " + std::to_string(message.payload.size()) + " bytes on \"" +
                           printable(message.topic) + "\" is refused: limits.payload_size allows " +
                           std::to_string(largest_) +
                           "; make the broker refuse such ones (mosquitto: message_size_limit)");
  }
  journal_.append_message(stamped);
}

Status Service::start() {
  static constexpr Step kSteps[] = {
      {"data folder", &Service::make_data_dir, "start.after-folder"},
      // First, for its lock: what belongs to another sluice must not be judged, let alone set
      // aside.
      {"journal", &Service::open_journal, "start.after-journal"},
      {"checkpoint store", &Service::open_store, "start.after-store"},
      {"outbox", &Service::make_outbox, "start.after-outbox"},
      {"restore", &Service::restore_engine, "start.after-restore"},
      {"report", &Service::report_notice, "start.after-report"},
      {"engine", &Service::start_engine, "start.after-engine"},
      {"publishing", &Service::start_sink, "start.after-publishing"},
      {"receiving", &Service::start_source, "start.after-receiving"},
  };
  for (const Step& step : kSteps) {
    if (auto status = (this->*step.run)(); !status) {
      return std::move(status).error().with_context(step.name);
    }
    storage::crash_point(step.crash_point);
  }
  return {};
}

Status Service::make_data_dir() {
  std::error_code error;
  std::filesystem::create_directories(config_.site.data_dir, error);
  if (error) {
    return Error{ErrorCode::kIo, "cannot make the data folder " + config_.site.data_dir + ": " +
                                     error.message() +
                                     "; create it for the user that runs sluice, or set "
                                     "site.data_dir to another one"};
  }
  return {};
}

storage::DatabaseOptions Service::database_options() {
  storage::DatabaseOptions options;
  options.written_bytes = &checkpoint_bytes_;
  return options;
}

Status Service::open_store() {
  auto opened = storage::CheckpointStore::open(path("sluice.db"), log_, database_options());
  if (opened) {
    opened_ = std::move(*opened);
    return {};
  }
  const ErrorCode code = opened.error().code();
  if (code == ErrorCode::kVersion || code == ErrorCode::kInternal) {
    return std::move(opened).error();
  }
  // Locked, unreadable, no space to make it: all of that may pass, and water is watched meanwhile.
  log_.error("the database cannot be used: " + opened.error().message() +
             "; watching without it until it can");
  opened_.notice = opened.error().message();
  return {};
}

Status Service::open_journal() {
  storage::JournalOptions options;
  options.dir = path("journal");
  options.segment_bytes = static_cast<std::uint64_t>(config_.journal.segment_size);
  options.retain_age = config_.journal.keep_age;
  options.write = config_.journal.write;
  options.keep_for_redeliveries = storage::kRedeliveryTail;
  // The journal takes a size alone as "keep that much, of any age"; the file means both.
  options.retain_bytes = config_.journal.keep_age.count() == 0
                             ? 0
                             : static_cast<std::uint64_t>(config_.journal.keep_size);
  options.max_bytes = static_cast<std::uint64_t>(config_.journal.max_size);
  // Less would be too little for a checkpoint to make room in.
  if (options.max_bytes != 0) {
    options.max_bytes = std::max(options.max_bytes, 4 * options.segment_bytes);
  }
  options.sync = config_.journal.sync;
  auto opened = storage::Journal::open(options, log_);
  if (!opened) return std::move(opened).error();
  journal_ = std::move(*opened);
  clock_ = std::make_unique<SiteClock>(journal_->last_time());
  storage::IntakeOptions intake;
  intake.journal_dir = options.dir;
  intake.max_records = static_cast<std::size_t>(config_.limits.intake_messages);
  intake_ = std::make_unique<storage::Intake>(intake, log_);
  journal_->set_listener(intake_.get());
  return {};
}

Status Service::make_outbox() {
  storage::OutboxOptions options;
  options.max_count = static_cast<std::size_t>(config_.limits.outbox_messages);
  options.max_bytes = static_cast<std::size_t>(config_.limits.outbox_size);
  options.hold_until_durable = config_.journal.sync == SyncPolicy::kAlert;
  options.gate_closed = true;
  outbox_ = std::make_unique<storage::Outbox>(options, [this](const PublicationId& id) {
    // Status of our own has no cause in the journal, so no replay will make it again.
    if (id.sequence == 0) return;
    journal_->append(storage::JournalKind::kDelivered, clock_->now(),
                     storage::encode_delivered({&id, 1}));
  });
  if (options.hold_until_durable) {
    syncer_ = std::make_unique<Syncer>(*journal_, *outbox_, config_.journal.sync_interval, log_);
  }
  return {};
}

Status Service::try_restore(storage::OpenedStore opened) {
  engine_.reset();
  CheckpointerOptions options;
  options.path = path("sluice.db");
  options.database = database_options();
  checkpointer_ = std::make_unique<Checkpointer>(options, std::move(opened), *journal_, log_);
  engine_ = std::make_unique<Engine>(EngineParts{config_, registry_, *journal_, *intake_, *outbox_,
                                                 *checkpointer_, syncer_.get(), *clock_, counters_,
                                                 log_});
  return engine_->restore();
}

Status Service::restore_engine() {
  auto status = try_restore(std::exchange(opened_, {}));
  if (status || status.error().code() != ErrorCode::kCorrupt) return status;
  // Opening found nothing wrong, reading did: set it aside and take the copy, or start afresh.
  const std::string reason = status.error().message();
  engine_.reset();
  checkpointer_.reset();
  auto replaced =
      storage::CheckpointStore::replace(path("sluice.db"), reason, log_, database_options());
  if (!replaced) return std::move(replaced).error();
  return try_restore(std::move(*replaced));
}

Status Service::report_notice() {
  const std::string notice = checkpointer_->stats().notice;
  if (!notice.empty()) report_now({"database", notice});
  const std::string loss = journal_->health().loss;
  if (!loss.empty()) report_now({"journal-files", loss});
  return {};
}

/// Not after five seconds: it must get out even if we die now.
void Service::report_now(const Condition& condition) {
  append_notice(kFaultSource, condition.code, condition.text);
  watch_.remember(condition, std::chrono::steady_clock::now());
}

void Service::append_notice(std::string_view source, std::string_view about,
                            std::string_view text) {
  // Through the journal like all that causes an alert: it must get out even if we die now.
  MessageView notice;
  notice.source = source;
  notice.topic = about;
  notice.payload = text;
  notice.received = clock_->now();
  journal_->append_message(notice);
}

Result<mqtt::MqttOptions> Service::mqtt_options() const {
  auto options = mqtt::from(config_.mqtt);
  // Two clients of one name throw each other out, so the name that nobody chose holds the site's.
  if (options && options->client_id == mqtt::MqttOptions{}.client_id) {
    options->client_id += "-" + config_.site.id;
  }
  return options;
}

Status Service::start_engine() {
  engine_->start();
  return {};
}

Status Service::start_sink() {
  auto options = mqtt_options();
  if (!options) return std::move(options).error();
  options->status_topic = Topics{config_.site.prefix}.status();
  sink_ = mqtt::make_sink(*options, board_, log_, [this] { return board_.receiving(); });
  return sink_->start(*outbox_);
}

Status Service::start_source() {
  auto options = mqtt_options();
  if (!options) return std::move(options).error();
  const Topics topics{config_.site.prefix};
  // Ours first: where a site's filter takes our own topics too, they are still settings.
  std::vector<Subscription> subscriptions{
      {std::string{kConfigSource}, topics.config_filter(), 1},
      {std::string{kCommandSource}, topics.command_filter(), 1}};
  for (const auto& source : config_.sources) {
    subscriptions.push_back({source.name, source.topic, source.qos});
  }
  std::vector<std::string> filters;
  for (const auto& subscription : subscriptions) filters.push_back(subscription.filter);
  subscriptions_ = std::make_unique<SubscriptionMemory>(path("subscriptions"), log_);
  source_ = mqtt::make_source(*options, std::move(subscriptions), board_, log_,
                              subscriptions_->begin(std::move(filters)));
  receiver_ = std::make_unique<Receiver>(config_, *journal_, *clock_, counters_, log_);
  return source_->start(*receiver_);
}

void Service::watch_clock() {
  const Timestamp step = clock_->check_for_step([this](Timestamp adopted) {
    // In the journal before the first record that carries the new time: to a replay, and to the
    // engine, that one would look like a long silence.
    journal_->append(storage::JournalKind::kClockStep, clock_->now() + adopted,
                     storage::encode_clock_step(adopted));
  });
  const auto now = std::chrono::steady_clock::now();
  if (clock_->ahead() > 0 && now - held_back_at_ >= kHoldBackEvery) {
    held_back_at_ = now;
    // Delays count the time that has passed, not the one that now() shows.
    const Timestamp back = clock_->fall_back();
    journal_->append(storage::JournalKind::kClockStep, clock_->now(),
                     storage::encode_clock_step(-back));
  }
  if (step == 0) return;
  ++clock_steps_.count;
  clock_steps_.last_ms = step;
  const std::string text = "the wall clock was set " + std::string{step > 0 ? "forward" : "back"} +
                           " by " + std::to_string((std::abs(step) + 500) / 1000) +
                           " s; delays go on counting real time";
  log_.write(LogLevel::kWarning, text, {{"step_ms", std::to_string(step)}});
  clock_step_at_ = now;
  report_now({"clock", text});
}

ClockSteps Service::clock_facts() const {
  ClockSteps steps = clock_steps_;
  steps.ahead_ms = clock_->ahead();
  steps.fresh = steps.count != 0 && std::chrono::steady_clock::now() - clock_step_at_ < kStepIsNews;
  return steps;
}

StatusFacts Service::facts() const {
  return {clock_->now(),
          journal_->health(),
          intake_->stats(),
          outbox_->stats(),
          checkpointer_->stats(),
          counters_.suspended(),
          engine_->failed(),
          clock_facts(),
          counters_.gaps(),
          checkpoint_bytes_,
          std::chrono::steady_clock::now() - started_at_,
          metrics_.problem()};
}

Service::Next Service::tend() {
  if (checkpointer_->store_is_back()) {
    log_.warning("the database can be used again: starting anew from it and the journal");
    return Next::kRestart;
  }
  watch_clock();
  journal_->try_disk(clock_->now());
  release_hold_when_all_is_in();
  subscriptions_->keep(source_->former_filters());
  const StatusFacts now = facts();
  metrics_.tend(now);
  tell_of_faults(now);
  const bool wanted = engine_->take_status_request();
  if (auto status = board_.publication(now, counters_, wanted)) outbox_->add(std::move(*status));
  return engine_->failed() ? Next::kGiveUp : Next::kGoOn;
}

void Service::recall_faults() {
  if (faults_recalled_ || !ready()) return;
  faults_recalled_ = true;
  const auto now = std::chrono::steady_clock::now();
  for (const auto& [code, text] : engine_->faults_found()) watch_.remember({code, text}, now);
}

void Service::tell_of_faults(const StatusFacts& facts) {
  recall_faults();
  for (const auto& change :
       watch_.look(board_.conditions(facts), std::chrono::steady_clock::now())) {
    const std::string text = change.over ? "over: " + change.condition.text : change.condition.text;
    log_.write(change.over ? LogLevel::kInfo : LogLevel::kWarning, text,
               {{"condition", change.condition.code}});
    append_notice(change.over ? kFaultOverSource : kFaultSource, change.condition.code, text);
  }
}

void Service::release_hold_when_all_is_in() {
  if (hold_released_ || !ready()) return;
  const auto now = std::chrono::steady_clock::now();
  if (!board_.receiving() || intake_->stats().waiting != 0) {
    receiving_since_.reset();
  } else if (!receiving_since_) {
    receiving_since_ = now;
  }
  const bool all_in = receiving_since_ && now - *receiving_since_ >= kAllIsIn;
  if (!all_in && now - started_at_ < kLongestHold) return;
  hold_released_ = true;
  engine_->release_hold();
}

std::string Service::status_line() const { return board_.line(facts(), counters_); }

void Service::stop() noexcept {
  if (stopped_) return;
  stopped_ = true;
  try {
    if (source_) source_->stop();
    if (source_) subscriptions_->keep(source_->former_filters());
    storage::crash_point("stop.after-receiving");
    if (engine_) engine_->stop();
    storage::crash_point("stop.after-engine");
    if (sink_) sink_->stop(kFarewell);
    storage::crash_point("stop.after-publishing");
    checkpointer_.reset();
    syncer_.reset();
    if (journal_) {
      if (auto status = journal_->sync(); !status) log_.error(status.error().message());
    }
  } catch (const std::exception& e) {
    log_.error(std::string{"while stopping: "} + e.what());
  }
}

}  // namespace sluice::daemon
