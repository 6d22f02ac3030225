#include "plugins/mqtt/topic_filter.hpp"

#include <algorithm>

#include "pipeline/base/log.hpp"
#include "pipeline/base/utf8.hpp"

namespace sluice::mqtt {
namespace {

constexpr std::string_view kShare = "$share/";
constexpr std::size_t kLongest = 65'535;  // the length field on the wire has 16 bits

Error invalid(std::string_view what, std::string_view text, std::string_view why) {
  return Error{ErrorCode::kInvalid,
               std::string{what} + " \"" + printable(text) + "\" " + std::string{why}};
}

Status check_text(std::string_view what, std::string_view text) {
  if (text.empty()) return invalid(what, text, "is empty: it needs at least one character");
  if (text.size() > kLongest) return invalid(what, text, "is longer than 65535 bytes");
  if (text.find('\0') != std::string_view::npos)
    return invalid(what, text, "holds a NUL character, which MQTT does not allow");
  if (!is_utf8(text)) return invalid(what, text, "is not valid UTF-8");
  return Status::ok();
}

Status check_wildcards(std::string_view filter, std::string_view whole) {
  for (std::size_t begin = 0; begin <= filter.size();) {
    const std::size_t slash = filter.find('/', begin);
    const bool last = slash == std::string_view::npos;
    const std::string_view level = filter.substr(begin, last ? slash : slash - begin);
    if (level.find('#') != std::string_view::npos && (level != "#" || !last))
      return invalid("topic filter", whole, "may have \"#\" only as its last level, alone");
    if (level.find('+') != std::string_view::npos && level != "+")
      return invalid("topic filter", whole, "may have \"+\" only alone between slashes");
    if (last) break;
    begin = slash + 1;
  }
  return Status::ok();
}

std::string_view without_share(std::string_view filter) {
  if (!filter.starts_with(kShare)) return filter;
  const std::size_t slash = filter.find('/', kShare.size());
  return slash == std::string_view::npos ? filter : filter.substr(slash + 1);
}

}  // namespace

Status check_filter(std::string_view filter) {
  SLUICE_RETURN_IF_ERROR(check_text("topic filter", filter));
  if (filter.starts_with(kShare)) {
    const std::string_view rest = filter.substr(kShare.size());
    const std::size_t slash = rest.find('/');
    const std::string_view group = rest.substr(0, slash);
    if (slash == std::string_view::npos || group.empty() || slash + 1 == rest.size() ||
        group.find_first_of("+#") != std::string_view::npos)
      return invalid("topic filter", filter,
                     "is no shared subscription: write \"$share/<group>/<filter>\"");
  }
  return check_wildcards(without_share(filter), filter);
}

Status check_topic(std::string_view topic) {
  SLUICE_RETURN_IF_ERROR(check_text("topic", topic));
  if (topic.find_first_of("+#") != std::string_view::npos)
    return invalid("topic", topic, "holds \"+\" or \"#\": one can subscribe to these, not publish");
  return Status::ok();
}

TopicFilter::TopicFilter(std::string_view text)
    : pattern_{without_share(text)}, plain_{pattern_.find_first_of("+#") == std::string::npos} {}

bool TopicFilter::matches(std::string_view topic) const {
  if (plain_) return topic == pattern_;
  const std::string_view filter = pattern_;
  // Wildcards must not reach into $SYS and its like by accident.
  if (topic.starts_with('$') && (filter.front() == '+' || filter.front() == '#')) return false;

  std::size_t f = 0;
  std::size_t t = 0;
  while (true) {
    if (f < filter.size() && filter[f] == '#') return true;
    if (f < filter.size() && filter[f] == '+') {
      ++f;
      while (t < topic.size() && topic[t] != '/') ++t;
    } else {
      while (f < filter.size() && filter[f] != '/') {
        if (t == topic.size() || topic[t] != filter[f]) return false;
        ++f;
        ++t;
      }
    }
    // Both stand at the end of a level now, or the topic's level is longer than the filter's.
    if (t == topic.size()) return f == filter.size() || filter.substr(f) == "/#";
    if (f == filter.size() || topic[t] != '/') return false;
    ++f;
    ++t;
  }
}

bool overlap(const TopicFilter& a, const TopicFilter& b) {
  std::string_view left = a.pattern();
  std::string_view right = b.pattern();
  while (true) {
    const std::size_t left_end = std::min(left.find('/'), left.size());
    const std::size_t right_end = std::min(right.find('/'), right.size());
    const std::string_view one = left.substr(0, left_end);
    const std::string_view other = right.substr(0, right_end);
    if (one == "#" || other == "#") return true;
    if (one != other && one != "+" && other != "+") return false;
    const bool left_done = left_end == left.size();
    const bool right_done = right_end == right.size();
    // "a/#" takes "a" too.
    if (left_done) return right_done || right.substr(right_end) == "/#";
    if (right_done) return left.substr(left_end) == "/#";
    left.remove_prefix(left_end + 1);
    right.remove_prefix(right_end + 1);
  }
}

}  // namespace sluice::mqtt
