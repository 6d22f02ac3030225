// How the tests of monitors run one: as the daemon does, through a real environment and job, with a
// script of steps. The same script can be run uninterrupted, or with a restart at any step.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "pipeline/graph/environment.hpp"
#include "pipeline/graph/job.hpp"
#include "pipeline/plugin/monitor.hpp"

namespace sluice {

/// For the messages of a failing test.
inline void PrintTo(const Output& output, std::ostream* out) {
  *out << output.monitor << "/" << output.sensor << " @" << output.time << " "
       << (output.kind == OutputKind::kAlert ? to_string(output.state) : "value") << " "
       << output.value.to_text() << " v" << output.setting_version << " "
       << to_string(output.quality) << " \"" << output.text << "\"";
}
inline void PrintTo(const Datum& datum, std::ostream* out) { *out << datum.to_text(); }

}  // namespace sluice

namespace sluice::water {

/// Processing time moves on.
struct Wait {
  Duration duration{};
};
using Step = std::variant<Reading, Setting, Wait>;
using Script = std::vector<Step>;

/// 2026-01-01T00:00:00Z: when every script begins.
inline constexpr Timestamp kStart = 1'767'225'600'000;

/// A reading `seconds` after the start, in cm.
Reading level(double level, std::int64_t seconds = 0, std::string sensor = "mill-bridge");
/// A setting as it comes from the kind's check.
Setting setting(std::int64_t version, Datum value, std::string sensor = "");
/// A setting taken back.
Setting removed(std::int64_t version, std::string sensor = "");

/// The built-in kind of that name; fails the test if there is none.
const MonitorKind& kind(std::string_view name);
/// The kind's fallbacks, and what the test gives.
Options options_of(const MonitorKind& kind,
                   std::vector<std::pair<std::string_view, OptionValue>> given = {});

/// One monitor, named "m", in a job of its own.
class MonitorRun {
 public:
  /// `restore` may be nullptr. Both references must outlive the run.
  MonitorRun(const MonitorKind& kind, const Options& options, const JobSnapshot* restore = nullptr,
             Timestamp now = kStart);

  void run(const Step& step);
  void run(const Script& script);
  /// Changes since the last call if not `full`.
  void snapshot(SnapshotWriter& writer, bool full);
  Timestamp now() const { return job_->processing_time(); }

  std::vector<Output> outputs;

 private:
  Environment environment_;
  std::unique_ptr<Job> job_;
  std::uint64_t checkpoints_{0};
};

/// All outputs of a script.
std::vector<Output> outputs_of(const MonitorKind& kind, const Options& options,
                               const Script& script);
std::vector<std::string> texts_of(const std::vector<Output>& outputs);
std::vector<Datum> values_of(const std::vector<Output>& outputs);

}  // namespace sluice::water
