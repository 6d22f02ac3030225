// Datum <-> JSON without loss: writing by hand, reading with nlohmann's parser.
#include <charconv>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "pipeline/base/utf8.hpp"
#include "storage/datum_column.hpp"
#include "storage/plain_json.hpp"

namespace sluice::storage {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::string_view kHex = "0123456789abcdef";

void write_text(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\u00";
      out += kHex[byte >> 4U];
      out += kHex[byte & 0xFU];
    } else {
      out += c;
    }
  }
  out += '"';
}

void write_real(double value, std::string& out) {
  if (std::isnan(value)) {
    out += R"({"$real":"NaN"})";
  } else if (std::isinf(value)) {
    out += value > 0 ? R"({"$real":"Infinity"})" : R"({"$real":"-Infinity"})";
  } else {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    const std::string_view text{digits, static_cast<std::size_t>(end - digits)};
    out += text;
    // Else it would come back as an integer.
    if (text.find_first_of(".e") == std::string_view::npos) out += ".0";
  }
}

void write(const Datum& datum, std::string& out);

void write_string(std::string_view text, std::string& out) {
  if (is_utf8(text)) return write_text(text, out);
  out += R"({"$bytes":")";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += kHex[byte >> 4U];
    out += kHex[byte & 0xFU];
  }
  out += "\"}";
}

bool needs_pairs(const Datum::Struct& members) {
  for (std::size_t n = 0; n < members.size(); ++n) {
    const std::string& name = members[n].first;
    if (name.starts_with('$') || !is_utf8(name)) return true;
    for (std::size_t m = 0; m < n; ++m) {
      if (members[m].first == name) return true;
    }
  }
  return false;
}

void write_struct(const Datum::Struct& members, std::string& out) {
  const bool pairs = needs_pairs(members);
  out += pairs ? "{\"$struct\":[" : "{";
  bool first = true;
  for (const auto& [name, value] : members) {
    if (!std::exchange(first, false)) out += ',';
    write_string(name, out);
    out += pairs ? ',' : ':';
    write(value, out);
  }
  out += pairs ? "]}" : "}";
}

void write(const Datum& datum, std::string& out) {
  if (datum.is_null()) {
    out += "null";
  } else if (const auto* flag = datum.get_if<bool>()) {
    out += *flag ? "true" : "false";
  } else if (const auto* integer = datum.get_if<std::int64_t>()) {
    out += std::to_string(*integer);
  } else if (const auto* real = datum.get_if<double>()) {
    write_real(*real, out);
  } else if (const auto* text = datum.get_if<std::string>()) {
    write_string(*text, out);
  } else if (const auto* list = datum.get_if<Datum::List>()) {
    out += '[';
    bool first = true;
    for (const Datum& element : *list) {
      if (!std::exchange(first, false)) out += ',';
      write(element, out);
    }
    out += ']';
  } else if (const auto* members = datum.get_if<Datum::Struct>()) {
    write_struct(*members, out);
  }
}

Error corrupt(std::string_view what) {
  return Error{ErrorCode::kCorrupt, "stored value is not one of ours: " + std::string{what}};
}

Result<Datum> read(const Json& json);

int hex_digit(char c) {
  const std::size_t at = kHex.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

Result<Datum> read_bytes(const std::string& hex) {
  std::string bytes;
  for (std::size_t n = 0; n + 1 < hex.size(); n += 2) {
    const int high = hex_digit(hex[n]);
    const int low = hex_digit(hex[n + 1]);
    if (high < 0 || low < 0) return corrupt("$bytes");
    bytes += static_cast<char>(high * 16 + low);
  }
  if (hex.size() % 2 != 0) return corrupt("$bytes");
  return Datum{std::move(bytes)};
}

Result<Datum> read_special_real(const std::string& text) {
  if (text == "NaN") return Datum{std::numeric_limits<double>::quiet_NaN()};
  if (text == "Infinity") return Datum{std::numeric_limits<double>::infinity()};
  if (text == "-Infinity") return Datum{-std::numeric_limits<double>::infinity()};
  if (text == "-0.0") return Datum{-0.0};
  return corrupt("$real");
}

Result<Datum> read_pairs(const Json& pairs) {
  Datum::Struct members;
  if (pairs.size() % 2 != 0) return corrupt("$struct");
  for (std::size_t n = 0; n < pairs.size(); n += 2) {
    auto name = read(pairs[n]);
    if (!name) return name;
    auto value = read(pairs[n + 1]);
    if (!value) return value;
    const auto* text = name->get_if<std::string>();
    if (text == nullptr) return corrupt("$struct");
    members.emplace_back(*text, std::move(*value));
  }
  return Datum{std::move(members)};
}

Result<Datum> read_special(const std::string& name, const Json& value) {
  if (name == "$null") return Datum{};
  if (name == "$struct" && value.is_array()) return read_pairs(value);
  if (!value.is_string()) return corrupt(name);
  const auto& text = value.get_ref<const std::string&>();
  if (name == "$text") return Datum{text};
  if (name == "$real") return read_special_real(text);
  if (name == "$bytes") return read_bytes(text);
  return corrupt(name);
}

Result<Datum> read_object(const Json& json) {
  Datum::Struct members;
  for (const auto& [name, value] : json.items()) {
    if (name.starts_with('$')) {
      if (json.size() != 1) return corrupt(name);
      return read_special(name, value);
    }
    auto datum = read(value);
    if (!datum) return datum;
    members.emplace_back(name, std::move(*datum));
  }
  return Datum{std::move(members)};
}

Result<Datum> read(const Json& json) {
  switch (json.type()) {
    case Json::value_t::null: return Datum{};
    case Json::value_t::boolean: return Datum{json.get<bool>()};
    case Json::value_t::number_integer: return Datum{json.get<std::int64_t>()};
    case Json::value_t::number_unsigned:
      if (json.get<std::uint64_t>() >
          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return corrupt("an integer beyond 64 bits");
      }
      return Datum{json.get<std::int64_t>()};
    case Json::value_t::number_float: return Datum{json.get<double>()};
    case Json::value_t::string: return Datum{json.get_ref<const std::string&>()};
    case Json::value_t::array: {
      Datum::List list;
      list.reserve(json.size());
      for (const Json& element : json) {
        auto datum = read(element);
        if (!datum) return datum;
        list.push_back(std::move(*datum));
      }
      return Datum{std::move(list)};
    }
    case Json::value_t::object: return read_object(json);
    default: return corrupt("not JSON");
  }
}

}  // namespace

std::string datum_to_json(const Datum& datum) {
  std::string out;
  write(datum, out);
  return out;
}

Result<Datum> datum_from_json(std::string_view text) {
  if (auto plain = read_plain_json(text)) return std::move(*plain);
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return corrupt("not JSON");
  return read(json);
}

}  // namespace sluice::storage
