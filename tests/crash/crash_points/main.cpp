// crash-points: lets the daemon die once at each point of a table and compares what it makes of it.
//
//   crash-points [--only TEXT] [--rigs N] [--sources DIR]
//
// Exit status 0 if the recovery was right everywhere; 1 if not, or if a point was never reached; 2
// if the rig failed.
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <regex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/crash/crash_points/rig.hpp"
#include "tests/support/command_line.hpp"

namespace {

using sluice::crash::CrashPoint;
using sluice::crash::PointsRig;

/// The points, and how they went. Several rigs take from it: each one mostly waits.
class Tally {
 public:
  explicit Tally(std::vector<CrashPoint> points) : points_{std::move(points)} {}

  /// One rig's work, until no point is left.
  void work(const std::string& sluice) {
    try {
      PointsRig rig{sluice};
      for (std::size_t n = next_++; n < points_.size(); n = next_++) {
        note(points_[n], rig.try_point(points_[n]));
      }
    } catch (const std::exception& e) {
      std::fprintf(stderr, "crash-points: %s\n", e.what());
      rig_failed_ = true;
    }
  }

  int conclude() const {
    std::printf("%d points, %d wrong\n", tried_, wrong_);
    if (rig_failed_) return 2;
    return tried_ > 0 && wrong_ == 0 ? 0 : 1;
  }

 private:
  void note(const CrashPoint& point, const std::string& finding) {
    const std::lock_guard lock{mutex_};
    std::printf("%-34s %s: %s\n", point.at, finding.empty() ? "ok" : "WRONG",
                finding.empty() ? point.recovery : finding.c_str());
    std::fflush(stdout);
    ++tried_;
    if (!finding.empty()) ++wrong_;
  }

  const std::vector<CrashPoint> points_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> rig_failed_{false};
  std::mutex mutex_;
  int tried_{0};
  int wrong_{0};
};

/// True if a source has a point that the table has not.
bool report_missing(const std::filesystem::path& sources) {
  std::set<std::string, std::less<>> known;
  for (const auto& point : sluice::crash::crash_points()) {
    const std::string at = point.at;
    known.insert(at.substr(0, at.find(':')));
  }
  const std::regex call{R"re(crash_point\("([^"]+)"\))re"};
  bool missing = false;
  for (const char* folder : {"storage", "daemon"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator{sources / folder}) {
      if (entry.path().extension() != ".cpp") continue;
      const std::string text = sluice::test::read_file(entry.path());
      for (std::sregex_iterator found{text.begin(), text.end(), call}, end; found != end; ++found) {
        const std::string name = (*found)[1];
        if (known.contains(name)) continue;
        std::printf("%-34s WRONG: not in the table\n", name.c_str());
        missing = true;
      }
    }
  }
  return missing;
}

}  // namespace

int main(int argc, char** argv) {
  std::string only;
  std::string sources;
  int rigs = 4;
  std::string sluice = std::string{SLUICE_BIN_DIR} + "/sluice";
  sluice::test::CommandLine line{
      "Lets the daemon die at each named point and compares what is left"};
  line.text("--only", only, "Points whose name has this in it");
  line.number("--rigs", rigs, "How many sites at a time", 1, 32);
  line.text("--sources", sources, "Also looks whether all points in them are in the table");
  line.text("--sluice", sluice, "The program under test, built with SLUICE_CRASH_POINTS");
  if (const auto status = line.parse(argc, argv)) return *status;
  std::vector<CrashPoint> points;
  for (const auto& point : sluice::crash::crash_points()) {
    if (std::string{point.at}.find(only) != std::string::npos) points.push_back(point);
  }
  Tally tally{std::move(points)};
  std::vector<std::thread> threads;
  for (int n = 0; n < rigs; ++n) threads.emplace_back([&] { tally.work(sluice); });
  for (auto& thread : threads) thread.join();
  const bool complete = sources.empty() || !report_missing(sources);
  const int result = tally.conclude();
  return result == 0 && !complete ? 1 : result;
}
