// Feeds the files of a corpus to a fuzz target, without a fuzzer: every compiler can run it.
//
// Each file is given whole and cut short at up to 64 places, since cut-off input is what real
// transports deliver. An empty or missing corpus is a failure, not a success.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCuts = 64;

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void feed(const std::string& bytes, std::size_t size) {
  // A copy of exactly this size, so that a sanitizer sees a read past the end.
  const std::vector<std::uint8_t> exact(bytes.begin(),
                                        bytes.begin() + static_cast<std::ptrdiff_t>(size));
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

void replay(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  const std::string bytes{std::istreambuf_iterator<char>{in}, {}};
  feed(bytes, bytes.size());
  const std::size_t cuts = std::min(kCuts, bytes.size());
  for (std::size_t i = 0; i < cuts; ++i) feed(bytes, bytes.size() * i / cuts);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: " << argv[0] << " CORPUS_FOLDER…\n";
    return 64;
  }
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    const auto files = files_below(argv[i]);
    if (files.empty()) {
      std::cerr << argv[i] << ": no file to replay\n";
      return 1;
    }
    for (const auto& file : files) {
      // Named first: when the target crashes, the last line says on what.
      std::cout << file.string() << std::endl;  // NOLINT(performance-avoid-endl)
      replay(file);
      ++count;
    }
  }
  std::cout << count << " files replayed\n";
}
