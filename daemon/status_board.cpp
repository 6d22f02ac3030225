#include "daemon/status_board.hpp"

#include "daemon/engine/gap_desk.hpp"
#include "daemon/json.hpp"
#include "daemon/process_io.hpp"

namespace sluice::daemon {

namespace {

constexpr std::chrono::seconds kPublishEvery{10};
/// How long a gap counts as something that is not as it should be.
constexpr Timestamp kGapShown{10 * 60'000};

/// Of the clock being ahead, in milliseconds.
constexpr Timestamp kWorthSaying = 1000;

std::string seconds(Timestamp milliseconds) {
  return std::to_string((milliseconds + (milliseconds < 0 ? -500 : 500)) / 1000);
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20U); }

/// Said while there is time to do something about it.
bool nearly_full(const storage::JournalHealth& journal) {
  return journal.max_bytes != 0 && journal.needed_bytes >= journal.max_bytes / 10 * 7;
}

Datum number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

Datum rejected_document(const Counters& counters) {
  Datum::Struct by_source;
  for (const auto& [key, count] : counters.rejected()) {
    const auto& [source, reason] = key;
    if (by_source.empty() || by_source.back().first != source) {
      by_source.emplace_back(source, Datum::Struct{});
    }
    // The map is sorted by source, so all reasons of one come together.
    Datum::Struct reasons = *by_source.back().second.get_if<Datum::Struct>();
    reasons.emplace_back(std::string{to_string(reason)}, number(count));
    by_source.back().second = std::move(reasons);
  }
  return by_source;
}

Datum gaps_document(const std::map<std::string, GapTotals>& gaps) {
  Datum::Struct by_source;
  for (const auto& [source, totals] : gaps) {
    Datum newest;
    if (totals.gaps != 0) {
      newest = Datum::Struct{{"sensor", totals.sensor},
                             {"from", totals.from},
                             {"to", totals.to},
                             {"noticed", format_time(totals.noticed)}};
    }
    by_source.emplace_back(source, Datum::Struct{{"gaps", number(totals.gaps)},
                                                 {"missing_readings", number(totals.missing)},
                                                 {"newest", std::move(newest)},
                                                 {"unnumbered", number(totals.unnumbered)}});
  }
  return by_source;
}

Datum journal_document(const storage::JournalHealth& journal) {
  return Datum::Struct{{"durable", journal.durable},
                       {"reason", journal.reason},
                       {"appended", number(journal.appended)},
                       {"unstored", number(journal.unstored)},
                       {"missing", number(journal.missing)},
                       {"removed_files", number(journal.removed_files)},
                       {"duplicates", number(journal.duplicates)},
                       {"bytes", number(journal.bytes)},
                       {"needed_bytes", number(journal.needed_bytes)},
                       {"written_bytes", number(journal.written_bytes)},
                       {"segments", number(journal.segments)},
                       {"last_sequence", number(journal.last_sequence)},
                       {"synced_through", number(journal.synced_through)}};
}

Datum outbox_document(const storage::OutboxStats& outbox) {
  return Datum::Struct{{"waiting_alerts", number(outbox.waiting_alerts)},
                       {"waiting_status", number(outbox.waiting_status)},
                       {"waiting_values", number(outbox.waiting_values)},
                       {"in_flight", number(outbox.in_flight)},
                       {"delivered", number(outbox.delivered)},
                       {"coalesced", number(outbox.coalesced)},
                       {"dropped_alerts", number(outbox.dropped_alerts)},
                       {"dropped_status", number(outbox.dropped_status)},
                       {"dropped_values", number(outbox.dropped_values)}};
}

Datum checkpoint_document(const StatusFacts& facts) {
  const CheckpointerStats& checkpoint = facts.checkpoint;
  return Datum::Struct{
      {"written", number(checkpoint.written)},
      {"failed", number(checkpoint.failed)},
      {"last_error", checkpoint.last_error},
      {"last_sequence", number(checkpoint.last_sequence)},
      {"last_taken_at",
       checkpoint.last_taken_at == 0 ? Datum{} : Datum{format_time(checkpoint.last_taken_at)}},
      {"last_duration_ms", checkpoint.last_duration_ms},
      {"rebuilt", number(checkpoint.rebuilt)},
      {"written_bytes", number(facts.checkpoint_bytes)}};
}

Datum disk_document(const StatusFacts& facts, const Counters& counters) {
  const std::uint64_t written = facts.journal.written_bytes + facts.checkpoint_bytes;
  const auto running = std::chrono::duration<double>{facts.running}.count();
  Datum per_reading;
  if (counters.readings != 0) {
    per_reading = static_cast<double>(written) / static_cast<double>(counters.readings);
  }
  // Of less than a minute, which has no checkpoint yet, nobody can tell a day.
  Datum per_day;
  if (running >= 60) {
    per_day = static_cast<std::int64_t>(static_cast<double>(written) / running * 86'400);
  }
  const auto process = process_written_bytes();
  return Datum::Struct{{"written_bytes", number(written)},
                       {"bytes_per_reading", std::move(per_reading)},
                       {"bytes_per_day", std::move(per_day)},
                       {"process_written_bytes", process ? number(*process) : Datum{}}};
}

}  // namespace

void StatusBoard::on_connection(std::string_view connector, bool connected,
                                std::string_view reason) noexcept {
  const std::string_view doing = connector == "source" ? "receiving" : "publishing";
  const std::lock_guard lock{mutex_};
  Connection& connection = of(connector);
  // Attempts that fail for the same reason again and again are no news.
  const bool news = connection.connected != connected || connection.reason != reason;
  if (connected && !connection.connected) ++connection.connects;
  // What the broker refused is asked for again on each connection, before that counts as made: a
  // fault that stays comes back.
  if (!connected) connection.last_fault.clear();
  connection.connected = connected;
  connection.reason = reason;
  if (!news) return;
  // A broker that comes and goes would fill the log. What then lasts is logged as a condition.
  const std::string topic = "connection." + std::string{connector} + "." + std::string{reason};
  if (connected) {
    log_.write_limited(topic, LogLevel::kInfo, "connected to the broker for " + std::string{doing});
  } else {
    log_.write_limited(topic, LogLevel::kWarning,
                       "not " + std::string{doing} + ": " + std::string{reason} +
                           "; the broker is tried again and again");
  }
}

void StatusBoard::on_fault(std::string_view connector, std::string_view what) noexcept {
  const std::lock_guard lock{mutex_};
  Connection& connection = of(connector);
  ++connection.faults;
  connection.last_fault = what;
  log_.write_limited("broker-fault." + std::string{connector}, LogLevel::kWarning, what);
}

void StatusBoard::on_fault_over(std::string_view connector) noexcept {
  const std::lock_guard lock{mutex_};
  of(connector).last_fault.clear();
}

StatusBoard::Connection StatusBoard::source() const {
  const std::lock_guard lock{mutex_};
  return source_;
}
StatusBoard::Connection StatusBoard::sink() const {
  const std::lock_guard lock{mutex_};
  return sink_;
}

std::vector<Condition> StatusBoard::conditions(const StatusFacts& facts) const {
  std::vector<Condition> found;
  const Connection in = source();
  const Connection out = sink();
  if (!in.connected) found.push_back({"receiving", "not receiving: " + in.reason});
  if (!out.connected) found.push_back({"publishing", "not publishing: " + out.reason});
  if (!in.last_fault.empty()) found.push_back({"subscription", "receiving: " + in.last_fault});
  if (!out.last_fault.empty()) found.push_back({"publication", "publishing: " + out.last_fault});
  if (!facts.journal.durable) {
    found.push_back({"journal", "not durable: " + facts.journal.reason});
  }
  if (!facts.journal.loss.empty()) found.push_back({"journal-files", facts.journal.loss});
  if (nearly_full(facts.journal)) {
    found.push_back(
        {"journal-size", "the journal has grown to " + mebibytes(facts.journal.needed_bytes) +
                             " of " + mebibytes(facts.journal.max_bytes) +
                             " MiB (journal.max_size), because no checkpoint gets written; at the "
                             "limit messages are watched in memory only"});
  }
  if (!facts.checkpoint.last_error.empty()) {
    found.push_back({"checkpoint", "no checkpoint: " + facts.checkpoint.last_error});
  }
  if (!facts.checkpoint.notice.empty()) found.push_back({"database", facts.checkpoint.notice});
  if (facts.clock_steps.ahead_ms >= kWorthSaying) {
    found.push_back({"clock", "times are " + seconds(facts.clock_steps.ahead_ms) +
                                  " s ahead of the wall clock, which was set back; they go at half "
                                  "speed until it has caught up"});
  } else if (facts.clock_steps.fresh) {
    found.push_back(
        {"clock", "the wall clock was set by " + seconds(facts.clock_steps.last_ms) + " s"});
  }
  if (facts.intake.lost != 0) {
    found.push_back({"lost", std::to_string(facts.intake.lost) +
                                 " readings lost: memory was full while the disk took none"});
  }
  if (facts.outbox.dropped_alerts != 0) {
    found.push_back(
        {"outbox", std::to_string(facts.outbox.dropped_alerts) + " alerts dropped: outbox full"});
  }
  for (const auto& monitor : facts.suspended) {
    found.push_back({"monitor." + monitor,
                     "monitor '" + monitor + "' is suspended: it failed again and again"});
  }
  for (const auto& [source, gaps] : facts.gaps) {
    if (gaps.gaps == 0 || facts.now - gaps.noticed >= kGapShown) continue;
    found.push_back({"gap." + source, "readings of source '" + source + "' are missing: " +
                                          describe_gap(gaps.sensor, gaps.from, gaps.to) + "; " +
                                          std::string{kGapCure}});
  }
  if (!facts.metrics_problem.empty()) found.push_back({"metrics", facts.metrics_problem});
  if (facts.engine_failed) found.push_back({"engine", "the engine has stopped"});
  return found;
}

Datum StatusBoard::describe(const Connection& connection) {
  return Datum::Struct{{"connected", connection.connected},
                       {"reason", connection.reason},
                       {"connects", number(connection.connects)},
                       {"faults", number(connection.faults)},
                       {"last_fault", connection.last_fault}};
}

Datum StatusBoard::document(const StatusFacts& facts, const Counters& counters,
                            const std::vector<Condition>& conditions) const {
  Datum::List words;
  Datum::List codes;
  for (const auto& condition : conditions) words.emplace_back(condition.text);
  for (const auto& condition : conditions) codes.emplace_back(condition.code);
  return Datum::Struct{{"time", format_time(facts.now)},
                       {"healthy", conditions.empty()},
                       {"conditions", std::move(words)},
                       {"condition_codes", std::move(codes)},
                       {"source", describe(source())},
                       {"sink", describe(sink())},
                       {"messages", number(counters.messages)},
                       {"readings", number(counters.readings)},
                       {"late", number(counters.late)},
                       {"retained_ignored", number(counters.retained_ignored)},
                       {"rejected", rejected_document(counters)},
                       {"gaps", gaps_document(facts.gaps)},
                       {"alerts", number(counters.alerts)},
                       {"values", number(counters.values)},
                       {"settings_accepted", number(counters.settings_accepted)},
                       {"settings_rejected", number(counters.settings_rejected)},
                       {"monitor_restarts", number(counters.restarts)},
                       {"set_aside", number(counters.set_aside)},
                       {"journal", journal_document(facts.journal)},
                       {"outbox", outbox_document(facts.outbox)},
                       {"checkpoint", checkpoint_document(facts)},
                       {"disk", disk_document(facts, counters)},
                       {"intake_waiting", number(facts.intake.waiting)},
                       {"clock_steps", number(facts.clock_steps.count)},
                       {"last_clock_step_ms", facts.clock_steps.last_ms},
                       {"intake_overflows", number(facts.intake.overflows)}};
}

std::optional<Publication> StatusBoard::publication(const StatusFacts& facts,
                                                    const Counters& counters, bool wanted) {
  auto current = conditions(facts);
  const auto now = std::chrono::steady_clock::now();
  const bool due = wanted || !published_at_ || now - *published_at_ >= kPublishEvery;
  if (!due && current == published_conditions_) return std::nullopt;
  published_at_ = now;
  Publication publication{{0, published_++},
                          Urgency::kStatus,
                          topics_.status_detail(),
                          to_json(document(facts, counters, current)),
                          1,
                          true};
  published_conditions_ = std::move(current);
  return publication;
}

std::string StatusBoard::line(const StatusFacts& facts, const Counters& counters) const {
  std::string text = "watching: " + std::to_string(counters.readings) + " readings, " +
                     std::to_string(counters.alerts) + " alerts";
  const auto found = conditions(facts);
  if (found.empty()) return text + "; all is well";
  for (const auto& condition : found) text += "; " + excerpt(condition.text, 120);
  return text;
}

}  // namespace sluice::daemon
