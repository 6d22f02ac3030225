// Topic filters by the rules of MQTT (4.7 in both 3.1.1 and 5): which topics a filter takes, and
// what is a filter or a topic at all. Pure functions; TopicFilter is immutable, any thread.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/base/result.hpp"

namespace sluice::mqtt {

/// Fails with a sentence for what no broker would take as a filter: empty, over 65,535 bytes, NUL,
/// not UTF-8, "#" not last or not alone in its level, "+" not alone in its level, and a
/// "$share/group/filter" without group or filter.
Status check_filter(std::string_view filter);

/// The same for a topic to publish on: a filter's rules, and no wildcards.
Status check_topic(std::string_view topic);

/// One filter, ready to be asked for every message.
class TopicFilter {
 public:
  /// `text` has passed check_filter. "$share/group/" in front is dropped: it says how messages are
  /// shared, not which.
  explicit TopicFilter(std::string_view text);

  /// Wildcards at the start do not take topics that begin with "$". Empty levels are levels, and
  /// "a/#" takes "a". Allocates nothing.
  bool matches(std::string_view topic) const;

  /// Without the "$share/group/".
  const std::string& pattern() const { return pattern_; }

 private:
  std::string pattern_;
  bool plain_;  ///< no wildcards: compared as a whole
};

/// Whether some topic could match both. May say yes where none does, never no where one does.
bool overlap(const TopicFilter& a, const TopicFilter& b);

}  // namespace sluice::mqtt
