// Takes a text apart from the left, for the readers of dates.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace sluice::formats {

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : rest_{text} {}

  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  void skip(std::size_t count) { rest_.remove_prefix(count); }

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool take_any_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void skip_spaces() {
    while (take_any_of(" \t\r\n")) {
    }
  }

  /// At least `least` and at most `most` (≤ 9) digits.
  std::optional<int> number(std::size_t least, std::size_t most) {
    int value = 0;
    std::size_t length = 0;
    while (length < most && length < rest_.size() && is_digit(rest_[length])) {
      value = value * 10 + (rest_[length] - '0');
      ++length;
    }
    if (length < least) return std::nullopt;
    rest_.remove_prefix(length);
    return value;
  }

  /// Digits behind a decimal sign, as milliseconds; what is finer is cut off. At least one.
  std::optional<int> milliseconds() {
    int value = 0;
    std::size_t length = 0;
    for (; length < rest_.size() && is_digit(rest_[length]); ++length) {
      if (length < 3) value = value * 10 + (rest_[length] - '0');
    }
    if (length == 0) return std::nullopt;
    for (std::size_t i = length; i < 3; ++i) value *= 10;
    rest_.remove_prefix(length);
    return value;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  std::string_view rest_;
};

}  // namespace sluice::formats
