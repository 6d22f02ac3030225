// Machine: the deterministic heart of the daemon. Journal records in, publications out.
//
// It reads no clock, no file and no network; the same records give the same publications with the
// same ids. The running engine, recovery and replay all drive this one class. One thread at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "daemon/config/config.hpp"
#include "daemon/engine/announcer.hpp"
#include "daemon/engine/counters.hpp"
#include "daemon/engine/gap_desk.hpp"
#include "daemon/engine/output_bound.hpp"
#include "daemon/engine/reject_desk.hpp"
#include "daemon/engine/settings_desk.hpp"
#include "daemon/engine/site_graph.hpp"
#include "pipeline/base/log.hpp"
#include "pipeline/graph/job.hpp"
#include "pipeline/plugin/registry.hpp"
#include "storage/journal/record.hpp"

namespace sluice::daemon {

/// Sources that are ours, not the site's.
inline constexpr std::string_view kConfigSource = "$config";
inline constexpr std::string_view kCommandSource = "$command";
/// What the daemon has to tell people about itself; the topic says about which part of it.
inline constexpr std::string_view kNoticeSource = "$notice";
/// Likewise about a fault that lasts: it has begun, it is over.
inline constexpr std::string_view kFaultSource = "$fault";
inline constexpr std::string_view kFaultOverSource = "$fault-over";

struct MachineStart {
  const JobSnapshot* snapshot{};  ///< nullptr: from nothing
  Datum extras;                   ///< what Machine::extras() gave with that snapshot
  std::uint32_t attempt{0};       ///< restarts before this one
};

class Machine {
 public:
  /// All references outlive the machine. Fails where stored state does not fit the configuration
  /// (kVersion) or a monitor cannot be built.
  static Result<std::unique_ptr<Machine>> start(const Config& config, const Registry& registry,
                                                const MachineStart& start, Counters& counters,
                                                Log& log);

  /// Processes one record and appends what it causes to `out`. Throws OperatorFailure if a monitor
  /// failed; the machine must then be replaced by one restored from a checkpoint.
  /// `quiet`: this was processed before the last crash; count and log nothing a second time.
  void process(const storage::JournalRecord& record, bool quiet, std::vector<Publication>& out);

  /// When a tick is due although nothing comes in, in terms of record times.
  std::optional<Timestamp> next_tick() const;

  /// These monitors do not see message `sequence`.
  void set_aside(std::uint64_t sequence, const std::string& monitor) {
    set_aside_[sequence].insert(monitor);
  }
  /// Faults of the daemon itself (kFaultSource) that are not over, by their codes.
  const std::map<std::string, std::string>& faults() const { return faults_; }
  /// Whether delays are held back at present (kHold).
  bool held() const { return held_; }

  /// The commands received by the last process(), to be carried out by the engine.
  std::vector<std::string> take_commands() { return std::exchange(commands_, {}); }

  /// Between records, every second or so; changes no state.
  void tend(Timestamp now) { settings_.tend(now); }

  void snapshot(SnapshotWriter& writer, bool full, std::uint64_t id) {
    job_->snapshot(writer, full, id);
  }
  /// What must be kept beside the snapshot.
  Datum extras() const;
  void notify_checkpoint_complete(std::uint64_t id) { job_->notify_checkpoint_complete(id); }

  /// The name of the monitor whose operator failed (OperatorFailure::uid()); empty if it is none's.
  std::string monitor_of(const std::string& failed) const;

 private:
  struct Source {
    const SourceConfig* config{};
    std::unique_ptr<Decoder> decoder;
    std::string job_source;
    std::string job_numbers;  ///< empty unless its messages are numbered
  };

  Machine(const Config& config, const Registry& registry, Counters& counters, Log& log);

  Status make_decoders();
  void process_message(const storage::JournalRecord& record, bool quiet,
                       std::vector<Publication>& out);
  void process_readings(const storage::JournalRecord& record, bool quiet,
                        std::vector<Publication>& out);
  void count();
  void announce(const MonitorConfig& monitor, const Output& output);
  void emit_numbers(const Source& source, const std::vector<SequenceNumber>& numbers);
  void take_settings_out_of_event_time();
  void move_clock(const storage::JournalRecord& record);
  void hold(bool hold);
  void restore_extras(const Datum& extras);
  Timestamp processing_time(Timestamp record_time) const { return record_time - clock_offset_; }

  const Config& config_;
  const Registry& registry_;
  Counters& counters_;
  Log& log_;
  Announcer announcer_;
  SettingsDesk settings_;
  RejectDesk rejects_;
  GapDesk gaps_;
  SkippedMonitors skipped_;
  std::map<std::uint64_t, std::set<std::string>> set_aside_;
  std::map<std::string, Source, std::less<>> sources_;
  Environment environment_;
  MonitorsOfOperators owners_;
  std::unique_ptr<Job> job_;
  std::vector<Publication>* out_{};  ///< of the process() at hand
  Timestamp now_{};                  ///< time of the record at hand
  std::uint64_t record_{};           ///< sequence of the record at hand
  OutputBound bound_;
  /// What the process() at hand has done so far.
  struct Tally {
    std::uint64_t messages{};
    std::uint64_t readings{};
    std::uint64_t late{};
    std::uint64_t alerts{};
    std::uint64_t values{};
    std::uint64_t retained_ignored{};
  };
  Tally tally_;
  std::vector<std::string> commands_;
  /// How far steps of the wall clock have moved record times away from processing time, which
  /// must not jump with them: delays count real time.
  Timestamp clock_offset_{0};
  bool held_{false};
  std::map<std::string, std::string> faults_;
};

}  // namespace sluice::daemon
