// The one way library code speaks: a small interface that the daemon implements with spdlog.
//
// pipeline/, storage/ and plugins/ own no logging library. Implementations are thread-safe.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace sluice {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

/// One named value beside the sentence, for structured logs. The log escapes it, so text from
/// outside goes in as it is, maybe as an `excerpt()`: printable() would escape it twice.
struct LogField {
  std::string_view name;
  std::string value;
};

class Log {
 public:
  virtual ~Log() = default;

  /// Writes one line. `message` is a sentence that names the object and, for faults, the cure.
  /// Text from outside must go through `printable()` first. Never throws, never blocks for long.
  virtual void write(LogLevel level, std::string_view message,
                     std::initializer_list<LogField> fields = {}) noexcept = 0;

  /// Like write, but at most once a minute for each `topic` (a constant name of the event, with
  /// the object's name where one matters); the next line that does go out says how many did not.
  virtual void write_limited(std::string_view topic, LogLevel level, std::string_view message,
                             std::initializer_list<LogField> fields = {}) noexcept = 0;

  void debug(std::string_view m) noexcept { write(LogLevel::kDebug, m); }
  void info(std::string_view m) noexcept { write(LogLevel::kInfo, m); }
  void warning(std::string_view m) noexcept { write(LogLevel::kWarning, m); }
  void error(std::string_view m) noexcept { write(LogLevel::kError, m); }
};

/// Outside text made safe for a sentence, whether that goes into a log line or anywhere else: cut
/// to `limit` bytes (on a character), control characters, quotes, backslashes and bytes that are
/// not UTF-8 as \xNN, "…" where something was cut.
std::string printable(std::string_view text, std::size_t limit = 80);

/// Outside text as it is, cut to `limit` bytes (on a character), "…" where something was cut. For
/// what escapes by itself: the values of JSON and of LogField.
std::string excerpt(std::string_view text, std::size_t limit = 80);

}  // namespace sluice
