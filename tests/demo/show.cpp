#include "tests/demo/show.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>
#include <thread>

#include "tests/demo/heard.hpp"
#include "tests/demo/lines.hpp"
#include "tests/demo/report.hpp"
#include "tests/demo/screen.hpp"
#include "tests/demo/site.hpp"

namespace sluice::demo {
namespace {

constexpr std::int64_t kRejectedShown = 4;

class Show {
 public:
  Show(const std::filesystem::path& sluice, const Record& record)
      : record_{record},
        expected_{record},
        site_{sluice, record, [this](const test::ProbeMessage& message) { tell(message); }} {}

  bool run();

 private:
  void begin();
  void play(std::size_t begin, std::size_t end);
  void push_limits(std::size_t at);
  void add_to_table(std::size_t at, const Sample& sample);
  void kill_and_restart();
  bool finish();
  void show_checkpoint();
  void tell(const test::ProbeMessage& message);
  bool caught_up() const;

  const Record& record_;
  Screen screen_;
  Expectation expected_;
  Heard heard_;
  Site site_;
  std::size_t next_push_{0};
  bool daemon_up_{false};
  bool quiet_heard_{false};
  std::map<std::string, double> levels_;  // the highest of each gauge since the last table line
  std::string now_;                       // the record's time, for the lines
};

std::string when(std::int64_t time, const std::string& zone) {
  return day_text(time, zone).substr(5) + " " + clock_text(time, zone);
}

bool Show::run() {
  begin();
  play(0, record_.outage_begin);
  kill_and_restart();
  play(record_.outage_end, record_.samples.size());
  return finish();
}

void Show::begin() {
  screen_.heading(record_.title);
  screen_.line("A private broker on 127.0.0.1:" + std::to_string(site_.port()) +
               ", the daemon with a data folder of its own.");
  site_.start_daemon();
  daemon_up_ = true;
  screen_.heading(counted(static_cast<std::int64_t>(record_.samples.size())) + " messages on " +
                  record_.topic);
  screen_.table_head(record_.sensors, record_.unit);
}

void Show::play(std::size_t begin, std::size_t end) {
  auto due = std::chrono::steady_clock::now();
  for (std::size_t i = begin; i < end; ++i) {
    const Sample& sample = record_.samples[i];
    if (sample.fate == Fate::kReading) now_ = when(sample.time, record_.zone);
    push_limits(i);
    // The silence is over when it has been noticed, however slow this machine is.
    if (record_.quiet_until == i) site_.listen_until([&] { return quiet_heard_; });
    site_.send(sample.topic, sample.payload);
    expected_.take(sample);
    site_.listen();
    // Of rejected payloads the newest is published, should they come faster than they can go out.
    if (sample.fate == Fate::kRejected && daemon_up_)
      site_.listen_until([&] { return heard_.rejected() >= expected_.rejected(); });
    add_to_table(i, sample);
    due += std::chrono::microseconds{record_.pause_us};
    std::this_thread::sleep_until(due);
  }
}

void Show::add_to_table(std::size_t at, const Sample& sample) {
  if (at < record_.rows_from) return;
  if (sample.fate == Fate::kReading) {
    double& highest = levels_.try_emplace(sample.sensor, sample.level).first->second;
    highest = std::max(highest, sample.level);
  }
  if (at % record_.row_every != record_.row_every - 1) return;
  screen_.table_row(now_, levels_);
  levels_.clear();
}

void Show::push_limits(std::size_t at) {
  for (; next_push_ < record_.pushes.size() && record_.pushes[next_push_].before == at;
       ++next_push_) {
    const Push& push = record_.pushes[next_push_];
    std::ostringstream payload;
    payload << "{\"above\": " << push.above << "}";
    const std::string target = "config/flood" + (push.sensor.empty() ? "" : "/" + push.sensor);
    screen_.event("»", now_, "operator", push.why, Tone::kCyan);
    site_.set("sluice/demo/" + target, payload.str());
    expected_.take(push);
    const auto wanted = static_cast<std::int64_t>(next_push_) + 1;
    site_.listen_until([&] { return heard_.settings_accepted() >= wanted; });
  }
}

bool Show::caught_up() const {
  return heard_.readings() == expected_.readings() && values_agree(expected_, heard_);
}

void Show::kill_and_restart() {
  using Clock = std::chrono::steady_clock;
  screen_.heading("kill -9");
  const Heard before = heard_;
  site_.kill_daemon();
  daemon_up_ = false;
  site_.listen();
  screen_.line("The daemon is gone; the gauges know nothing of it and go on.");
  play(record_.outage_begin, record_.outage_end);

  screen_.heading("Restart on the same data folder");
  const auto start = Clock::now();
  site_.start_daemon();
  daemon_up_ = true;
  const bool caught_up = site_.listen_until([&] { return this->caught_up(); });
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
  screen_.line("Checkpoint, journal, and what the broker had kept: " +
               (caught_up ? "caught up after " + std::to_string(took.count()) + " ms."
                          : std::string{"not caught up."}));
  show_continuity(screen_, record_, before, heard_, expected_);
  screen_.line("");
  screen_.table_head(record_.sensors, record_.unit);
}

bool Show::finish() {
  site_.listen_until([&] {
    return caught_up() && heard_.rejected() >= expected_.rejected() &&
           alerts_agree(expected_, heard_);
  });
  const bool stopped = site_.stop_daemon();
  daemon_up_ = false;
  site_.listen();

  show_alert_days(screen_, record_, heard_);
  show_checkpoint();
  screen_.heading("Was it right?");
  bool all_right = check_all(screen_, record_, expected_, heard_);
  screen_.check(stopped, "the daemon stopped when it was told to, with a final checkpoint");
  all_right = all_right && stopped;
  if (!all_right) screen_.line("\nThe daemon's log:\n" + site_.daemon_log(), Tone::kFaint);
  return all_right;
}

void Show::show_checkpoint() {
  const std::string query =
      "select key, value from state_view where operator = 'mean' and state = 'mean'";
  screen_.heading("sqlite3 sluice.db \"" + query + "\"");
  test::Process sqlite{{.program = "sqlite3",
                        .arguments = {"-readonly", "-separator", "   ",
                                      (site_.data_dir() / "sluice.db").string(), query},
                        .environment = {},
                        .folder = {}}};
  sqlite.wait();
  const std::string rows = sqlite.output();
  for (const std::string_view row : lines_of(rows)) screen_.line("    " + std::string{row});
}

void Show::tell(const test::ProbeMessage& message) {
  switch (heard_.take(message)) {
    case Heard::News::kAlert: {
      const Alert& alert = heard_.alerts().back();
      const AlertKey& key = alert.key;
      quiet_heard_ = quiet_heard_ || key.monitor == "quiet";
      const bool begins = key.state == "active";
      const bool ends = key.state == "cleared";
      // A silence is dated by the clock on the wall, which is not that of the record.
      const bool by_wall = key.monitor == "quiet";
      screen_.event(begins ? "▲"
                    : ends ? "▼"
                           : "◆",
                    by_wall ? now_ : when(key.time, record_.zone), key.monitor, alert.text,
                    begins ? Tone::kRed
                    : ends ? Tone::kGreen
                           : Tone::kYellow);
      break;
    }
    case Heard::News::kSetting:
      screen_.event("«", now_, "setting", heard_.last(), Tone::kCyan);
      break;
    case Heard::News::kRejected:
      if (heard_.rejected() <= kRejectedShown)
        screen_.event("✗", now_, "rejected", heard_.last(), Tone::kYellow);
      if (heard_.rejected() == kRejectedShown)
        screen_.event("✗", now_, "rejected", "… more of them are only counted", Tone::kYellow);
      break;
    case Heard::News::kStatus:
      screen_.event("○", now_, "status", heard_.last(), Tone::kFaint);
      break;
    case Heard::News::kNothing: break;
  }
}

}  // namespace

bool show(const std::filesystem::path& sluice, const Record& record) {
  return Show{sluice, record}.run();
}

}  // namespace sluice::demo
