// Files of the source tree, for tests that hold documents to what the code says.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace sluice::water {

/// The whole file; `path` is from the root of the sources.
inline std::string text_of(const std::string& path) {
  std::ifstream file{std::string{SLUICE_SOURCE_DIR} + "/" + path, std::ios::binary};
  if (!file) throw std::runtime_error{"cannot open " + path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace sluice::water
