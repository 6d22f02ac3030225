#include "daemon/json.hpp"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

namespace sluice::daemon {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kMaxDepth = 16;

Json to_tree(const Datum& datum) {
  if (const auto* v = datum.get_if<bool>()) return *v;
  if (const auto* v = datum.get_if<std::int64_t>()) return *v;
  if (const auto* v = datum.get_if<double>()) return std::isfinite(*v) ? Json(*v) : Json(nullptr);
  if (const auto* v = datum.get_if<std::string>()) return *v;
  if (const auto* list = datum.get_if<Datum::List>()) {
    Json array = Json::array();
    for (const auto& item : *list) array.push_back(to_tree(item));
    return array;
  }
  if (const auto* members = datum.get_if<Datum::Struct>()) {
    Json object = Json::object();
    for (const auto& [name, item] : *members) object[name] = to_tree(item);
    return object;
  }
  return nullptr;
}

Datum from_tree(const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean: return json.get<bool>();
    case Json::value_t::number_integer: return json.get<std::int64_t>();
    case Json::value_t::number_unsigned:
      // Beyond int64 only a double can hold it.
      if (json.get<std::uint64_t>() > INT64_MAX) return json.get<double>();
      return json.get<std::int64_t>();
    case Json::value_t::number_float: return json.get<double>();
    case Json::value_t::string: return json.get<std::string>();
    case Json::value_t::array: {
      Datum::List list;
      for (const auto& item : json) list.push_back(from_tree(item));
      return list;
    }
    case Json::value_t::object: {
      Datum::Struct members;
      for (const auto& [name, item] : json.items()) members.emplace_back(name, from_tree(item));
      return members;
    }
    default: return {};
  }
}

/// The parser recurses, so depth is bounded before it sees the text. Brackets inside strings only
/// make this stricter.
bool too_deep(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kMaxDepth) return true;
  }
  return false;
}

}  // namespace

std::string to_json(const Datum& datum) {
  return to_tree(datum).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Datum> parse_json(std::string_view text) {
  if (too_deep(text)) return Error{ErrorCode::kInvalid, "it is nested too deeply"};
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Error{ErrorCode::kInvalid, "it is neither a number nor JSON"};
  return from_tree(json);
}

std::string format_time(Timestamp time) {
  // Floor division: milliseconds before 1970 count down from the next lower second.
  std::int64_t seconds = time / 1000;
  std::int64_t millis = time % 1000;
  if (millis < 0) {
    millis += 1000;
    --seconds;
  }
  const auto clock = static_cast<std::time_t>(seconds);
  std::tm parts{};
  if (gmtime_r(&clock, &parts) == nullptr || parts.tm_year > 9999 - 1900 || parts.tm_year < -1900) {
    return std::to_string(time) + "ms";  // outside what ISO 8601 can say in four digits
  }
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900,
                parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                static_cast<int>(millis));
  return buffer;
}

}  // namespace sluice::daemon
