#include "plugins/formats/json_document.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "plugins/formats/bytes.hpp"
#include "plugins/formats/limits.hpp"

namespace sluice::formats {

namespace {

/// Scratch of this size is kept for the next message; a rare giant's is given back.
constexpr std::size_t kKeptNodes = 1024;

}  // namespace

/// Receives the parser's events. Its parser keeps no call stack, and this keeps one of fixed size:
/// no nesting can overflow ours.
class JsonDocument::Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Builder(JsonDocument& document) : document_{document} {}

  const Outcome& outcome() const { return outcome_; }

  bool null() override {
    add(ValueKind::kNull);
    return true;
  }

  bool boolean(bool value) override {
    add(ValueKind::kBoolean).boolean = value;
    return true;
  }

  bool number_integer(number_integer_t value) override {
    add(ValueKind::kInteger).integer = value;
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (value <= static_cast<number_unsigned_t>(INT64_MAX)) {
      return number_integer(static_cast<number_integer_t>(value));
    }
    return number_float(static_cast<double>(value), std::to_string(value));
  }

  bool number_float(number_float_t value, const string_t& digits) override {
    Item& item = add(ValueKind::kNumber);
    item.number = value;
    item.text = keep(digits);
    // The parser spells the point as the process locale does; a JSON number has no comma.
    std::replace(document_.characters_.begin() + item.text.at, document_.characters_.end(), ',',
                 '.');
    return true;
  }

  bool string(string_t& value) override {
    add(ValueKind::kText).text = keep(value);
    return true;
  }

  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(ValueKind::kMap); }
  bool start_array(std::size_t) override { return open(ValueKind::kList); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    name_ = keep(value);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& error) override {
    constexpr int kNumberOverflow = 406;
    outcome_.position = position;
    outcome_.fault = error.id == kNumberOverflow ? Fault::kOverflow : Fault::kSyntax;
    return false;
  }

 private:
  Item& add(ValueKind kind) {
    Item& item = document_.nodes_.emplace_back();
    item.kind = kind;
    item.end = static_cast<Node>(document_.nodes_.size());
    item.name = name_;
    name_ = {};
    return item;
  }

  bool open(ValueKind kind) {
    if (depth_ == kMaxDepth) {
      outcome_.fault = Fault::kTooDeep;
      return false;
    }
    add(kind);
    open_[depth_++] = static_cast<Node>(document_.nodes_.size() - 1);
    return true;
  }

  bool close() {
    document_.nodes_[open_[--depth_]].end = static_cast<Node>(document_.nodes_.size());
    return true;
  }

  Piece keep(const std::string& text) {
    const Piece kept{static_cast<std::uint32_t>(document_.characters_.size()),
                     static_cast<std::uint32_t>(text.size())};
    document_.characters_ += text;
    return kept;
  }

  JsonDocument& document_;
  Outcome outcome_;
  Piece name_;
  std::array<Node, kMaxDepth> open_{};
  std::size_t depth_{};
};

JsonDocument::Outcome JsonDocument::parse(std::string_view text) {
  if (nodes_.capacity() > kKeptNodes) {
    std::vector<Item>{}.swap(nodes_);
    std::string{}.swap(characters_);
  }
  nodes_.clear();
  characters_.clear();
  // The parser takes a NUL for the end of the text and would not see what follows.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return {Fault::kSyntax, nul};
  }
  Builder builder{*this};
  const bool good = nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  Outcome outcome = builder.outcome();
  if (!good && outcome.fault == Fault::kNone) outcome.fault = Fault::kSyntax;
  if (!good) nodes_.clear();
  return outcome;
}

bool JsonDocument::is_map(Node node) const {
  return node < nodes_.size() && nodes_[node].kind == ValueKind::kMap;
}

bool JsonDocument::is_container(Node node) const {
  return is_map(node) || (node < nodes_.size() && nodes_[node].kind == ValueKind::kList);
}

std::string_view JsonDocument::name(Node node) const { return piece(nodes_[node].name); }

JsonDocument::Node JsonDocument::member(Node map, std::string_view wanted) const {
  // To the end, even when it is found: a name that comes twice must be noticed.
  Node found = kNowhere;
  for (Node node = first(map); node != last(map); node = after(node)) {
    if (name(node) != wanted) continue;
    if (found != kNowhere) return kTwice;
    found = node;
  }
  return found;
}

JsonDocument::Node JsonDocument::element(Node list, std::string_view digits) const {
  const auto index = parse_digits<std::uint32_t>(digits);
  const bool leading_zero = digits.size() > 1 && digits.front() == '0';
  if (!index || leading_zero) return kNowhere;
  std::uint32_t left = *index;
  for (Node node = first(list); node != last(list); node = after(node)) {
    if (left-- == 0) return node;
  }
  return kNowhere;
}

JsonDocument::Node JsonDocument::find(Node from, const std::vector<std::string>& path) const {
  Node node = from;
  for (const std::string& token : path) {
    if (!is_container(node)) return node == kTwice ? kTwice : kNowhere;
    node = is_map(node) ? member(node, token) : element(node, token);
  }
  return node;
}

Value JsonDocument::value(Node node) const {
  Value value;
  if (node == kTwice) value.kind = ValueKind::kTwice;
  if (node >= nodes_.size()) return value;
  const Item& item = nodes_[node];
  value.kind = item.kind;
  value.boolean = item.boolean;
  if (item.kind == ValueKind::kInteger) value.integer = item.integer;
  if (item.kind == ValueKind::kNumber) value.number = item.number;
  if (item.kind == ValueKind::kNumber || item.kind == ValueKind::kText) {
    value.text = piece(item.text);
  }
  return value;
}

}  // namespace sluice::formats
