// A Log that keeps what was said, for tests that look at it or do not want to see it.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "pipeline/base/log.hpp"

namespace sluice::test {

/// Any thread.
class QuietLog final : public Log {
 public:
  void write(LogLevel, std::string_view message,
             std::initializer_list<LogField>) noexcept override {
    const std::lock_guard lock{mutex_};
    lines_.emplace_back(message);
  }
  void write_limited(std::string_view, LogLevel level, std::string_view message,
                     std::initializer_list<LogField> fields) noexcept override {
    write(level, message, fields);
  }
  std::vector<std::string> lines() const {
    const std::lock_guard lock{mutex_};
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

}  // namespace sluice::test
