// Every recorded payload in tests/payloads/, with the mapping a user would write for it, must give
// what that user wants of it.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "plugins/formats/formats.hpp"
#include "plugins/formats/time_format.hpp"
#include "tests/unit/formats/decoding.hpp"

namespace sluice::formats {
namespace {

using Json = nlohmann::json;

/// Cases that need what is not built yet. Whoever builds it takes the line out.
const std::map<std::string, std::string> kNotBuiltYet{
    {"influx_line_batch", "format influx"},
};

std::string read_file(const std::string& name) {
  std::ifstream file{std::string{SLUICE_SOURCE_DIR} + "/tests/payloads/" + name, std::ios::binary};
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>{file}, {}};
}

const Format* format_by_name(const std::string& name) {
  for (const Format* format : {&json_format(), &text_format(), &csv_format()}) {
    if (format->name() == name) return format;
  }
  return nullptr;
}

std::vector<std::string> topic_levels(const std::string& topic) {
  std::vector<std::string> levels;
  std::istringstream in{topic + "/"};
  for (std::string level; std::getline(in, level, '/');) levels.push_back(level);
  return levels;
}

/// MQTT's wildcards: what the broker would hand to a source with this filter.
bool filter_takes(const std::string& filter, const std::string& topic) {
  const auto wanted = topic_levels(filter);
  const auto levels = topic_levels(topic);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == "#") return true;
    if (i == levels.size() || (wanted[i] != "+" && wanted[i] != levels[i])) return false;
  }
  return wanted.size() == levels.size();
}

std::string as_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// {"ON": 1} → ["ON=1"]; a bare pattern is about the last level of the topic.
std::vector<std::string> as_texts(std::string_view option, const Json& value, const Json& map) {
  std::vector<std::string> texts;
  if (value.is_object()) {
    for (const auto& [name, wanted] : value.items()) texts.push_back(name + "=" + as_text(wanted));
  } else if (value.is_array()) {
    for (const Json& item : value) texts.push_back(as_text(item));
  } else if (option == "match") {
    const std::size_t last = topic_levels(map["filter"]).size() - 1;
    texts.push_back("topic:" + std::to_string(last) + "=" + as_text(value));
  } else {
    texts.push_back(as_text(value));
  }
  return texts;
}

OptionValue as_option(const OptionSpec& spec, const Json& value, const Json& map) {
  if (spec.type == OptionType::kTextList) return as_texts(spec.name, value, map);
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  return as_text(value);
}

Options options_of(const Format& format, const Json& map) {
  Options options = Options::fallbacks(format.options());
  for (const auto& [name, value] : map.items()) {
    if (name == "filter" || name == "format" || value.is_null()) continue;
    bool known = false;
    for (const OptionSpec& spec : format.options()) {
      if (spec.name != name) continue;
      known = true;
      auto checked = check_option(spec, as_option(spec, value, map));
      if (!checked) ADD_FAILURE() << checked.error().message();
      if (checked) options.set(name, std::move(checked).value());
    }
    EXPECT_TRUE(known) << "the format " << format.name() << " has no option " << name;
  }
  return options;
}

void decode_with(const Json& map, const Json& test, Decoded& decoded) {
  const std::string topic = test["topic"];
  if (!filter_takes(map["filter"], topic)) return;
  const Format* format = format_by_name(map["format"]);
  ASSERT_NE(format, nullptr) << "no format " << map["format"];
  const auto decoder = format->make_decoder(options_of(*format, map));
  ASSERT_TRUE(decoder.has_value()) << decoder.error().message();
  const std::string payload = read_file(test["payload_file"]);
  MessageView message;
  message.source = "case";
  message.topic = topic;
  message.payload = payload;
  message.received = kReceived;
  message.retained = test.value("retain", false);
  decoder.value()->decode(message, decoded);
}

Timestamp time_of(const Json& text) {
  const auto value = Value::of_text(text.get_ref<const std::string&>());
  const auto time = TimeFormat::parse("iso8601").value().read(value, 0);
  EXPECT_TRUE(time.has_value()) << text;
  return time.value_or(0);
}

bool time_fits(const Json& wanted, Timestamp time) {
  if (wanted.contains("time_any_of")) {
    for (const Json& one : wanted["time_any_of"]) {
      if (time == (one.is_null() ? kReceived : time_of(one))) return true;
    }
    return false;
  }
  if (wanted.contains("time_relative_s")) {
    return time ==
           kReceived + static_cast<Timestamp>(wanted["time_relative_s"].get<double>() * 1e3);
  }
  return time == (wanted["time"].is_null() ? kReceived : time_of(wanted["time"]));
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Says what differs; empty if the outcome is as wanted.
std::string difference(const Json& wanted, const Decoded& decoded) {
  if (wanted.contains("reject")) return decoded.readings.empty() ? "" : "a reading came out";
  if (!wanted.contains("readings")) return "no readings are described";
  const Json& readings = wanted["readings"];
  if (readings.size() != decoded.readings.size()) {
    std::string text = std::to_string(decoded.readings.size()) + " readings";
    for (const Rejected& reject : decoded.rejects) text += "; " + reject.detail;
    return text;
  }
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const Json& want = readings[i];
    const Reading& got = decoded.readings[i];
    if (Json(got.sensor) != want["sensor"]) return "sensor " + got.sensor;
    if (!same_bits(got.level, want["level"].get<double>())) {
      return "level " + std::to_string(got.level);
    }
    if (Json(got.unit) != want["unit"]) return "unit " + got.unit;
    if (!time_fits(want, got.time)) return "time " + std::to_string(got.time);
  }
  return "";
}

std::vector<Json> all_cases() {
  std::vector<Json> cases;
  std::istringstream lines{read_file("cases.jsonl")};
  for (std::string line; std::getline(lines, line);) cases.push_back(Json::parse(line));
  return cases;
}

TEST(PayloadCases, GiveWhatTheirUserWants) {
  int passed = 0;
  int not_built = 0;
  for (const Json& test : all_cases()) {
    const std::string name = test["name"];
    SCOPED_TRACE(name);
    if (const auto gap = kNotBuiltYet.find(name); gap != kNotBuiltYet.end()) {
      std::cout << "not built yet: " << gap->second << " (" << name << ")\n";
      ++not_built;
      continue;
    }
    Decoded decoded;
    const Json maps = test["map"].is_array() ? test["map"] : Json::array({test["map"]});
    for (const Json& map : maps) decode_with(map, test, decoded);
    const std::string fault = difference(test["expects"], decoded);
    const bool other_is_fine =
        !fault.empty() && test.contains("also_ok") && difference(test["also_ok"], decoded).empty();
    EXPECT_TRUE(fault.empty() || other_is_fine) << fault;
    passed += fault.empty() || other_is_fine ? 1 : 0;
  }
  std::cout << passed << " cases as wanted, " << not_built << " not built yet\n";
  EXPECT_EQ(not_built, static_cast<int>(kNotBuiltYet.size())) << "a line of the table has no case";
  EXPECT_GE(passed + not_built, 53);
}

TEST(PayloadCases, NumbersOfTheSensorsOwnCountAreFoundEvenWhereThereIsNoReading) {
  int numbered = 0;
  for (const Json& test : all_cases()) {
    SCOPED_TRACE(test["name"]);
    if (!test["expects"].contains("numbers")) continue;
    Decoded decoded;
    decode_with(test["map"], test, decoded);
    EXPECT_EQ(Json(decoded.numbers), test["expects"]["numbers"]);
    ++numbered;
  }
  EXPECT_GE(numbered, 4);
}

TEST(PayloadCases, RejectsAreCountedUnlessTheSourceNeverGetsTheMessage) {
  for (const Json& test : all_cases()) {
    SCOPED_TRACE(test["name"]);
    if (!test["expects"].contains("reject")) continue;
    const bool arrives = filter_takes(test["map"]["filter"], test["topic"]);
    Decoded decoded;
    decode_with(test["map"], test, decoded);
    EXPECT_EQ(decoded.rejects.size(), arrives ? 1U : 0U);
  }
}

}  // namespace
}  // namespace sluice::formats
