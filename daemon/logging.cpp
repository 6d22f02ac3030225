#include "daemon/logging.hpp"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/version.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "daemon/repeat_limit.hpp"

namespace sluice::daemon {

namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarning: return spdlog::level::warn;
    case LogLevel::kError: return spdlog::level::err;
  }
  return spdlog::level::err;
}

/// syslog's numbers.
std::string_view priority_of(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return "<7>";
    case LogLevel::kInfo: return "<6>";
    case LogLevel::kWarning: return "<4>";
    case LogLevel::kError: return "<3>";
  }
  return "<3>";
}

std::chrono::milliseconds steady_now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now().time_since_epoch());
}

/// A value with blanks or quotes in it is put in quotes, so that fields can be told apart.
std::string field_text(const LogField& field) {
  const bool bare =
      !field.value.empty() && field.value.find_first_of(" \"=\\") == std::string::npos;
  const std::string value =
      bare ? one_line(field.value)
           : '"' + printable(field.value, std::numeric_limits<std::size_t>::max()) + '"';
  return " " + std::string{field.name} + "=" + value;
}

class SpdlogLog final : public LeveledLog {
 public:
  explicit SpdlogLog(LoggingOptions options)
      : style_{options.style},
        clock_{options.clock ? std::move(options.clock) : steady_now},
        logger_{"sluice", sink_for(options.out)} {
    logger_.set_pattern(style_ == LogStyle::kPriority ? "%v" : "%Y-%m-%dT%H:%M:%S.%e%z %-7l %v");
    logger_.set_level(to_spdlog(options.level));
    // Whoever watches a log while the program dies wants its last line most.
    logger_.flush_on(spdlog::level::debug);
    // A log that cannot be written must not write about it on the same broken stream.
    logger_.set_error_handler([](const std::string&) {});
  }

  void write(LogLevel level, std::string_view message,
             std::initializer_list<LogField> fields) noexcept override {
    try {
      put(level, message, fields, 0);
    } catch (...) {  // out of memory: a lost line is better than a lost daemon
    }
  }

  void write_limited(std::string_view topic, LogLevel level, std::string_view message,
                     std::initializer_list<LogField> fields) noexcept override {
    try {
      if (!logger_.should_log(to_spdlog(level))) return;
      std::optional<std::uint64_t> held_back;
      {
        const std::lock_guard lock{mutex_};
        held_back = limit_.allow(topic, clock_());
      }
      if (held_back) put(level, message, fields, *held_back);
    } catch (...) {  // as above
    }
  }

  void set_level(LogLevel level) noexcept override { logger_.set_level(to_spdlog(level)); }

 private:
  static spdlog::sink_ptr sink_for(std::ostream* out) {
    if (out != nullptr) return std::make_shared<spdlog::sinks::ostream_sink_mt>(*out);
    return std::make_shared<spdlog::sinks::stderr_sink_mt>();
  }

  void put(LogLevel level, std::string_view message, std::initializer_list<LogField> fields,
           std::uint64_t held_back) {
    if (!logger_.should_log(to_spdlog(level))) return;
    std::string line;
    if (style_ == LogStyle::kPriority) line += priority_of(level);
    line += one_line(message);
    if (held_back != 0) line += " (and " + std::to_string(held_back) + " more like this)";
    for (const LogField& field : fields) line += field_text(field);
    logger_.log(to_spdlog(level), spdlog::string_view_t{line.data(), line.size()});
  }

  LogStyle style_;
  std::function<std::chrono::milliseconds()> clock_;
  spdlog::logger logger_;
  std::mutex mutex_;
  RepeatLimit limit_;  // guarded by mutex_
};

}  // namespace

LogStyle log_style_for(const char* value) {
  struct stat stream {};
  if (value == nullptr || ::fstat(STDERR_FILENO, &stream) != 0) return LogStyle::kPlain;
  const std::string ours = std::to_string(stream.st_dev) + ":" + std::to_string(stream.st_ino);
  return ours == value ? LogStyle::kPriority : LogStyle::kPlain;
}

std::unique_ptr<LeveledLog> make_log(LoggingOptions options) {
  return std::make_unique<SpdlogLog>(std::move(options));
}

std::string one_line(std::string_view text) {
  // printable() knows what is harmless, but quotes and backslashes are so in a log as well.
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\"\\"), text.size());
    out += printable(text.substr(0, end), std::numeric_limits<std::size_t>::max());
    if (end < text.size()) out += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string log_library() {
  return "spdlog " + std::to_string(SPDLOG_VER_MAJOR) + "." + std::to_string(SPDLOG_VER_MINOR) +
         "." + std::to_string(SPDLOG_VER_PATCH);
}

}  // namespace sluice::daemon
