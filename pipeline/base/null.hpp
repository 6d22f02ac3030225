// What counts as null. Flink's rules speak of null elements, values and keys; in C++ only a
// std::optional without value (or a null pointer) is one, so all other types cannot break them.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>

namespace sluice {

template <class T>
struct NullTraits {
  static constexpr bool kNullable = false;
  static constexpr bool is_null(const T&) { return false; }
};

template <class T>
struct NullTraits<std::optional<T>> {
  static constexpr bool kNullable = true;
  static constexpr bool is_null(const std::optional<T>& v) { return !v.has_value(); }
};

template <class T>
struct NullTraits<std::shared_ptr<T>> {
  static constexpr bool kNullable = true;
  static bool is_null(const std::shared_ptr<T>& v) { return v == nullptr; }
};

template <class T>
constexpr bool is_null(const T& value) {
  return NullTraits<T>::is_null(value);
}

/// True for a number that is none: it equals nothing, itself included, so it can be no key.
template <class T>
constexpr bool is_nan(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value != value;
  } else {
    return false;
  }
}

/// What reading a state of T gives: std::optional<T>, and not an optional of an optional, since
/// "absent" and "null" look the same to a reader (VS-01, MS-01).
template <class T>
struct ReadOf {
  using type = std::optional<T>;
};
template <class T>
struct ReadOf<std::optional<T>> {
  using type = std::optional<T>;
};
template <class T>
using Read = typename ReadOf<T>::type;

}  // namespace sluice
