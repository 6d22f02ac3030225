#include "daemon/config/names.hpp"

#include <algorithm>

#include "pipeline/base/log.hpp"
#include "pipeline/base/text.hpp"

namespace sluice::daemon {

namespace {

constexpr std::size_t kLongestPrefix = 200;

Error invalid(std::string message) { return {ErrorCode::kInvalid, std::move(message)}; }

}  // namespace

Status check_name(std::string_view option, std::string_view name) {
  const std::string which = "'" + std::string{option} + "'";
  if (name.empty()) return invalid(which + " must not be empty");
  if (name.size() > kLongestName) {
    return invalid(which + " must have at most " + std::to_string(kLongestName) +
                   " characters, not " + std::to_string(name.size()));
  }
  if (!is_plain_name(name)) {
    return invalid(which + " may have letters a-z and A-Z, digits, '-', '_' and '.' only, not \"" +
                   printable(name) + "\"");
  }
  if (name == "." || name == "..") {
    return invalid(which + " must not be \"" + std::string{name} + "\"");
  }
  return Status::ok();
}

Status check_prefix(std::string_view prefix) {
  if (prefix.empty()) return invalid("'prefix' must not be empty");
  if (prefix.size() > kLongestPrefix) {
    return invalid("'prefix' must have at most " + std::to_string(kLongestPrefix) + " bytes");
  }
  const bool control = std::any_of(prefix.begin(), prefix.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
  if (control || prefix.find_first_of("+#") != std::string_view::npos) {
    return invalid("'prefix' must not contain +, # or control characters: \"" + printable(prefix) +
                   "\"");
  }
  if (prefix.front() == '$') {
    return invalid("'prefix' must not begin with $: brokers keep such topics to themselves");
  }
  if (prefix.front() == '/' || prefix.back() == '/' ||
      prefix.find("//") != std::string_view::npos) {
    return invalid("'prefix' must not begin or end with /, or have an empty level: \"" +
                   printable(prefix) + "\"");
  }
  return Status::ok();
}

void UniqueNames::add(const std::string& name, const Position& at) {
  const auto [first, is_new] = seen_.emplace(name, at);
  if (is_new) return;
  problems_.add(at,
                "two " + std::string{kind_} + " are named \"" + printable(name) + "\": lines " +
                    std::to_string(first->second.line) + " and " + std::to_string(at.line),
                "give one of them another name");
}

}  // namespace sluice::daemon
