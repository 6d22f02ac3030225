#include "daemon/subscription_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "storage/file.hpp"

namespace sluice::daemon {

std::vector<std::string> SubscriptionMemory::begin(std::vector<std::string> current) {
  current_ = std::move(current);
  former_.clear();
  std::string text;
  if (::access(path_.c_str(), F_OK) == 0) {
    if (auto content = storage::read_file(path_)) {
      text = std::move(*content);
    } else {
      log_.warning("former subscriptions are not taken back: " + content.error().message());
    }
  }
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || std::find(current_.begin(), current_.end(), line) != current_.end())
      continue;
    former_.push_back(line);
  }
  // Before the broker hears of the new ones: whoever dies in between must still know them.
  write();
  return former_;
}

void SubscriptionMemory::keep(const std::vector<std::string>& former) {
  if (former == former_) return;
  former_ = former;
  write();
}

void SubscriptionMemory::write() const {
  std::string text;
  for (const auto* filters : {&current_, &former_}) {
    for (const std::string& filter : *filters) {
      if (filter.find('\n') == std::string::npos) text += filter + "\n";
    }
  }
  if (const auto before = storage::read_file(path_); before && *before == text) return;
  if (auto status = storage::write_file(path_, text); !status) {
    log_.warning(
        "a subscription that is taken out of the configuration later may stay at the "
        "broker: " +
        status.error().message());
  }
}

}  // namespace sluice::daemon
