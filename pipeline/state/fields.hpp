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

// One visitor call for each name. The preprocessor cannot loop, but scans what a macro gave once
// more: so often that there is room for 64 names.
#define SLUICE_SCAN_1(...) __VA_ARGS__
#define SLUICE_SCAN_2(...) SLUICE_SCAN_1(SLUICE_SCAN_1(SLUICE_SCAN_1(SLUICE_SCAN_1(__VA_ARGS__))))
#define SLUICE_SCAN_3(...) SLUICE_SCAN_2(SLUICE_SCAN_2(SLUICE_SCAN_2(SLUICE_SCAN_2(__VA_ARGS__))))
#define SLUICE_SCAN_4(...) SLUICE_SCAN_3(SLUICE_SCAN_3(SLUICE_SCAN_3(SLUICE_SCAN_3(__VA_ARGS__))))
#define SLUICE_NONE ()
#define SLUICE_VISIT(T, a, ...) \
  visitor(#a, &T::a);           \
  __VA_OPT__(SLUICE_VISIT_NEXT SLUICE_NONE(T, __VA_ARGS__))
#define SLUICE_VISIT_NEXT() SLUICE_VISIT
#define SLUICE_FIELDS(T, ...)                                                             \
  [[maybe_unused]] constexpr std::string_view sluice_fields_name(const T*) { return #T; } \
  template <class Visitor>                                                                \
  constexpr void sluice_visit_fields(const T*, Visitor&& visitor) {                       \
    SLUICE_SCAN_4(SLUICE_VISIT(T, __VA_ARGS__))                                           \
  }
