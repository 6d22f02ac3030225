// Datum: a value without its C++ type, between typed state and whatever stores it.
//
// Codecs turn state into Datum and back (codec.hpp); storage turns Datum into SQLite values and
// JSON. The payload of a setting from the config topic is a Datum too. Value type, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sluice {

class Datum {
 public:
  using List = std::vector<Datum>;
  /// Members in their order; names are unique.
  using Struct = std::vector<std::pair<std::string, Datum>>;
  /// The numbers of the alternatives are part of nothing on disk.
  using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Struct>;

  /// Null.
  Datum() = default;
  Datum(bool v) : value_{v} {}                           // NOLINT(google-explicit-constructor)
  Datum(std::int64_t v) : value_{v} {}                   // NOLINT(google-explicit-constructor)
  Datum(int v) : value_{std::int64_t{v}} {}              // NOLINT(google-explicit-constructor)
  Datum(double v) : value_{v} {}                         // NOLINT(google-explicit-constructor)
  Datum(std::string v) : value_{std::move(v)} {}         // NOLINT(google-explicit-constructor)
  Datum(std::string_view v) : value_{std::string{v}} {}  // NOLINT(google-explicit-constructor)
  Datum(const char* v) : value_{std::string{v}} {}       // NOLINT(google-explicit-constructor)
  Datum(List v) : value_{std::move(v)} {}                // NOLINT(google-explicit-constructor)
  Datum(Struct v) : value_{std::move(v)} {}              // NOLINT(google-explicit-constructor)

  const Value& value() const { return value_; }

  bool is_null() const { return value_.index() == 0; }
  /// The alternative, or nullptr if it holds another one. No conversion happens.
  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&value_);
  }
  /// The number in an integer or a double, else nullptr-like false.
  bool as_number(double& out) const;
  /// The member of a struct by name, or nullptr.
  const Datum* member(std::string_view name) const;

  /// Short text for messages and tests ("{\"n\":3}"): JSON, but no promise of escaping rules.
  std::string to_text() const;

  friend bool operator==(const Datum&, const Datum&) = default;

 private:
  Value value_;
};

/// A total order over all Datums (kind first), for deterministic listings.
bool datum_less(const Datum& a, const Datum& b);

}  // namespace sluice
