#include "tests/parity/harness/fields.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "tests/parity/jobs/real_number.hpp"
#include "tests/parity/jobs/whole_number.hpp"

namespace sluice::parity {

namespace {

[[noreturn]] void refuse(const char* name, const Json& value) {
  throw std::invalid_argument{"field '" + std::string{name} + "' cannot be " + value.dump()};
}

template <class T>
T whole(const char* name, const Json& value) {
  if (value.is_null()) return 0;
  if (value.is_number_unsigned() && std::in_range<T>(value.get<std::uint64_t>())) {
    return value.get<T>();
  }
  if (value.is_number_integer() && !value.is_number_unsigned() &&
      std::in_range<T>(value.get<std::int64_t>())) {
    return value.get<T>();
  }
  if (value.is_number_float()) {
    const double limit = std::ldexp(1.0, sizeof(T) * 8 - 1);
    const auto number = value.get<double>();
    if (number >= -limit && number < limit) return static_cast<T>(number);
  }
  if (value.is_string()) {
    const auto number = parse_long(trimmed(value.get<std::string>()));
    if (number && std::in_range<T>(*number)) return static_cast<T>(*number);
  }
  refuse(name, value);
}

}  // namespace

Fields::Fields(const Json& value) : value_{value} {
  if (!value.is_object()) throw std::invalid_argument{"no object: " + value.dump()};
}

const Json& Fields::field(const char* name) const {
  static const Json kNull;
  const Json& value = member(value_, name);
  if (!value.is_string()) return value;
  const std::string text = trimmed(value.get<std::string>());
  return text.empty() || text == "null" ? kNull : value;
}

std::int32_t Fields::int_of(const char* name) const {
  return whole<std::int32_t>(name, field(name));
}
std::int64_t Fields::long_of(const char* name) const {
  return whole<std::int64_t>(name, field(name));
}

double Fields::double_of(const char* name) const {
  const Json& value = field(name);
  if (value.is_null()) return 0;
  if (value.is_number()) return value.get<double>();
  std::string text = value.is_string() ? trimmed(value.get<std::string>()) : "";
  if (text == "INF" || text == "-INF") text.replace(text.size() - 3, 3, "Infinity");
  const auto number = parse_double(text);
  if (!number) refuse(name, value);
  return *number;
}

bool Fields::bool_of(const char* name) const {
  const Json& value = field(name);
  if (value.is_null()) return false;
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value != 0;
  const std::string text = value.is_string() ? trimmed(value.get<std::string>()) : "";
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  refuse(name, value);
}

std::string Fields::text_of(const char* name) const {
  const Json& value = member(value_, name);
  if (value.is_structured()) refuse(name, value);
  return as_text(value);
}

std::string Fields::key_of(const char* name) const {
  if (member(value_, name).is_null()) {
    throw std::invalid_argument{"a key must not be null: " + std::string{name} + " (KS-07)"};
  }
  return text_of(name);
}

}  // namespace sluice::parity
