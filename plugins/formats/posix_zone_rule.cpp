#include "plugins/formats/posix_zone_rule.hpp"

#include <chrono>
#include <string>

#include "pipeline/base/log.hpp"

namespace sluice::formats {

namespace {

using std::chrono::sys_days;

constexpr std::int64_t kDay = 86'400;

std::int64_t days(std::chrono::year_month_day date) {
  return sys_days{date}.time_since_epoch().count();
}

std::chrono::year as_year(std::int64_t year) { return std::chrono::year{static_cast<int>(year)}; }

std::int64_t floor_days(std::int64_t seconds) {
  return seconds >= 0 ? seconds / kDay : -((-seconds + kDay - 1) / kDay);
}

}  // namespace

/// Takes the text apart from the left; after a failure nothing more is taken.
class PosixZoneRule::Reader {
 public:
  explicit Reader(std::string_view text) : rest_{text} {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  bool next_is(char c) const { return !rest_.empty() && rest_.front() == c; }

  bool take(char c) {
    if (!next_is(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) { ok_ = take(c) && ok_; }

  void name() {
    std::size_t length = 0;
    if (take('<')) {
      length = rest_.find('>');
      if (length == std::string_view::npos) return fail();
      rest_.remove_prefix(length + 1);
      return;
    }
    while (length < rest_.size() && is_letter(rest_[length])) ++length;
    if (length < 3) return fail();
    rest_.remove_prefix(length);
  }

  int number(int lowest, int highest) {
    int value = 0;
    std::size_t length = 0;
    while (length < rest_.size() && length < 4 && is_digit(rest_[length])) {
      value = value * 10 + (rest_[length] - '0');
      ++length;
    }
    rest_.remove_prefix(length);
    if (length == 0 || value < lowest || value > highest) fail();
    return value;
  }

  /// [+-]h[h[h]][:mm[:ss]]
  std::int32_t time() {
    const bool negative = take('-');
    if (!negative) take('+');
    std::int32_t seconds = number(0, 167) * 3600;
    if (take(':')) seconds += number(0, 59) * 60;
    if (take(':')) seconds += number(0, 59);
    return negative ? -seconds : seconds;
  }

  Change change() {
    Change result;
    expect(',');
    if (take('M')) {
      result.kind = Change::Kind::kWeekday;
      result.month = number(1, 12);
      expect('.');
      result.week = number(1, 5);
      expect('.');
      result.day = number(0, 6);
    } else if (take('J')) {
      result.kind = Change::Kind::kJulian;
      result.day = number(1, 365);
    } else {
      result.kind = Change::Kind::kDayOfYear;
      result.day = number(0, 365);
    }
    if (take('/')) result.second = time();
    return result;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
  void fail() { ok_ = false; }

  std::string_view rest_;
  bool ok_{true};
};

Result<PosixZoneRule> PosixZoneRule::parse(std::string_view text) {
  Reader reader{text};
  PosixZoneRule rule;
  reader.name();
  // POSIX counts west of Greenwich as positive; everybody else, and offset_at, the other way.
  rule.standard_ = -reader.time();
  rule.summer_ = rule.standard_;
  if (reader.ok() && !reader.at_end()) {
    rule.has_summer_ = true;
    reader.name();
    rule.summer_ = reader.next_is(',') ? rule.standard_ + 3600 : -reader.time();
    rule.begin_ = reader.change();
    rule.end_ = reader.change();
  }
  if (!reader.ok() || !reader.at_end()) {
    return Error{ErrorCode::kInvalid, "not a time zone rule: \"" + printable(text) + "\""};
  }
  return rule;
}

std::int64_t PosixZoneRule::local_second(const Change& change, std::int64_t year) {
  const std::chrono::year y = as_year(year);
  std::int64_t day = days(y / 1 / 1);
  switch (change.kind) {
    case Change::Kind::kDayOfYear: day += change.day; break;
    case Change::Kind::kJulian:
      // Counts as if there were no 29 February.
      day += change.day - 1 + (y.is_leap() && change.day >= 60 ? 1 : 0);
      break;
    case Change::Kind::kWeekday: {
      const std::chrono::weekday weekday{static_cast<unsigned>(change.day)};
      const auto month = y / change.month;
      day = change.week == 5
                ? sys_days{month / weekday[std::chrono::last]}.time_since_epoch().count()
                : sys_days{month / weekday[static_cast<unsigned>(change.week)]}
                      .time_since_epoch()
                      .count();
      break;
    }
  }
  return day * kDay + change.second;
}

std::int32_t PosixZoneRule::offset_at(std::int64_t utc_seconds) const {
  if (!has_summer_) return standard_;
  const std::int64_t local_day = floor_days(utc_seconds + standard_);
  const sys_days date{std::chrono::days{static_cast<int>(local_day)}};
  const auto year = std::int64_t{int{std::chrono::year_month_day{date}.year()}};
  const std::int64_t begin = local_second(begin_, year) - standard_;
  const std::int64_t end = local_second(end_, year) - summer_;
  // South of the equator, summer goes over the turn of the year.
  const bool summer = begin < end ? begin <= utc_seconds && utc_seconds < end
                                  : !(end <= utc_seconds && utc_seconds < begin);
  return summer ? summer_ : standard_;
}

}  // namespace sluice::formats
