#include "daemon/process_io.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <string_view>

namespace sluice::daemon {

std::optional<std::uint64_t> process_written_bytes() {
  const int fd = ::open("/proc/self/io", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  char buffer[512];
  const ssize_t size = ::read(fd, buffer, sizeof buffer);
  ::close(fd);
  if (size <= 0) return std::nullopt;
  const std::string_view text{buffer, static_cast<std::size_t>(size)};
  constexpr std::string_view kName = "\nwrite_bytes: ";
  const std::size_t at = text.find(kName);
  if (at == std::string_view::npos) return std::nullopt;
  std::uint64_t value = 0;
  const char* digits = text.data() + at + kName.size();
  if (std::from_chars(digits, text.data() + text.size(), value).ec != std::errc{}) {
    return std::nullopt;
  }
  return value;
}

}  // namespace sluice::daemon
