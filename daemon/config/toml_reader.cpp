#include "daemon/config/toml_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <system_error>
#include <toml.hpp>
#include <tuple>
#include <utility>

#include "daemon/config/syntax_advice.hpp"
#include "daemon/config/toml_shape.hpp"

namespace sluice::daemon {

namespace {

struct SyntaxFault {
  std::size_t line{};
  std::size_t column{};
  std::string message;
};

#if TOML11_VERSION_MAJOR >= 4
/// The first fault only: what the parser finds after it is mostly its echo.
SyntaxFault parse(std::istringstream& text, toml::value& out) {
  auto parsed = toml::try_parse(text, "");
  if (parsed.is_ok()) {
    out = std::move(parsed.unwrap());
    return {};
  }
  const auto& error = parsed.unwrap_err().front();
  SyntaxFault fault{1, 1, error.title()};
  if (!error.locations().empty()) {
    fault.line = error.locations().front().first.first_line_number();
    fault.column = error.locations().front().first.first_column_number();
  }
  return fault;
}
#else
SyntaxFault parse(std::istringstream& text, toml::value& out) {
  try {
    out = toml::parse(text, "");
    return {};
  } catch (const toml::exception& e) {
    return {e.location().line(), e.location().column(), e.what()};
  }
}
#endif

SyntaxFault parse_guarded(const std::string& text, toml::value& out) {
  std::istringstream stream{text};
  try {
    return parse(stream, out);
  } catch (const std::exception& e) {
    // Both versions let plain standard exceptions out for numbers that fit no type.
    return {1, 1, e.what()};
  }
}

/// Turns the library's values into ours, with the places found beside it.
class Converter {
 public:
  Converter(std::string file, Problems& problems) : file_{std::move(file)}, problems_{problems} {}

  ConfigNode convert(const toml::value& value, const PlaceTree* place, const Position& fallback) {
    ConfigNode node;
    node.at = place != nullptr ? place->at : fallback;
    if (value.is_table()) {
      node.value = table(value, place, node.at);
    } else if (value.is_array()) {
      node.value = array(value, place, node.at);
    } else if (value.is_string()) {
      node.value = toml::get<std::string>(value);
    } else if (value.is_integer()) {
      node.value = integer(toml::get<std::int64_t>(value), node.at);
    } else if (value.is_floating()) {
      node.value = real(toml::get<double>(value), node.at);
    } else if (value.is_boolean()) {
      node.value = toml::get<bool>(value);
    } else {
      problems_.push_back({file_, node.at, "no option takes a date or a time of day",
                           "put it in quotes if it is meant as a text"});
    }
    return node;
  }

 private:
  /// One of the library's versions cuts a number that fits no int64 to the ends of the range.
  ConfigNode::Value integer(std::int64_t number, const Position& at) {
    if (number != std::numeric_limits<std::int64_t>::max() &&
        number != std::numeric_limits<std::int64_t>::min()) {
      return number;
    }
    problems_.push_back({file_, at, "this number is too large", {}});
    return ConfigNode::Refused{};
  }

  /// The same version cuts what fits no double.
  ConfigNode::Value real(double number, const Position& at) {
    if (std::abs(number) != std::numeric_limits<double>::max()) return number;
    problems_.push_back({file_, at, "this number is too large", {}});
    return ConfigNode::Refused{};
  }

  ConfigNode::Table table(const toml::value& value, const PlaceTree* place, const Position& at) {
    ConfigNode::Table out;
    for (const auto& [key, member] : value.as_table()) {
      const PlaceTree* found = nullptr;
      if (place != nullptr) {
        const auto it = place->members.find(key);
        if (it != place->members.end()) found = it->second.get();
      }
      const Position& key_at = found != nullptr ? found->key_at : at;
      out.push_back({key, key_at, convert(member, found, at)});
    }
    // The library keeps its members in a hash map.
    std::sort(out.begin(), out.end(), [](const ConfigEntry& a, const ConfigEntry& b) {
      return std::tie(a.key_at.line, a.key_at.column, a.key) <
             std::tie(b.key_at.line, b.key_at.column, b.key);
    });
    return out;
  }

  ConfigNode::Array array(const toml::value& value, const PlaceTree* place, const Position& at) {
    ConfigNode::Array out;
    for (const toml::value& item : value.as_array()) {
      const bool known = place != nullptr && out.size() < place->items.size();
      out.push_back(convert(item, known ? place->items[out.size()].get() : nullptr, at));
    }
    return out;
  }

  std::string file_;
  Problems& problems_;
};

TomlFile failed(const std::string& path, std::string message, std::string hint) {
  TomlFile out;
  out.problems.push_back({path, {}, std::move(message), std::move(hint)});
  return out;
}

}  // namespace

TomlFile read_toml_text(std::string text, const std::string& name) {
  TomlFile out;
  // What Windows editors put in front says nothing, and one of the library's versions refuses it.
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0) {
    text.erase(0, kByteOrderMark.size());
  }
  out.source = std::move(text);
  if (auto problem = check_shape(out.source)) {
    problem->file = name;
    out.problems.push_back(std::move(*problem));
    return out;
  }
  toml::value parsed{toml::table{}};
  const SyntaxFault fault = parse_guarded(out.source, parsed);
  if (fault.line != 0) {
    Problem problem = advise_on_syntax(out.source, {fault.line, fault.column, 1}, fault.message);
    problem.file = name;
    out.problems.push_back(std::move(problem));
    return out;
  }
  const PlaceTree places = find_places(out.source);
  out.root = Converter{name, out.problems}.convert(parsed, &places, {});
  out.parsed = true;
  return out;
}

TomlFile read_toml_file(const std::string& path) {
  std::error_code fault;
  const auto kind = std::filesystem::status(path, fault).type();
  if (kind == std::filesystem::file_type::not_found) {
    return failed(path, "there is no such file", "name the configuration file with --config FILE");
  }
  if (kind == std::filesystem::file_type::directory) {
    return failed(path, "this is a folder, not a file",
                  "name the configuration file in it with --config FILE");
  }
  if (kind != std::filesystem::file_type::regular) {
    return failed(path, fault ? "cannot be read: " + fault.message() : "this is no regular file",
                  "name the configuration file with --config FILE");
  }
  errno = 0;
  std::ifstream stream{path, std::ios::binary};
  if (!stream) {
    return failed(path, std::string{"cannot be read: "} + std::strerror(errno),
                  "the user that runs sluice must be allowed to read it");
  }
  std::string text(kMaxConfigBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (stream.bad())
    return failed(path, "cannot be read to its end",
                  "look at the disk, or name another file with --config");
  if (text.size() > kMaxConfigBytes) {
    return failed(path, "larger than 1 MiB: this is hardly a configuration",
                  "name the configuration file with --config FILE");
  }
  return read_toml_text(std::move(text), path);
}

std::string toml_library() {
  return "toml11 " + std::to_string(TOML11_VERSION_MAJOR) + "." +
         std::to_string(TOML11_VERSION_MINOR) + "." + std::to_string(TOML11_VERSION_PATCH);
}

}  // namespace sluice::daemon
