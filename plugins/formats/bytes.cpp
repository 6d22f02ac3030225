#include "plugins/formats/bytes.hpp"

#include "pipeline/base/text.hpp"

namespace sluice::formats {

std::string_view without_accidents(std::string_view payload) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (payload.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    payload.remove_prefix(kByteOrderMark.size());
  }
  while (!payload.empty() && (payload.back() == '\0' || is_space(payload.back()))) {
    payload.remove_suffix(1);
  }
  return payload;
}

}  // namespace sluice::formats
