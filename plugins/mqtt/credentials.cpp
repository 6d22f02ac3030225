#include "plugins/mqtt/credentials.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

#include "pipeline/base/text.hpp"

namespace sluice::mqtt {
namespace {

// What Windows editors put in front of a text says nothing.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kMostBytes = 64 * 1024;  // a wrong path must not read a database into memory

Error invalid(const std::string& path, std::string_view why) {
  return Error{ErrorCode::kInvalid, "credentials file " + path + " " + std::string{why}};
}

std::vector<std::string> read_lines(std::ifstream& file) {
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  for (std::string line; bytes < kMostBytes && std::getline(file, line); bytes += line.size()) {
    if (bytes == 0 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    if (line.ends_with('\r')) line.pop_back();
    const std::string_view text = trimmed(line);
    // Behind the user name a line is a password, whatever it looks like.
    if (lines.empty() && (text.empty() || text.starts_with('#'))) continue;
    lines.push_back(std::move(line));
  }
  return lines;
}

// The value of `key = value`; nothing if the line is not of that key.
std::optional<std::string> value_of(std::string_view line, std::string_view key) {
  line = trimmed(line);
  if (!line.starts_with(key)) return std::nullopt;
  line = trimmed(line.substr(key.size()));
  if (!line.starts_with('=')) return std::nullopt;
  line = trimmed(line.substr(1));
  if (line.size() >= 2 && line.front() == '"' && line.back() == '"')
    line = line.substr(1, line.size() - 2);
  return std::string{line};
}

bool is_named(const std::vector<std::string>& lines) {
  for (const std::string_view key : {"user", "username", "password"})
    if (value_of(lines.front(), key)) return true;
  return false;
}

Result<Credentials> named(const std::string& path, const std::vector<std::string>& lines) {
  std::optional<std::string> user;
  std::optional<std::string> password;
  bool twice = false;
  const auto set = [&](std::optional<std::string>& field, std::optional<std::string> value) {
    twice = twice || field;
    field = std::move(value);
  };
  for (const std::string& line : lines) {
    if (auto text = value_of(line, "user"))
      set(user, text);
    else if (auto name = value_of(line, "username"))
      set(user, name);
    else if (auto secret = value_of(line, "password"))
      set(password, secret);
    else if (const auto rest = trimmed(line); !rest.empty() && !rest.starts_with('#'))
      return invalid(path, "has a line that is neither \"user = …\" nor \"password = …\"");
  }
  if (twice) return invalid(path, "has user name or password twice: remove one of the lines");
  if (!user || user->empty()) return invalid(path, "has no user name: add a line \"user = …\"");
  if (!password) return invalid(path, "has no password: add a line \"password = …\"");
  return Credentials{*user, *password, false};
}

Result<Credentials> parse(const std::string& path, std::vector<std::string> lines) {
  if (lines.empty())
    return invalid(path,
                   "is empty: write the user name on the first line and the password on the "
                   "second");
  for (const std::string& line : lines)
    if (line.find('\0') != std::string::npos)
      return invalid(path, "has a NUL byte: it is no text file, write it anew");
  if (is_named(lines)) return named(path, lines);
  while (lines.size() > 2 && trimmed(lines.back()).empty()) lines.pop_back();
  if (lines.size() != 2)
    return invalid(path, "has " + std::to_string(lines.size()) +
                             " lines: it needs two, the user name and then the password");
  return Credentials{std::string{trimmed(lines[0])}, lines[1], false};
}

}  // namespace

Result<Credentials> read_credentials(const std::string& path) {
  std::ifstream file{path};
  struct ::stat facts {};
  if (!file || ::stat(path.c_str(), &facts) != 0) {
    const int fault = errno;
    const std::string what = "cannot read credentials file " + path + ": " + std::strerror(fault);
    if (fault == ENOENT)
      return Error{ErrorCode::kNotFound, what +
                                             "; create it with user name and password on two "
                                             "lines, or remove 'credentials_file'"};
    return Error{ErrorCode::kIo, what + "; the user that runs the daemon must be able to read it"};
  }
  if (!S_ISREG(facts.st_mode) && !S_ISFIFO(facts.st_mode) && !S_ISCHR(facts.st_mode))
    return invalid(path, "is not a file: name the file itself");
  auto credentials = parse(path, read_lines(file));
  if (credentials) credentials->world_readable = (facts.st_mode & S_IROTH) != 0;
  return credentials;
}

}  // namespace sluice::mqtt
