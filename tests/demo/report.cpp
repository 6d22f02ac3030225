#include "tests/demo/report.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tests/demo/lines.hpp"

namespace sluice::demo {
namespace {

constexpr std::size_t kGaugeWidth = 16;

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); }

bool close(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return close(x, y); });
}

std::multiset<AlertKey> foreseeable(const Heard& heard) {
  std::multiset<AlertKey> keys;
  for (const Alert& alert : heard.alerts())
    if (alert.key.monitor != "quiet") keys.insert(alert.key);
  return keys;
}

std::string list_text(const std::vector<double>& levels) {
  std::string text;
  for (const double level : levels) text += right_aligned(level_text(level), 8);
  return text;
}

template <class Predicate>
std::int64_t count_alerts(const Heard& heard, Predicate predicate) {
  return std::count_if(heard.alerts().begin(), heard.alerts().end(), predicate);
}

class Checks {
 public:
  explicit Checks(Screen& screen) : screen_{screen} {}
  void that(bool ok, const std::string& text) {
    screen_.check(ok, text);
    all_right_ = all_right_ && ok;
  }
  bool all_right() const { return all_right_; }

 private:
  Screen& screen_;
  bool all_right_{true};
};

void tell_differences(Screen& screen, const Record& record, const std::multiset<AlertKey>& from,
                      const std::multiset<AlertKey>& to, const char* words) {
  std::vector<AlertKey> difference;
  std::set_difference(from.begin(), from.end(), to.begin(), to.end(),
                      std::back_inserter(difference));
  for (const AlertKey& key : difference)
    screen.line(std::string{"      "} + words + ": " + key.monitor + ", " + key.sensor + ", " +
                    key.state + ", " + day_text(key.time, record.zone) + " " +
                    clock_text(key.time, record.zone),
                Tone::kRed);
}

void check_alerts(Checks& checks, Screen& screen, const Record& record, const Expectation& expected,
                  const Heard& heard) {
  const auto came = foreseeable(heard);
  checks.that(alerts_agree(expected, heard),
              counted(static_cast<std::int64_t>(came.size())) + " alerts, of " +
                  counted(static_cast<std::int64_t>(expected.alerts().size())) +
                  " worked out beforehand: none missing, none more, none twice");
  tell_differences(screen, record, expected.alerts(), came, "missing");
  tell_differences(screen, record, came, expected.alerts(), "not foreseen");
  const auto floods = count_alerts(heard, [](const Alert& alert) {
    return alert.key.monitor == "flood" && alert.key.state == "active";
  });
  const auto pushed = count_alerts(heard, [](const Alert& alert) {
    return alert.key.monitor == "flood" && alert.key.state == "active" && alert.setting > 0;
  });
  checks.that(pushed > 0, "flood alarms: " + counted(floods) +
                              ", by a limit that was pushed while it ran: " + counted(pushed));
  if (record.quiet_until) {
    const auto quiet =
        count_alerts(heard, [](const Alert& alert) { return alert.key.monitor == "quiet"; });
    checks.that(quiet > 0, "the gauge that fell silent was missed");
  }
  if (heard.repeated() > 0)
    screen.line(
        "    " + counted(heard.repeated()) + " alerts came again after the kill, with the same ids",
        Tone::kFaint);
}

void check_days(Checks& checks, const Record& record, const Heard& heard) {
  for (const std::string& day : record.alert_days) {
    const auto that_day = count_alerts(heard, [&](const Alert& alert) {
      return alert.key.monitor == "flood" && alert.key.state == "active" &&
             day_text(alert.key.time, record.zone) == day;
    });
    checks.that(that_day > 0, "the surge of " + day + " raised alarms: " + counted(that_day));
  }
  if (record.alert_days.empty()) return;
  const auto old = count_alerts(
      heard, [&](const Alert& alert) { return day_text(alert.key.time, record.zone) < "2001"; });
  checks.that(old == 0, "no alert is dated 2000");
  checks.that(heard.rejected_for("bad-time") == heard.rejected(),
              counted(heard.rejected_for("bad-time")) + " readings with a reset clock are refused");
}

}  // namespace

bool values_agree(const Expectation& expected, const Heard& heard) {
  for (const auto& [sensor, gauge] : expected.gauges()) {
    const auto found = heard.gauges().find(sensor);
    if (found == heard.gauges().end()) return false;
    if (!close(found->second.mean, gauge.mean()) || !close(found->second.peaks, gauge.highest))
      return false;
  }
  return true;
}

bool alerts_agree(const Expectation& expected, const Heard& heard) {
  return foreseeable(heard) == expected.alerts();
}

void show_continuity(Screen& screen, const Record& record, const Heard& before, const Heard& after,
                     const Expectation& expected) {
  const auto row = [&](const std::string& what, const std::string& was, const std::string& is,
                       bool right) {
    screen.line("    " + padded(what, 24) + right_aligned(was, 26) + right_aligned(is, 26) + "  " +
                (right ? "✓" : "✗"));
  };
  screen.line("    " + padded("", 24) + right_aligned("before the kill", 26) +
                  right_aligned("after the restart", 26),
              Tone::kFaint);
  row("readings", counted(before.readings()), counted(after.readings()),
      after.readings() == expected.readings());
  for (const std::string& sensor : record.sensors) {
    const auto was = before.gauges().find(sensor);
    const auto is = after.gauges().find(sensor);
    const auto right = expected.gauges().find(sensor);
    if (was == before.gauges().end() || is == after.gauges().end() ||
        right == expected.gauges().end())
      continue;
    row(sensor + " mean", level_text(was->second.mean), level_text(is->second.mean),
        close(is->second.mean, right->second.mean()));
    row(sensor + " top 3", list_text(was->second.peaks), list_text(is->second.peaks),
        close(is->second.peaks, right->second.highest));
  }
}

void show_alert_days(Screen& screen, const Record& record, const Heard& heard) {
  std::map<std::string, std::map<std::string, std::int64_t>> days;
  for (const Alert& alert : heard.alerts())
    if (alert.key.monitor == "flood" && alert.key.state == "active")
      ++days[day_text(alert.key.time, record.zone)][alert.key.sensor];
  screen.heading("Flood alarms by day");
  std::string head = padded("    day", 16);
  for (const std::string& sensor : record.sensors) head += right_aligned(sensor, kGaugeWidth);
  screen.line(head, Tone::kFaint);
  for (const auto& [day, sensors] : days) {
    std::string text = padded("    " + day, 16);
    for (const std::string& sensor : record.sensors) {
      const auto count = sensors.find(sensor);
      text += right_aligned(count == sensors.end() ? "" : counted(count->second), kGaugeWidth);
    }
    screen.line(text);
  }
}

bool check_all(Screen& screen, const Record& record, const Expectation& expected,
               const Heard& heard) {
  Checks checks{screen};
  checks.that(heard.readings() == expected.readings(),
              counted(heard.readings()) + " readings, of " + counted(expected.readings()) +
                  " sent: none lost, none counted twice, over kill -9 and restart");
  checks.that(values_agree(expected, heard), "means and top threes are what they should be");
  check_alerts(checks, screen, record, expected, heard);
  checks.that(heard.rejected() == expected.rejected(),
              counted(heard.rejected()) + " payloads of " + counted(expected.rejected()) +
                  " that are no readings: refused and reported");
  check_days(checks, record, heard);
  return checks.all_right();
}

}  // namespace sluice::demo
