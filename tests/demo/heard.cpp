#include "tests/demo/heard.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/demo/lines.hpp"

namespace sluice::demo {
namespace {

using nlohmann::json;

constexpr std::string_view kPrefix = "sluice/demo/";

}  // namespace

Heard::News Heard::take(const test::ProbeMessage& message) {
  const std::string topic = message.topic.substr(std::min(kPrefix.size(), message.topic.size()));
  const std::size_t slash = topic.find('/');
  const std::string kind = topic.substr(0, slash);
  const std::string rest = slash == std::string::npos ? "" : topic.substr(slash + 1);
  if (kind == "alert") return take_alert(message.payload);
  if (kind == "value") return take_value(rest.substr(0, rest.find('/')), message.payload);
  if (kind == "rejected") return take_rejected(message.payload);
  if (kind == "config-result") return take_setting(rest, message.payload);
  if (topic != "status") return News::kNothing;
  last_ = message.payload;
  return News::kStatus;
}

Heard::News Heard::take_alert(const std::string& payload) {
  const json document = json::parse(payload);
  if (!ids_.insert(document.at("id").get<std::string>()).second) {
    ++repeated_;
    return News::kNothing;
  }
  const auto text = [&](const char* name) { return document.at(name).get<std::string>(); };
  alerts_.push_back(
      {.key = {text("monitor"), text("sensor"), text("state"), time_of(text("time"), "UTC")},
       .limit = document.value("limit", 0.0),
       .setting = document.value("setting", std::int64_t{0}),
       .text = text("text")});
  return News::kAlert;
}

Heard::News Heard::take_value(const std::string& monitor, const std::string& payload) {
  const json document = json::parse(payload);
  const json& value = document.at("value");
  const auto sensor = document.at("sensor").get<std::string>();
  if (monitor == "readings") readings_ = value.get<std::int64_t>();
  if (monitor == "mean") gauges_[sensor].mean = value.get<double>();
  if (monitor == "peaks") gauges_[sensor].peaks = value.get<std::vector<double>>();
  return News::kNothing;
}

Heard::News Heard::take_rejected(const std::string& payload) {
  const json document = json::parse(payload);
  rejected_.push_back(document.at("reason").get<std::string>());
  last_ = document.at("detail").get<std::string>();
  return News::kRejected;
}

Heard::News Heard::take_setting(const std::string& target, const std::string& payload) {
  const json document = json::parse(payload);
  const bool accepted = document.at("accepted").get<bool>();
  if (accepted) ++settings_accepted_;
  last_ = target + (accepted ? ": accepted as version " + document.at("version").dump() + ": " +
                                   document.at("setting").dump()
                             : ": rejected: " + document.at("reason").get<std::string>());
  return News::kSetting;
}

std::int64_t Heard::rejected_for(const std::string& reason) const {
  return std::count(rejected_.begin(), rejected_.end(), reason);
}

}  // namespace sluice::demo
