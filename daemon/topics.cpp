#include "daemon/topics.hpp"

namespace sluice::daemon {

namespace {

bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '~';
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string encode_topic_level(std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (plain(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4U];
    out += kHex[byte & 15U];
  }
  return out;
}

std::string decode_topic_level(std::string_view level) {
  std::string out;
  out.reserve(level.size());
  for (std::size_t i = 0; i < level.size(); ++i) {
    const int high = level[i] == '%' && i + 2 < level.size() ? hex_value(level[i + 1]) : -1;
    const int low = high >= 0 ? hex_value(level[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += level[i];
    }
  }
  return out;
}

std::string Topics::under(std::string_view kind, std::string_view monitor,
                          std::string_view sensor) const {
  std::string topic = prefix_;
  topic += '/';
  topic += kind;
  topic += '/';
  topic += encode_topic_level(monitor);
  topic += '/';
  topic += encode_topic_level(sensor);
  return topic;
}

std::string Topics::alert(std::string_view monitor, std::string_view sensor) const {
  return under("alert", monitor, sensor);
}
std::string Topics::alarm(std::string_view monitor, std::string_view sensor) const {
  return under("alarm", monitor, sensor);
}
std::string Topics::value(std::string_view monitor, std::string_view sensor) const {
  return under("value", monitor, sensor);
}
std::string Topics::rejected(std::string_view source) const {
  return prefix_ + "/rejected/" + encode_topic_level(source);
}
std::string Topics::config_result(std::string_view monitor, std::string_view sensor) const {
  std::string topic = prefix_ + "/config-result/" + encode_topic_level(monitor);
  if (!sensor.empty()) topic += "/" + encode_topic_level(sensor);
  return topic;
}

Topics::ConfigTarget Topics::parse_config(std::string_view topic) const {
  ConfigTarget target;
  const std::string start = prefix_ + "/config/";
  if (topic.substr(0, start.size()) != start) return target;
  const std::string_view rest = topic.substr(start.size());
  const auto slash = rest.find('/');
  target.monitor = decode_topic_level(rest.substr(0, slash));
  target.valid = !target.monitor.empty();
  if (slash == std::string_view::npos) return target;
  const std::string_view sensor = rest.substr(slash + 1);
  target.sensor = decode_topic_level(sensor);
  target.valid = target.valid && !sensor.empty() && sensor.find('/') == std::string_view::npos;
  return target;
}

std::string Topics::parse_command(std::string_view topic) const {
  const std::string start = prefix_ + "/command/";
  if (topic.substr(0, start.size()) != start) return {};
  return std::string{topic.substr(start.size())};
}

bool Topics::is_ours(std::string_view topic) const {
  if (!topic.starts_with(prefix_)) return false;
  topic.remove_prefix(prefix_.size());
  if (!topic.starts_with('/')) return false;
  topic.remove_prefix(1);
  const std::string_view kind = topic.substr(0, topic.find('/'));
  for (const std::string_view ours :
       {"alert", "alarm", "value", "rejected", "config-result", "status"})
    if (kind == ours) return true;
  return false;
}

}  // namespace sluice::daemon
