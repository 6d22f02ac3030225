// A catalog with few options, so that these tests do not change with the real formats and kinds.
#pragma once

#include <array>
#include <string>

#include "daemon/config/catalog.hpp"

namespace sluice::daemon {

inline constexpr std::array kFakeJson{
    OptionSpec{.name = "sensor",
               .type = OptionType::kText,
               .help = "where the sensor stands",
               .fallback = "topic:1"},
    OptionSpec{.name = "level",
               .type = OptionType::kText,
               .help = "where the level stands",
               .required = true},
    OptionSpec{.name = "scale",
               .type = OptionType::kNumber,
               .help = "what levels are multiplied by",
               .fallback = "1"},
    OptionSpec{.name = "invalid",
               .type = OptionType::kTextList,
               .help = "texts that mean there is no reading"},
};
inline constexpr std::array kFakeText{
    OptionSpec{.name = "sensor",
               .type = OptionType::kText,
               .help = "where the sensor stands",
               .fallback = "topic:1"},
};
inline constexpr std::array kFakeDelta{
    OptionSpec{.name = "limit",
               .type = OptionType::kNumber,
               .help = "the largest step that is no alert",
               .fallback = "10",
               .minimum = 0,
               .unit = "cm"},
    OptionSpec{.name = "per",
               .type = OptionType::kDuration,
               .help = "the time in which that step may happen",
               .minimum = 1000,
               .maximum = 86'400'000},
};
inline constexpr std::array kFakeTop{
    OptionSpec{.name = "count",
               .type = OptionType::kInteger,
               .help = "how many levels to keep",
               .fallback = "3",
               .minimum = 1,
               .maximum = 100},
    OptionSpec{.name = "order",
               .type = OptionType::kText,
               .help = "which ones are kept",
               .fallback = "highest",
               .choices = "highest|lowest"},
};
inline constexpr std::array kFakeMqtt{
    OptionSpec{.name = "server",
               .type = OptionType::kText,
               .help = "the address of the broker",
               .fallback = "mqtt://localhost:1883"},
    OptionSpec{.name = "user", .type = OptionType::kText, .help = "the user name at the broker"},
    OptionSpec{.name = "password_file",
               .type = OptionType::kText,
               .help = "the file that holds the password"},
};

class FakeCatalog final : public KindCatalog {
 public:
  std::vector<KindEntry> formats() const override {
    return {{"json", "JSON objects", kFakeJson}, {"text", "A bare number", kFakeText}};
  }
  std::vector<KindEntry> monitors() const override {
    return {{"delta", "Alerts when the level jumps", kFakeDelta},
            {"top", "The highest levels so far", kFakeTop}};
  }
  std::span<const OptionSpec> mqtt_options() const override { return kFakeMqtt; }

  Status check_format(std::string_view, const Options& options) const override {
    if (options.has("level") && options.text("level").front() != '/') {
      return invalid("'level' must be a path that begins with /");
    }
    return Status::ok();
  }
  Status check_monitor(std::string_view name, const Options& options) const override {
    if (name == "delta" && options.has("per") && options.number("limit") == 0) {
      return invalid("a rate of 0 would alert at every reading");
    }
    return Status::ok();
  }
  Status check_mqtt(const Options& options) const override {
    if (options.has("password_file") && !options.has("user")) {
      return invalid("'password_file' needs 'user' as well");
    }
    return Status::ok();
  }
  Status check_topic_filter(std::string_view filter) const override {
    const auto hash = filter.find('#');
    if (filter.empty()) return invalid("must not be empty");
    if (hash != std::string_view::npos && hash + 1 != filter.size()) {
      return invalid("# must be the last level");
    }
    return Status::ok();
  }

 private:
  static Error invalid(std::string message) { return {ErrorCode::kInvalid, std::move(message)}; }
};

}  // namespace sluice::daemon
