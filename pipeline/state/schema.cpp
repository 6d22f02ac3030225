#include "pipeline/state/schema.hpp"

#include <algorithm>
#include <vector>

namespace sluice {

namespace {

/// A parsed schema: `name<children…>` or `struct Name{field:child,…}`.
struct Type {
  std::string name;
  bool is_struct{};
  std::vector<std::string> fields;  // of a struct, beside children
  std::vector<Type> children;
};

/// Recursive descent over the texts that Codec makes. Texts from a database may be anything, so
/// depth is bounded and every step checks its bounds.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_{text} {}

  bool parse(Type& out) { return type(out, 0) && at_ == text_.size(); }

 private:
  static constexpr int kMaxDepth = 32;

  bool type(Type& out, int depth) {
    if (depth > kMaxDepth) return false;
    if (eat("struct ")) return structure(out, depth);
    out.name = word();
    if (out.name.empty()) return false;
    if (!eat("<")) return true;
    do {
      if (!type(out.children.emplace_back(), depth + 1)) return false;
    } while (eat(","));
    return eat(">");
  }

  bool structure(Type& out, int depth) {
    out.is_struct = true;
    out.name = until("{");  // of a nested struct it may be `Outer::Inner`
    if (out.name.empty() || !eat("{")) return false;
    if (eat("}")) return true;
    do {
      out.fields.push_back(word());
      if (out.fields.back().empty() || !eat(":")) return false;
      if (!type(out.children.emplace_back(), depth + 1)) return false;
    } while (eat(","));
    return eat("}");
  }

  std::string word() { return until("<>{}:,"); }

  std::string until(std::string_view ends) {
    const auto end = text_.find_first_of(ends, at_);
    const auto stop = std::min(end, text_.size());
    std::string result{text_.substr(at_, stop - at_)};
    at_ = stop;
    return result;
  }

  bool eat(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  std::string_view text_;
  std::size_t at_{};
};

Error mismatch(const std::string& place, const std::string& stored, const std::string& current) {
  return {ErrorCode::kVersion,
          (place.empty() ? std::string{"the value"} : "field '" + place + "'") + " was stored as " +
              stored + " but is " + current + " now"};
}

std::string describe(const Type& type) {
  return type.is_struct ? "struct " + type.name : type.name;
}

Status compare(const Type& stored, const Type& current, const std::string& place);

Status compare_fields(const Type& stored, const Type& current, const std::string& place) {
  for (std::size_t i = 0; i < current.fields.size(); ++i) {
    const auto it = std::find(stored.fields.begin(), stored.fields.end(), current.fields[i]);
    if (it == stored.fields.end()) continue;  // added: starts with its default
    const auto& old = stored.children[static_cast<std::size_t>(it - stored.fields.begin())];
    const auto inner = place.empty() ? current.fields[i] : place + "." + current.fields[i];
    SLUICE_RETURN_IF_ERROR(compare(old, current.children[i], inner));
  }
  return {};
}

Status compare(const Type& stored, const Type& current, const std::string& place) {
  if (stored.is_struct != current.is_struct || stored.name != current.name) {
    return mismatch(place, describe(stored), describe(current));
  }
  if (current.is_struct) return compare_fields(stored, current, place);
  if (stored.children.size() != current.children.size()) {
    return mismatch(place, describe(stored), describe(current));
  }
  for (std::size_t i = 0; i < current.children.size(); ++i) {
    SLUICE_RETURN_IF_ERROR(compare(stored.children[i], current.children[i], place));
  }
  return {};
}

}  // namespace

Status check_schema(std::string_view stored, std::string_view current) {
  if (stored == current) return {};
  Type old_type;
  Type new_type;
  if (!Parser{stored}.parse(old_type) || !Parser{current}.parse(new_type)) {
    return mismatch("", std::string{stored}, std::string{current});
  }
  return compare(old_type, new_type, "");
}

}  // namespace sluice
