#include "tests/parity/harness/values.hpp"

#include <stdexcept>

#include "tests/parity/jobs/double_text.hpp"

namespace sluice::parity {

namespace {

std::int64_t number(const Json& value) {
  if (value.is_number_float()) return static_cast<std::int64_t>(value.get<double>());
  return value.is_number() ? value.get<std::int64_t>() : 0;
}

NullableInt int_or_null(const Json& value) {
  if (value.is_null()) return std::nullopt;
  return static_cast<std::int32_t>(number(value));
}

}  // namespace

const Json& member(const Json& object, const char* name) {
  static const Json kNull;
  const auto it = object.find(name);
  return it == object.end() ? kNull : *it;
}

std::int64_t as_long(const Json& object, const char* name) { return number(member(object, name)); }

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
  for (const auto& item : value) items.push_back(int_or_null(item));
  return items;
}

std::optional<std::map<NullableText, NullableInt>> nullable_entries(const Json& object,
                                                                    const char* name) {
  const Json& value = member(object, name);
  if (value.is_null()) return std::nullopt;
  std::map<NullableText, NullableInt> entries;
  for (const auto& [key, item] : value.items()) entries.emplace(key, int_or_null(item));
  return entries;
}

}  // namespace sluice::parity
