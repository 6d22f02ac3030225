// SLUICE_FIELDS: names a struct's members once, so that codecs, schemas and JSON know them.
//
// Put it at namespace scope right behind the struct. The struct's name and the field names reach
// disk: renaming either is a change of schema (SE-02).
#pragma once

#include <string_view>
#include <utility>

namespace sluice {

template <class T>
concept HasFields = requires {
  sluice_fields_name(static_cast<const T*>(nullptr));
};

/// The struct's name as written in SLUICE_FIELDS.
template <HasFields T>
constexpr std::string_view fields_name() {
  return sluice_fields_name(static_cast<const T*>(nullptr));
}

/// Calls `visitor(name, pointer_to_member)` for each field in order.
template <HasFields T, class Visitor>
constexpr void visit_fields(Visitor&& visitor) {
  sluice_visit_fields(static_cast<const T*>(nullptr), std::forward<Visitor>(visitor));
}

namespace detail {
template <class C, class M>
M member_type(M C::*);
}
template <class PointerToMember>
using MemberType = decltype(detail::member_type(PointerToMember{}));

}  // namespace sluice

// One visitor call for each of up to eight names; the preprocessor cannot loop.
#define SLUICE_FIELD_1(T, a) visitor(#a, &T::a);
#define SLUICE_FIELD_2(T, a, ...) \
  visitor(#a, &T::a);             \
  SLUICE_FIELD_1(T, __VA_ARGS__)
#define SLUICE_FIELD_3(T, a, ...) \
  visitor(#a, &T::a);             \
  SLUICE_FIELD_2(T, __VA_ARGS__)
#define SLUICE_FIELD_4(T, a, ...) \
  visitor(#a, &T::a);             \
  SLUICE_FIELD_3(T, __VA_ARGS__)
#define SLUICE_FIELD_5(T, a, ...) \
  visitor(#a, &T::a);             \
  SLUICE_FIELD_4(T, __VA_ARGS__)
#define SLUICE_FIELD_6(T, a, ...) \
  visitor(#a, &T::a);             \
  SLUICE_FIELD_5(T, __VA_ARGS__)
#define SLUICE_FIELD_7(T, a, ...) \
  visitor(#a, &T::a);             \
  SLUICE_FIELD_6(T, __VA_ARGS__)
#define SLUICE_FIELD_8(T, a, ...) \
  visitor(#a, &T::a);             \
  SLUICE_FIELD_7(T, __VA_ARGS__)
#define SLUICE_PICK_9TH(a, b, c, d, e, f, g, h, chosen, ...) chosen
#define SLUICE_FIELDS(T, ...)                                                                    \
  [[maybe_unused]] constexpr std::string_view sluice_fields_name(const T*) { return #T; }        \
  template <class Visitor>                                                                       \
  constexpr void sluice_visit_fields(const T*, Visitor&& visitor) {                              \
    SLUICE_PICK_9TH(__VA_ARGS__, SLUICE_FIELD_8, SLUICE_FIELD_7, SLUICE_FIELD_6, SLUICE_FIELD_5, \
                    SLUICE_FIELD_4, SLUICE_FIELD_3, SLUICE_FIELD_2, SLUICE_FIELD_1, )            \
    (T, __VA_ARGS__)                                                                             \
  }
