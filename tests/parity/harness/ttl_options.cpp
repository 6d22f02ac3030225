#include <cctype>
#include <sstream>
#include <stdexcept>

#include "tests/parity/harness/catalog.hpp"
#include "tests/parity/jobs/whole_number.hpp"

namespace sluice::parity {

namespace {

TtlConfig::Update update_of(const std::string& name) {
  if (name == "Disabled") return TtlConfig::Update::kDisabled;
  if (name == "OnCreateAndWrite") return TtlConfig::Update::kOnCreateAndWrite;
  if (name == "OnReadAndWrite") return TtlConfig::Update::kOnReadAndWrite;
  throw std::invalid_argument{"unknown update type " + name};
}

TtlConfig::Visibility visibility_of(const std::string& name) {
  if (name == "NeverReturnExpired") return TtlConfig::Visibility::kNeverReturnExpired;
  if (name == "ReturnExpiredIfNotCleanedUp") {
    return TtlConfig::Visibility::kReturnExpiredIfNotCleanedUp;
  }
  throw std::invalid_argument{"unknown visibility " + name};
}

/// As Java's Boolean.parseBoolean; what follows a further colon does not count.
bool is_true(std::string text) {
  text = text.substr(0, text.find(':'));
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text == "true";
}

void add_cleanup(TtlConfig& config, const std::string& cleanup) {
  const std::string incremental = "incremental:";
  if (cleanup == "full") {
    config.cleanup_full_snapshot = true;
  } else if (cleanup.starts_with(incremental)) {
    const auto colon = cleanup.find(':', incremental.size());
    if (colon == std::string::npos) throw std::invalid_argument{"incomplete: " + cleanup};
    const auto size = parse_int(cleanup.substr(incremental.size(), colon - incremental.size()));
    if (!size || *size <= 0) throw std::invalid_argument{"no size of a clean-up: " + cleanup};
    config.cleanup_size = static_cast<std::uint32_t>(*size);
    config.cleanup_every_record = is_true(cleanup.substr(colon + 1));
  } else if (cleanup != "default" && cleanup != "none") {
    throw std::invalid_argument{"unknown cleanup " + cleanup};
  }
}

}  // namespace

TtlConfig ttl_of(const Json& options) {
  TtlConfig config;
  config.ttl = Duration{as_long(options, "ms")};
  if (options.contains("update")) config.update = update_of(as_text(options, "update"));
  if (options.contains("visibility")) {
    config.visibility = visibility_of(as_text(options, "visibility"));
  }
  const Json& cleanup_option = member(options, "cleanup");
  const std::string text = cleanup_option.is_null() ? "default" : as_text(cleanup_option);
  // "none" turns off what is on by default, not what is asked for beside it (TTL-14).
  if (text.find("none") != std::string::npos) config.cleanup_size = 0;
  std::istringstream cleanups{text};
  for (std::string cleanup; std::getline(cleanups, cleanup, '+');) add_cleanup(config, cleanup);
  // Flink builds no such configuration; here one that is disabled may leave its time out.
  if (config.update == TtlConfig::Update::kDisabled && config.ttl.count() <= 0) {
    throw std::invalid_argument{"a time-to-live must be positive (TTL-22)"};
  }
  return config;
}

}  // namespace sluice::parity
