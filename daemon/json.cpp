#include "daemon/json.hpp"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "pipeline/base/log.hpp"

namespace sluice::daemon {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxDepth = 16;
constexpr const char* kNoJson = "it is neither a number, such as 4.2, nor JSON";

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

/// Receives the parser's events and puts the value together. Its parser keeps no call stack, and
/// what is open here is bounded: no nesting can overflow ours.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Datum take() { return std::move(root_); }
  const std::string& fault() const { return fault_; }

  bool null() override { return add({}); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(std::int64_t{value}); }
  bool number_unsigned(number_unsigned_t value) override {
    // Beyond int64 only a double can hold it.
    if (value > INT64_MAX) return add(static_cast<double>(value));
    return add(static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(Datum::Struct{}); }
  bool start_array(std::size_t) override { return open(Datum::List{}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    auto& members = std::get<Datum::Struct>(open_.back().value);
    for (const auto& member : members) {
      if (member.first != name) continue;
      return refuse("\"" + printable(name, 40) +
                    "\" is in it twice, and only the sender knows which is meant: send it once");
    }
    members.emplace_back(std::move(name), Datum{});
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::json::exception& error) override {
    constexpr int kNumberOverflow = 406;
    return refuse(error.id == kNumberOverflow ? "a number in it is too large" : kNoJson);
  }

 private:
  struct Open {
    std::variant<Datum::List, Datum::Struct> value;
  };

  bool refuse(std::string why) {
    if (fault_.empty()) fault_ = std::move(why);
    return false;
  }

  bool add(Datum value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (auto* list = std::get_if<Datum::List>(&open_.back().value)) {
      list->push_back(std::move(value));
    } else {
      std::get<Datum::Struct>(open_.back().value).back().second = std::move(value);
    }
    return true;
  }

  bool open(std::variant<Datum::List, Datum::Struct> value) {
    if (open_.size() == kMaxDepth) return refuse("it is nested too deeply");
    open_.push_back({std::move(value)});
    return true;
  }

  bool close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    return std::visit([this](auto&& value) { return add(Datum{std::move(value)}); },
                      std::move(done.value));
  }

  Datum root_;
  std::vector<Open> open_;
  std::string fault_;
};

}  // namespace

std::string to_json(const Datum& datum) {
  return to_tree(datum).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Datum> parse_json(std::string_view text) {
  // The parser takes a NUL for the end of the text and would not see what follows.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return Error{ErrorCode::kInvalid,
                 "its byte " + std::to_string(nul + 1) +
                     " is a NUL, which belongs to no number and no JSON: send the text alone"};
  }
  Builder builder;
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
  return Error{ErrorCode::kInvalid, builder.fault().empty() ? kNoJson : builder.fault()};
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
