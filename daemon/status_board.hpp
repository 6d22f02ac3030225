// StatusBoard: what the daemon says about itself: connections, counters, degraded modes, as the
// retained JSON of <prefix>/status/detail and as one line for systemctl status.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/engine/checkpointer.hpp"
#include "daemon/engine/counters.hpp"
#include "daemon/topics.hpp"
#include "pipeline/base/log.hpp"
#include "pipeline/plugin/connector.hpp"
#include "storage/intake.hpp"
#include "storage/journal/journal.hpp"
#include "storage/outbox.hpp"

namespace sluice::daemon {

/// How often the wall clock was set since start, and the newest of these.
struct ClockSteps {
  std::uint64_t count{};
  Timestamp last_ms{};   ///< forward if positive
  Timestamp ahead_ms{};  ///< how far our times are ahead of the wall clock
  bool fresh{};          ///< the newest is some seconds old
};

/// A look at everything, at one moment.
struct StatusFacts {
  Timestamp now{};
  storage::JournalHealth journal;
  storage::IntakeStats intake;
  storage::OutboxStats outbox;
  CheckpointerStats checkpoint;
  std::set<std::string> suspended;  ///< monitors, see Counters
  bool engine_failed{false};
  ClockSteps clock_steps{};
  std::map<std::string, GapTotals> gaps{};  ///< by source, see Counters
  std::uint64_t checkpoint_bytes{};         ///< written by SQLite since the start
  std::chrono::steady_clock::duration running{};
  std::string metrics_problem{};  ///< why no metrics are served; empty if they are, or need not be
};

/// Something that is not as it should be.
struct Condition {
  std::string code;  ///< one word, part of a topic and of metrics: never renamed
  std::string text;  ///< one sentence

  friend bool operator==(const Condition&, const Condition&) = default;
};

/// The codes there are, beside "monitor.<name>" and "gap.<source>".
inline constexpr std::array<std::string_view, 14> kConditionCodes{
    "receiving",     "publishing",   "subscription", "publication", "journal",
    "journal-files", "journal-size", "checkpoint",   "database",    "clock",
    "lost",          "outbox",       "engine",       "metrics"};

/// The observer's side, source(), sink() and conditions(): any thread. The rest: main thread.
class StatusBoard final : public ConnectionObserver {
 public:
  struct Connection {
    bool connected{false};
    std::string reason{"not connected yet"};
    std::uint64_t connects{0};
    std::uint64_t faults{0};
    std::string last_fault;
  };

  /// `log` outlives it, and hears of each change of a connection.
  StatusBoard(std::string prefix, Log& log) : topics_{std::move(prefix)}, log_{log} {}

  void on_connection(std::string_view connector, bool connected,
                     std::string_view reason) noexcept override;
  void on_fault(std::string_view connector, std::string_view what) noexcept override;
  void on_fault_over(std::string_view connector) noexcept override;

  /// The status to publish, if it is time: at a change of condition, when `wanted`, and every ten
  /// seconds.
  std::optional<Publication> publication(const StatusFacts& facts, const Counters& counters,
                                         bool wanted);
  /// "watching: 1234 readings, 3 alerts; all is well"
  std::string line(const StatusFacts& facts, const Counters& counters) const;

  /// What is not as it should be; empty when all is well.
  std::vector<Condition> conditions(const StatusFacts& facts) const;
  Connection source() const;
  Connection sink() const;
  /// Whether readings come in.
  bool receiving() const { return source().connected; }

 private:
  /// Under the lock.
  Connection& of(std::string_view connector) { return connector == "source" ? source_ : sink_; }
  static Datum describe(const Connection& connection);
  Datum document(const StatusFacts& facts, const Counters& counters,
                 const std::vector<Condition>& conditions) const;

  Topics topics_;
  Log& log_;
  mutable std::mutex mutex_;
  Connection source_;
  Connection sink_;

  std::vector<Condition> published_conditions_;
  std::optional<std::chrono::steady_clock::time_point> published_at_;
  std::uint32_t published_{0};
};

}  // namespace sluice::daemon
