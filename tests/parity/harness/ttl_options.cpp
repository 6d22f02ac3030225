#include <sstream>
#include <stdexcept>

#include "tests/parity/harness/catalog.hpp"

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

void add_cleanup(TtlConfig& config, const std::string& cleanup) {
  const std::string incremental = "incremental:";
  if (cleanup == "full") {
    config.cleanup_full_snapshot = true;
  } else if (cleanup.starts_with(incremental)) {
    const auto colon = cleanup.find(':', incremental.size());
    config.cleanup_size =
        static_cast<std::uint32_t>(std::stoul(cleanup.substr(incremental.size())));
    config.cleanup_every_record = cleanup.substr(colon + 1) == "true";
  } else if (cleanup != "default" && cleanup != "none") {
    throw std::invalid_argument{"unknown cleanup " + cleanup};
  }
}

}  // namespace

TtlConfig ttl_of(const Json& options) {
  TtlConfig config;
  config.ttl = Duration{as_long(options, "ms")};
  if (options.contains("update")) config.update = update_of(options["update"]);
  if (options.contains("visibility")) config.visibility = visibility_of(options["visibility"]);
  const std::string text = options.value("cleanup", "default");
  // "none" turns off what is on by default, not what is asked for beside it (TTL-14).
  if (text.find("none") != std::string::npos) config.cleanup_size = 0;
  std::istringstream cleanups{text};
  for (std::string cleanup; std::getline(cleanups, cleanup, '+');) add_cleanup(config, cleanup);
  return config;
}

}  // namespace sluice::parity
