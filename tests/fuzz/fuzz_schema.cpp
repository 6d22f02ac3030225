// Schema texts as a damaged database might hold them: the stored one, a NUL, the one of now. No
// crash; a text fits itself; a refusal says something.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pipeline/state/schema.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const std::size_t nul = text.find('\0');
  const std::string_view stored = text.substr(0, nul);
  const std::string_view current = nul == std::string_view::npos ? "" : text.substr(nul + 1);

  if (!sluice::check_schema(stored, stored)) std::abort();
  for (const std::string_view now :
       {current, std::string_view{"struct Mean{count:i64,mean:f64}"}}) {
    const auto status = sluice::check_schema(stored, now);
    if (!status && status.error().message().empty()) std::abort();
  }
  return 0;
}
