// UnstorableNull: a nullable number whose codec refuses null, as Flink's serializer of numbers
// does.
#pragma once

#include "pipeline/base/null.hpp"
#include "pipeline/state/codec.hpp"
#include "tests/parity/harness/values.hpp"

namespace sluice::parity {

/// Null can be put, and then fails the checkpoint (BC-03).
struct UnstorableNull {
  NullableInt value;
};

inline Json to_json(const UnstorableNull& number) { return to_json(number.value); }
inline Json to_json(const std::optional<UnstorableNull>& number) {
  return number ? to_json(number->value) : Json();
}

}  // namespace sluice::parity

namespace sluice {

template <>
struct NullTraits<parity::UnstorableNull> {
  static constexpr bool kNullable = true;
  static bool is_null(const parity::UnstorableNull& v) { return !v.value.has_value(); }
};

template <>
struct Codec<parity::UnstorableNull> {
  static std::string schema() { return "i32"; }
  static Datum encode(const parity::UnstorableNull& v) {
    if (!v.value) throw InvalidArgument{"a null number cannot be stored (BC-03)"};
    return Datum{*v.value};
  }
  static parity::UnstorableNull decode(const Datum& d) { return {Codec<std::int32_t>::decode(d)}; }
};

}  // namespace sluice
