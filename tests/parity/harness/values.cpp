#include "tests/parity/harness/values.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/parity/jobs/double_text.hpp"
#include "tests/parity/jobs/real_number.hpp"
#include "tests/parity/jobs/whole_number.hpp"

namespace sluice::parity {

namespace {

/// A Java cast: cut off towards 0, at the ends of the range, and 0 for no number.
template <class T>
T cut(double value) {
  if (std::isnan(value)) return 0;
  if (value >= -static_cast<double>(std::numeric_limits<T>::min())) {
    return std::numeric_limits<T>::max();
  }
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) {
    return std::numeric_limits<T>::min();
  }
  return static_cast<T>(value);
}

template <class T>
T from_text(const std::string& raw) {
  const std::string text = trimmed(raw);
  const bool plain = text.find_first_not_of("0123456789", text.find_first_of("+-") == 0 ? 1 : 0) ==
                     std::string::npos;
  if (!plain) return cut<T>(parse_double(text).value_or(0));
  const auto value = parse_long(text);
  return value && std::in_range<T>(*value) ? static_cast<T>(*value) : 0;
}

template <class T>
T number(const Json& value) {
  if (value.is_string()) return from_text<T>(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number_float()) return cut<T>(value.get<double>());
  return value.is_number() ? static_cast<T>(value.get<std::int64_t>()) : 0;
}

NullableInt int_or_null(const Json& value) {
  if (value.is_null()) return std::nullopt;
  return number<std::int32_t>(value);
}

}  // namespace

const Json& member(const Json& object, const char* name) {
  static const Json kNull;
  const auto it = object.find(name);
  return it == object.end() ? kNull : *it;
}

std::int32_t as_int(const Json& value) { return number<std::int32_t>(value); }

std::int64_t as_long(const Json& object, const char* name) {
  return number<std::int64_t>(member(object, name));
}

bool as_bool(const Json& object, const char* name) {
  const Json& value = member(object, name);
  if (value.is_string()) return trimmed(value.get<std::string>()) == "true";
  if (value.is_number_integer()) return value != 0;
  return value.is_boolean() && value.get<bool>();
}

std::string as_text(const Json& scalar) {
  if (scalar.is_string()) return scalar.get<std::string>();
  if (scalar.is_number_float()) return double_text(scalar.get<double>());
  return scalar.is_structured() ? "" : scalar.dump();
}

std::string as_text(const Json& object, const char* name) {
  const auto it = object.find(name);
  if (it == object.end()) throw std::invalid_argument{std::string{"missing: "} + name};
  return as_text(*it);
}

NullableInt nullable_int(const Json& object, const char* name) {
  return int_or_null(member(object, name));
}

NullableText nullable_text(const Json& object, const char* name) {
  const Json& value = member(object, name);
  if (value.is_null()) return std::nullopt;
  return as_text(value);
}

std::optional<std::vector<NullableInt>> nullable_ints(const Json& object, const char* name) {
  const Json& value = member(object, name);
  if (value.is_null()) return std::nullopt;
  std::vector<NullableInt> items;
  if (!value.is_structured()) return items;  // a scalar has no items
  for (const auto& item : value) items.push_back(int_or_null(item));
  return items;
}

std::optional<std::map<NullableText, NullableInt>> nullable_entries(const Json& object,
                                                                    const char* name) {
  const Json& value = member(object, name);
  if (value.is_null()) return std::nullopt;
  std::map<NullableText, NullableInt> entries;
  if (!value.is_object()) return entries;  // what is no object has no fields
  for (const auto& [key, item] : value.items()) entries.emplace(key, int_or_null(item));
  return entries;
}

}  // namespace sluice::parity
