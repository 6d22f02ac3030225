// Codec<T>: how a value of state becomes a Datum and back, and what its schema text is.
//
// Built in: bool, integers, enums (as their numbers), float, double, std::string, std::optional,
// std::vector, std::map, std::pair, std::tuple, and structs whose fields are named once:
//
//   struct Mean { std::int64_t count{}; double mean{}; };
//   SLUICE_FIELDS(Mean, count, mean)          // at namespace scope, beside the struct
//
// decode() throws StateMigrationError when a Datum does not have the promised form (damage: the
// schema was checked before). Fields that a stored struct lacks keep their C++ default (SE-02).
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "pipeline/base/datum.hpp"
#include "pipeline/base/errors.hpp"
#include "pipeline/state/fields.hpp"

namespace sluice {

template <class T>
struct Codec;  // no general definition: a type without codec cannot be state

template <class T>
concept Storable = requires(const T& value, const Datum& datum) {
  { Codec<T>::schema() } -> std::convertible_to<std::string>;  // a struct: name its SLUICE_FIELDS
  { Codec<T>::encode(value) } -> std::same_as<Datum>;
  { Codec<T>::decode(datum) } -> std::same_as<T>;
};

namespace detail {
[[noreturn]] void bad_datum(const char* wanted, const Datum& got);

template <class T>
const T& expect(const Datum& datum, const char* wanted) {
  const T* value = datum.get_if<T>();
  if (value == nullptr) bad_datum(wanted, datum);
  return *value;
}
}  // namespace detail

template <>
struct Codec<bool> {
  static std::string schema() { return "bool"; }
  static Datum encode(bool value) { return Datum{value}; }
  static bool decode(const Datum& datum) { return detail::expect<bool>(datum, "a truth value"); }
};

template <std::integral T>
requires(!std::same_as<T, bool>) struct Codec<T> {
  /// Databases know no unsigned 64-bit numbers: those from 2^63 on are stored as the negative one
  /// of the same bits.
  static constexpr bool kAsBits = sizeof(T) == 8 && std::unsigned_integral<T>;
  static std::string schema() {
    return (std::signed_integral<T> ? "i" : "u") + std::to_string(sizeof(T) * 8);
  }
  static Datum encode(T value) { return Datum{static_cast<std::int64_t>(value)}; }
  static T decode(const Datum& datum) {
    const auto value = detail::expect<std::int64_t>(datum, "a whole number");
    if (!kAsBits && !std::in_range<T>(value)) detail::bad_datum("a whole number in range", datum);
    return static_cast<T>(value);
  }
};

/// The number reaches disk: a new enumerator goes to the end.
template <class T>
requires std::is_enum_v<T>
struct Codec<T> {
  using Number = std::underlying_type_t<T>;
  static std::string schema() { return Codec<Number>::schema(); }
  static Datum encode(T value) { return Codec<Number>::encode(static_cast<Number>(value)); }
  static T decode(const Datum& datum) { return static_cast<T>(Codec<Number>::decode(datum)); }
};

template <std::floating_point T>
struct Codec<T> {
  static_assert(sizeof(T) <= 8, "a long double does not fit: keep it as a double");
  static std::string schema() { return sizeof(T) == 4 ? "f32" : "f64"; }
  static Datum encode(T value) { return Datum{static_cast<double>(value)}; }
  static T decode(const Datum& datum) {
    return static_cast<T>(detail::expect<double>(datum, "a number"));
  }
};

template <>
struct Codec<std::string> {
  static std::string schema() { return "text"; }
  static Datum encode(const std::string& value) { return Datum{value}; }
  static std::string decode(const Datum& datum) {
    return detail::expect<std::string>(datum, "a text");
  }
};

template <Storable T>
struct Codec<std::optional<T>> {
  static std::string schema() { return "optional<" + Codec<T>::schema() + ">"; }
  static Datum encode(const std::optional<T>& value) {
    return value ? Codec<T>::encode(*value) : Datum{};
  }
  static std::optional<T> decode(const Datum& datum) {
    if (datum.is_null()) return std::nullopt;
    return Codec<T>::decode(datum);
  }
};

template <Storable T>
struct Codec<std::vector<T>> {
  static std::string schema() { return "list<" + Codec<T>::schema() + ">"; }
  static Datum encode(const std::vector<T>& value) {
    Datum::List list;
    list.reserve(value.size());
    for (const auto& item : value) list.push_back(Codec<T>::encode(item));
    return Datum{std::move(list)};
  }
  static std::vector<T> decode(const Datum& datum) {
    std::vector<T> value;
    for (const auto& item : detail::expect<Datum::List>(datum, "a list")) {
      value.push_back(Codec<T>::decode(item));
    }
    return value;
  }
};

/// A map is a list of [key, value] pairs, so keys may be of any type.
template <Storable K, Storable V>
struct Codec<std::map<K, V>> {
  static std::string schema() {
    return "map<" + Codec<K>::schema() + "," + Codec<V>::schema() + ">";
  }
  static Datum encode(const std::map<K, V>& value) {
    Datum::List list;
    list.reserve(value.size());
    for (const auto& [k, v] : value) {
      list.push_back(Datum::List{Codec<K>::encode(k), Codec<V>::encode(v)});
    }
    return Datum{std::move(list)};
  }
  static std::map<K, V> decode(const Datum& datum) {
    std::map<K, V> value;
    for (const auto& item : detail::expect<Datum::List>(datum, "a list of pairs")) {
      const auto& pair = detail::expect<Datum::List>(item, "a pair");
      if (pair.size() != 2) detail::bad_datum("a pair", item);
      value.insert_or_assign(Codec<K>::decode(pair[0]), Codec<V>::decode(pair[1]));
    }
    return value;
  }
};

template <Storable... Ts>
struct Codec<std::tuple<Ts...>> {
  static std::string schema() {
    std::string inner;
    ((inner += (inner.empty() ? "" : ",") + Codec<Ts>::schema()), ...);
    return "tuple<" + inner + ">";
  }
  static Datum encode(const std::tuple<Ts...>& value) {
    return std::apply(
        [](const Ts&... items) { return Datum{Datum::List{Codec<Ts>::encode(items)...}}; }, value);
  }
  static std::tuple<Ts...> decode(const Datum& datum) {
    const auto& list = detail::expect<Datum::List>(datum, "a tuple");
    if (list.size() != sizeof...(Ts)) detail::bad_datum("a tuple of another size", datum);
    return decode_each(list, std::index_sequence_for<Ts...>{});
  }

 private:
  template <std::size_t... I>
  static std::tuple<Ts...> decode_each(const Datum::List& list, std::index_sequence<I...>) {
    return {Codec<Ts>::decode(list[I])...};
  }
};

template <Storable A, Storable B>
struct Codec<std::pair<A, B>> {
  static std::string schema() { return Codec<std::tuple<A, B>>::schema(); }
  static Datum encode(const std::pair<A, B>& value) {
    return Codec<std::tuple<A, B>>::encode({value.first, value.second});
  }
  static std::pair<A, B> decode(const Datum& datum) {
    auto both = Codec<std::tuple<A, B>>::decode(datum);
    return {std::move(std::get<0>(both)), std::move(std::get<1>(both))};
  }
};

template <HasFields T>
struct Codec<T> {
  static std::string schema() {
    std::string inner;
    visit_fields<T>([&](std::string_view name, auto member) {
      using Member = MemberType<decltype(member)>;
      if (!inner.empty()) inner += ',';
      inner += name;
      inner += ':';
      inner += Codec<Member>::schema();
    });
    return "struct " + std::string{fields_name<T>()} + "{" + inner + "}";
  }
  static Datum encode(const T& value) {
    Datum::Struct members;
    visit_fields<T>([&](std::string_view name, auto member) {
      using Member = MemberType<decltype(member)>;
      members.emplace_back(std::string{name}, Codec<Member>::encode(value.*member));
    });
    return Datum{std::move(members)};
  }
  static T decode(const Datum& datum) {
    detail::expect<Datum::Struct>(datum, "a struct");
    T value{};
    visit_fields<T>([&](std::string_view name, auto member) {
      using Member = MemberType<decltype(member)>;
      if (const Datum* item = datum.member(name)) value.*member = Codec<Member>::decode(*item);
    });
    return value;
  }
};

}  // namespace sluice
