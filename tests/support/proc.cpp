#include "tests/support/proc.hpp"

#include <fstream>

namespace sluice::test {

std::optional<std::uint64_t> proc_number(pid_t pid, const std::string& file,
                                         const std::string& name) {
  std::ifstream in{"/proc/" + std::to_string(pid) + "/" + file};
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(name + ":")) return std::stoull(line.substr(name.size() + 1));
  }
  return std::nullopt;
}

}  // namespace sluice::test
