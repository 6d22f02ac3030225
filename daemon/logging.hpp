// The daemon's Log: lines on standard error, in the form that whoever reads them expects.
//
// Under systemd each line begins with a priority ("<4>…", sd-daemon(3)) and has no time, since the
// journal has its own; elsewhere lines have a time and a level. Thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include "pipeline/base/log.hpp"

namespace sluice::daemon {

enum class LogStyle : std::uint8_t {
  kPriority,  ///< "<6>sentence name=value"
  kPlain,     ///< "2024-08-08T12:00:00.000+02:00 info    sentence name=value"
};

struct LoggingOptions {
  LogLevel level{LogLevel::kInfo};
  LogStyle style{LogStyle::kPlain};
  std::ostream* out{nullptr};  ///< instead of standard error; must outlive the log
  /// Time for write_limited, from any start; for tests.
  std::function<std::chrono::milliseconds()> clock{};
};

/// A log that can be told how much to say while it runs.
class LeveledLog : public Log {
 public:
  virtual void set_level(LogLevel level) noexcept = 0;
};

/// Whether standard error goes to the journal, by $JOURNAL_STREAM as systemd sets it. `value` is
/// that variable or nullptr; it names the device and inode that standard error must be.
LogStyle log_style_for(const char* value);

std::unique_ptr<LeveledLog> make_log(LoggingOptions options);

/// One line's worth of text: control characters and what is not UTF-8 as \xNN, nothing cut.
std::string one_line(std::string_view text);

/// "spdlog 1.10.0"
std::string log_library();

}  // namespace sluice::daemon
