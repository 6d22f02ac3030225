// find_places: walks the text of a valid TOML file once and notes where everything stands.
//
// The parser's own places are not used: it keeps none for keys, which is what most messages point
// at, and how it gives those of values differs between its versions.
#include <algorithm>
#include <utility>

#include "daemon/config/toml_shape.hpp"

namespace sluice::daemon {

namespace {

struct Key {
  std::string text;
  std::size_t offset{};
  std::size_t length{};
};

class PlaceFinder {
 public:
  explicit PlaceFinder(std::string_view text) : text_{text} {}

  PlaceTree run() {
    PlaceTree root;
    PlaceTree* table = &root;
    while (skip_blank(true), at_ < text_.size()) {
      const std::size_t before = at_;
      if (peek() == '[') {
        table = &header(root);
      } else {
        pair(*table);
      }
      if (at_ == before) ++at_;  // no valid file gets here; never stand still
    }
    return root;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blank(bool lines) {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == ' ' || c == '\t' || (lines && (c == '\n' || c == '\r'))) {
        ++at_;
      } else {
        return;
      }
    }
  }

  Position position(std::size_t offset, std::size_t length) {
    // Offsets only grow while walking, so lines are counted once.
    if (offset < counted_) return {line_, offset - line_start_ + 1, length};
    for (; counted_ < offset; ++counted_) {
      if (text_[counted_] != '\n') continue;
      ++line_;
      line_start_ = counted_ + 1;
    }
    return {line_, offset - line_start_ + 1, length};
  }

  std::vector<Key> keys() {
    std::vector<Key> out;
    for (;;) {
      skip_blank(false);
      const std::size_t start = at_;
      if (peek() == '"' || peek() == '\'') {
        at_ = skip_string(text_, at_);
        // Escapes inside keys are not undone: such a key is only placed less exactly.
        const std::size_t inner = at_ - start >= 2 ? at_ - start - 2 : 0;
        out.push_back({std::string{text_.substr(start + 1, inner)}, start, at_ - start});
      } else {
        at_ = std::min(text_.find_first_of(" \t\r\n.=]#,}{[\"'", at_), text_.size());
        out.push_back({std::string{text_.substr(start, at_ - start)}, start, at_ - start});
      }
      skip_blank(false);
      if (peek() != '.') return out;
      ++at_;
    }
  }

  /// The member of a table, made if new; of an array of tables, its newest element.
  PlaceTree& member(PlaceTree& table, const Key& key) {
    PlaceTree& owner = table.items.empty() ? table : *table.items.back();
    auto& slot = owner.members[key.text];
    if (!slot) {
      slot = std::make_unique<PlaceTree>();
      slot->key_at = slot->at = position(key.offset, key.length);
    }
    return *slot;
  }

  /// `[a.b]` or `[[a.b]]`; returns where its members go.
  PlaceTree& header(PlaceTree& root) {
    const std::size_t start = at_;
    const bool element = text_.substr(at_, 2) == "[[";
    at_ += element ? 2 : 1;
    PlaceTree* table = &root;
    for (const Key& key : keys()) table = &member(*table, key);
    at_ = std::min(text_.find('\n', at_), text_.size());
    std::size_t end = std::min(text_.find(']', start), at_);
    end += element ? 2 : 1;
    // Back to the header's line only: its offset is not below what has been counted as lines.
    const Position place = position(start, std::min(end, at_) - start);
    if (!element) {
      table->at = place;
      return *table;
    }
    table->items.push_back(std::make_unique<PlaceTree>());
    table->items.back()->key_at = table->items.back()->at = place;
    return *table->items.back();
  }

  /// `a.b = value`
  void pair(PlaceTree& table) {
    PlaceTree* target = &table;
    for (const Key& key : keys()) target = &member(*target, key);
    if (peek() == '=') ++at_;
    skip_blank(false);
    value(*target);
  }

  void value(PlaceTree& place) {
    const std::size_t start = at_;
    place.at = position(start, 1);
    if (peek() == '[') {
      array(place);
    } else if (peek() == '{') {
      inline_table(place);
    } else if (peek() == '"' || peek() == '\'') {
      at_ = skip_string(text_, at_);
    } else {
      at_ = std::min(text_.find_first_of(",]}#\r\n", at_), text_.size());
      while (at_ > start && (text_[at_ - 1] == ' ' || text_[at_ - 1] == '\t')) --at_;
    }
    place.at.length = std::max<std::size_t>(1, at_ - start);
  }

  void array(PlaceTree& place) {
    ++at_;
    while (skip_blank(true), at_ < text_.size() && peek() != ']') {
      const std::size_t before = at_;
      place.items.push_back(std::make_unique<PlaceTree>());
      value(*place.items.back());
      place.items.back()->key_at = place.items.back()->at;
      skip_blank(true);
      if (peek() == ',' || at_ == before) ++at_;
    }
    if (at_ < text_.size()) ++at_;
  }

  void inline_table(PlaceTree& place) {
    ++at_;
    while (skip_blank(true), at_ < text_.size() && peek() != '}') {
      const std::size_t before = at_;
      pair(place);
      skip_blank(true);
      if (peek() == ',' || at_ == before) ++at_;
    }
    if (at_ < text_.size()) ++at_;
  }

  std::string_view text_;
  std::size_t at_{0};
  std::size_t counted_{0};
  std::size_t line_{1};
  std::size_t line_start_{0};
};

}  // namespace

PlaceTree find_places(std::string_view text) { return PlaceFinder{text}.run(); }

}  // namespace sluice::daemon
