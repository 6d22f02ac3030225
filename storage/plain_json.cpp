#include "storage/plain_json.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace sluice::storage {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class PlainReader {
 public:
  explicit PlainReader(std::string_view text) : at_{text.data()}, end_{at_ + text.size()} {}

  bool read(Datum& out) { return value(out, 0) && at_ == end_; }

 private:
  static constexpr int kMaxDepth = 32;
  static constexpr std::ptrdiff_t kSafeDigits = 18;  // of a 64-bit integer

  bool value(Datum& out, int depth) {
    if (at_ == end_ || depth > kMaxDepth) return false;
    switch (*at_) {
      case '[': return list(out, depth);
      case '{': return structure(out, depth);
      case '"': {
        std::string_view text;
        if (!string(text)) return false;
        out = Datum{text};
        return true;
      }
      case 't': return word("true") && (out = Datum{true}, true);
      case 'f': return word("false") && (out = Datum{false}, true);
      case 'n': return word("null") && (out = Datum{}, true);
      default: return number(out);
    }
  }

  bool list(Datum& out, int depth) {
    ++at_;
    Datum::List items;
    if (!eat(']')) {
      do {
        if (!value(items.emplace_back(), depth + 1)) return false;
      } while (eat(','));
      if (!eat(']')) return false;
    }
    out = Datum{std::move(items)};
    return true;
  }

  bool structure(Datum& out, int depth) {
    ++at_;
    Datum::Struct members;
    if (!eat('}')) {
      do {
        std::string_view name;
        if (!string(name) || name.starts_with('$') || !eat(':')) return false;
        const bool twice = std::any_of(members.begin(), members.end(),
                                       [&](const auto& member) { return member.first == name; });
        if (twice) return false;
        if (!value(members.emplace_back(std::string{name}, Datum{}).second, depth + 1)) {
          return false;
        }
      } while (eat(','));
      if (!eat('}')) return false;
    }
    out = Datum{std::move(members)};
    return true;
  }

  bool string(std::string_view& out) {
    if (!eat('"')) return false;
    const char* begin = at_;
    for (; at_ != end_ && *at_ != '"'; ++at_) {
      if (*at_ < ' ' || *at_ > '~' || *at_ == '\\') return false;
    }
    out = {begin, static_cast<std::size_t>(at_ - begin)};
    return eat('"');
  }

  bool number(Datum& out) {
    const char* begin = at_;
    eat('-');
    const char* digits = at_;
    if (!skip_digits() || (*digits == '0' && at_ - digits > 1)) return false;
    const bool whole = at_ == end_ || (*at_ != '.' && *at_ != 'e' && *at_ != 'E');
    if (whole) return integer(begin, digits, out);
    if (eat('.') && !skip_digits()) return false;
    if (eat('e') || eat('E')) {
      if (!eat('-')) eat('+');
      if (!skip_digits()) return false;
    }
    double real = 0;
    const auto parsed = std::from_chars(begin, at_, real);
    if (parsed.ec != std::errc{} || parsed.ptr != at_) return false;
    out = Datum{real};
    return true;
  }

  bool integer(const char* begin, const char* digits, Datum& out) const {
    if (at_ - digits > kSafeDigits || (*digits == '0' && begin != digits)) return false;
    std::int64_t number = 0;
    std::from_chars(begin, at_, number);
    out = Datum{number};
    return true;
  }

  bool skip_digits() {
    const char* begin = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return at_ != begin;
  }
  bool eat(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view text) {
    if (std::string_view{at_, static_cast<std::size_t>(end_ - at_)}.substr(0, text.size()) !=
        text) {
      return false;
    }
    at_ += text.size();
    return true;
  }

  const char* at_;
  const char* end_;
};

}  // namespace

std::optional<Datum> read_plain_json(std::string_view json) {
  Datum datum;
  if (!PlainReader{json}.read(datum)) return std::nullopt;
  return datum;
}

}  // namespace sluice::storage
