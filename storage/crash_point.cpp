#include "storage/crash_point.hpp"

#ifdef SLUICE_CRASH_POINTS

#include <unistd.h>

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace sluice::storage::crash_points {
namespace {

/// As a shell reports a process that was killed by signal 9.
constexpr int kExitStatus = 137;

std::string_view wanted() {
  const char* text = std::getenv("SLUICE_CRASH_AT");
  return text == nullptr ? std::string_view{} : std::string_view{text};
}

std::atomic<int> reached{0};

}  // namespace

const bool armed = !wanted().empty();

void reach(const char* name) noexcept {
  std::string_view at = wanted();
  int times = 1;
  if (const auto colon = at.rfind(':'); colon != std::string_view::npos) {
    const std::string_view number = at.substr(colon + 1);
    std::from_chars(number.data(), number.data() + number.size(), times);
    at = at.substr(0, colon);
  }
  if (at != name || ++reached != times) return;
  ::_exit(kExitStatus);
}

}  // namespace sluice::storage::crash_points

#endif
