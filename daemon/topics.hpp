// The topics Sluice publishes on and listens to. Sensor ids may hold anything; in a topic they are
// percent-encoded, so no id can break out of its level or be taken for a wildcard.
#pragma once

#include <string>
#include <string_view>

namespace sluice::daemon {

/// Letters, digits, '-', '_', '.', '~' as they are, every other byte as %XX.
std::string encode_topic_level(std::string_view text);
/// The reverse; a '%' that starts no %XX stays as it is.
std::string decode_topic_level(std::string_view level);

/// All topics under one prefix.
class Topics {
 public:
  explicit Topics(std::string prefix) : prefix_{std::move(prefix)} {}

  const std::string& prefix() const { return prefix_; }
  std::string status() const { return prefix_ + "/status"; }
  std::string status_detail() const { return prefix_ + "/status/detail"; }
  std::string alert(std::string_view monitor, std::string_view sensor) const;
  std::string alarm(std::string_view monitor, std::string_view sensor) const;
  std::string value(std::string_view monitor, std::string_view sensor) const;
  std::string rejected(std::string_view source) const;
  /// `sensor` is empty for a setting of the whole monitor.
  std::string config_result(std::string_view monitor, std::string_view sensor) const;

  std::string config_filter() const { return prefix_ + "/config/#"; }
  std::string command_filter() const { return prefix_ + "/command/#"; }

  /// Whether we publish on it ourselves. To take such a message for a reading would be to hear our
  /// own echo.
  bool is_ours(std::string_view topic) const;

  /// What a topic under `<prefix>/config/` is about.
  struct ConfigTarget {
    std::string monitor;
    std::string sensor;  ///< decoded; empty: all sensors
    bool valid{};        ///< false: not of the form config/<monitor>[/<sensor>]
  };
  ConfigTarget parse_config(std::string_view topic) const;
  /// The last part of `<prefix>/command/<name>`; empty if it is no such topic.
  std::string parse_command(std::string_view topic) const;

 private:
  std::string under(std::string_view kind, std::string_view monitor, std::string_view sensor) const;
  std::string prefix_;
};

}  // namespace sluice::daemon
