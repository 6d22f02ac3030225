#include "daemon/metrics/site_metrics.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "daemon/process_io.hpp"

namespace sluice::daemon {

namespace {

using Labels = std::vector<std::pair<std::string, std::string>>;

double number(std::uint64_t value) { return static_cast<double>(value); }
double flag(bool value) { return value ? 1 : 0; }

/// Collects metrics; those of one name stand together, which the format demands.
class Metrics {
 public:
  void counter(const char* name, const char* help, double value, Labels labels = {}) {
    add(name, help, MetricType::kCounter, value, std::move(labels));
  }
  void gauge(const char* name, const char* help, double value, Labels labels = {}) {
    add(name, help, MetricType::kGauge, value, std::move(labels));
  }
  std::vector<Metric> take() { return std::move(metrics_); }

 private:
  void add(const char* name, const char* help, MetricType type, double value, Labels labels) {
    if (metrics_.empty() || metrics_.back().name != name) {
      metrics_.push_back({name, help, type, {}});
    }
    metrics_.back().samples.push_back({std::move(labels), value});
  }

  std::vector<Metric> metrics_;
};

void add_conditions(Metrics& out, const StatusFacts& facts, const StatusBoard& board) {
  std::set<std::string> present;
  for (const auto& condition : board.conditions(facts)) present.insert(condition.code);
  out.gauge("sluice_healthy", "1 if all is well", flag(present.empty()));
  // Those that are not there are told as well: an alarm on a series that is missing is none.
  std::set<std::string> codes = present;
  for (const std::string_view code : kConditionCodes) codes.emplace(code);
  for (const auto& [source, gaps] : facts.gaps) codes.insert("gap." + source);
  for (const auto& code : codes) {
    out.gauge("sluice_condition", "1 while something is not as it should be",
              flag(present.contains(code)), {{"code", code}});
  }
}

void add_connections(Metrics& out, const StatusBoard& board) {
  const std::pair<const char*, StatusBoard::Connection> both[] = {{"receiving", board.source()},
                                                                  {"publishing", board.sink()}};
  for (const auto& [name, connection] : both) {
    out.gauge("sluice_connected", "1 while connected to the broker", flag(connection.connected),
              {{"client", name}});
  }
  for (const auto& [name, connection] : both) {
    out.counter("sluice_connects_total", "Connections to the broker", number(connection.connects),
                {{"client", name}});
  }
  for (const auto& [name, connection] : both) {
    out.counter("sluice_broker_faults_total", "Subscriptions and publications that were refused",
                number(connection.faults), {{"client", name}});
  }
}

void add_readings(Metrics& out, const Counters& counters) {
  out.counter("sluice_messages_total", "Messages processed, settings and commands included",
              number(counters.messages));
  out.counter("sluice_readings_total", "Readings taken from messages", number(counters.readings));
  out.counter("sluice_late_readings_total", "Readings older than time.disorder allows",
              number(counters.late));
  out.counter("sluice_retained_ignored_total", "Old messages that the broker handed out again",
              number(counters.retained_ignored));
  for (const auto& [key, count] : counters.rejected()) {
    out.counter("sluice_rejected_readings_total", "Readings that could not be used", number(count),
                {{"source", key.first}, {"reason", std::string{to_string(key.second)}}});
  }
  out.counter("sluice_alerts_total", "Alerts of monitors and of the daemon",
              number(counters.alerts));
  out.counter("sluice_values_total", "Derived values", number(counters.values));
  out.counter("sluice_settings_total", "Settings pushed over the config topic",
              number(counters.settings_accepted), {{"result", "accepted"}});
  out.counter("sluice_settings_total", "Settings pushed over the config topic",
              number(counters.settings_rejected), {{"result", "rejected"}});
  out.counter("sluice_monitor_restarts_total", "Times that a monitor failed",
              number(counters.restarts));
  out.counter("sluice_messages_set_aside_total", "Messages that a monitor is not shown any more",
              number(counters.set_aside));
}

void add_gaps(Metrics& out, const StatusFacts& facts) {
  for (const auto& [source, gaps] : facts.gaps) {
    out.counter("sluice_gaps_total", "Gaps in the numbers of sensors, over restarts",
                number(gaps.gaps), {{"source", source}});
  }
  for (const auto& [source, gaps] : facts.gaps) {
    out.counter("sluice_missing_readings_total", "Readings missing in gaps, over restarts",
                number(gaps.missing), {{"source", source}});
  }
  for (const auto& [source, gaps] : facts.gaps) {
    out.counter("sluice_unnumbered_messages_total", "Messages without the number they should have",
                number(gaps.unnumbered), {{"source", source}});
  }
}

void add_journal(Metrics& out, const StatusFacts& facts) {
  const auto& journal = facts.journal;
  out.gauge("sluice_journal_durable", "1 while what comes in reaches the disk",
            flag(journal.durable));
  out.counter("sluice_journal_records_total", "Records appended to the journal",
              number(journal.appended));
  out.counter("sluice_journal_unstored_records_total", "Records that the disk did not take",
              number(journal.unstored));
  out.counter("sluice_journal_missing_records_total",
              "Records that were stored and are in no file any more", number(journal.missing));
  out.counter("sluice_journal_removed_files_total", "Files of the journal that somebody removed",
              number(journal.removed_files));
  out.counter("sluice_duplicate_messages_total", "Redeliveries recognised and left out",
              number(journal.duplicates));
  out.gauge("sluice_journal_bytes", "Size of the journal on disk", number(journal.bytes));
  out.gauge("sluice_journal_segments", "Files of the journal", number(journal.segments));
  const std::uint64_t synced = std::min(journal.synced_through, journal.last_sequence);
  out.gauge("sluice_journal_unsynced_records", "Records that a power cut would lose",
            number(journal.last_sequence - synced));
  out.gauge("sluice_intake_waiting", "Messages in memory that wait for the engine",
            number(facts.intake.waiting));
  out.counter("sluice_intake_overflows_total", "Times the engine had to read on from the journal",
              number(facts.intake.overflows));
  out.counter("sluice_lost_readings_total",
              "Readings lost because neither memory nor disk had room", number(facts.intake.lost));
}

void add_outbox(Metrics& out, const StatusFacts& facts) {
  const auto& outbox = facts.outbox;
  const auto each = [&](const char* name, const char* help, bool counts, std::uint64_t alerts,
                        std::uint64_t status, std::uint64_t values) {
    const std::pair<const char*, std::uint64_t> classes[] = {
        {"alert", alerts}, {"status", status}, {"value", values}};
    for (const auto& [word, count] : classes) {
      if (counts) {
        out.counter(name, help, number(count), {{"class", word}});
      } else {
        out.gauge(name, help, number(count), {{"class", word}});
      }
    }
  };
  each("sluice_outbox_waiting", "Publications that wait for the broker", false,
       outbox.waiting_alerts, outbox.waiting_status, outbox.waiting_values);
  each("sluice_outbox_dropped_total", "Publications lost for want of room", true,
       outbox.dropped_alerts, outbox.dropped_status, outbox.dropped_values);
  out.gauge("sluice_outbox_in_flight", "Publications sent and not acknowledged yet",
            number(outbox.in_flight));
  out.counter("sluice_outbox_delivered_total", "Publications that the broker has acknowledged",
              number(outbox.delivered));
  out.counter("sluice_outbox_coalesced_total",
              "Publications replaced by a newer one of their topic", number(outbox.coalesced));
}

void add_checkpoints(Metrics& out, const StatusFacts& facts) {
  const auto& checkpoint = facts.checkpoint;
  out.counter("sluice_checkpoints_total", "Checkpoints written", number(checkpoint.written));
  out.counter("sluice_checkpoint_failures_total", "Checkpoints that could not be written",
              number(checkpoint.failed));
  out.counter("sluice_database_rebuilds_total", "Times the database was written anew",
              number(checkpoint.rebuilt));
  out.gauge("sluice_checkpoint_timestamp_seconds", "When the newest checkpoint was taken",
            static_cast<double>(checkpoint.last_taken_at) / 1000);
  out.gauge("sluice_checkpoint_duration_seconds", "How long the newest one took",
            static_cast<double>(checkpoint.last_duration_ms) / 1000);
}

void add_disk(Metrics& out, const StatusFacts& facts) {
  constexpr const char* kName = "sluice_disk_written_bytes_total";
  constexpr const char* kHelp = "Bytes written to the journal, and to the database and its copy";
  out.counter(kName, kHelp, number(facts.journal.written_bytes), {{"part", "journal"}});
  out.counter(kName, kHelp, number(facts.checkpoint_bytes), {{"part", "checkpoint"}});
  if (const auto written = process_written_bytes()) {
    out.counter("sluice_process_written_bytes_total", "The same by the kernel, in whole pages",
                number(*written));
  }
}

}  // namespace

std::vector<Metric> site_metrics(const StatusFacts& facts, const Counters& counters,
                                 const StatusBoard& board) {
  Metrics out;
  out.gauge("sluice_build_info", "1; the version is in the label", 1,
            {{"version", SLUICE_VERSION}});
  out.gauge("sluice_running_seconds", "Time since the start",
            std::chrono::duration<double>{facts.running}.count());
  add_conditions(out, facts, board);
  add_connections(out, board);
  add_readings(out, counters);
  add_gaps(out, facts);
  add_journal(out, facts);
  add_outbox(out, facts);
  add_checkpoints(out, facts);
  add_disk(out, facts);
  out.counter("sluice_clock_steps_total", "Times that somebody set the wall clock",
              number(facts.clock_steps.count));
  return out.take();
}

}  // namespace sluice::daemon
