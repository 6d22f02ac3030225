// Value: what a selector found in a message, whatever the format it came in. A view.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::formats {

enum class ValueKind : std::uint8_t {
  kMissing,  ///< there is nothing at that place
  kNull,
  kBoolean,
  kInteger,  ///< fits 64 bits: exact
  kNumber,   ///< any other number
  kText,
  kList,
  kMap,
  kTwice,  ///< the place is named twice (a repeated JSON member): nobody can say which is meant
};

/// Its text lives in the message, the mapping or the format's scratch memory: use it before the
/// next message.
struct Value {
  ValueKind kind{ValueKind::kMissing};
  bool boolean{};
  std::int64_t integer{};
  double number{};          ///< of kNumber; may be infinite if the format lets that pass
  std::string_view text{};  ///< of kText; of kNumber the number as it was written

  static Value of_text(std::string_view text) {
    Value value;
    value.kind = ValueKind::kText;
    value.text = text;
    return value;
  }
};

/// Room for the digits of an integer.
using WordBuffer = std::array<char, 24>;

/// A scalar as a word, for names and comparisons: 7 is "7", true is "true". Null, lists and what
/// is missing have no word.
std::optional<std::string_view> as_word(const Value& value, WordBuffer& buffer);

/// A whole number from 0, as a number or as digits: 7, 7.0, "7". Anything else is none.
std::optional<std::int64_t> as_count(const Value& value);

/// For a sentence to people: `null`, `the text "Invalid Reading"`, `a list`; printable.
std::string describe(const Value& value);

}  // namespace sluice::formats
