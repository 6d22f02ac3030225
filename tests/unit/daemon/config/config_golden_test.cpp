// Every tests/golden/config/broken-*.toml is printed as the .txt beside it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "daemon/config/config.hpp"
#include "tests/unit/daemon/config/fake_catalog.hpp"

namespace sluice::daemon {
namespace {

const std::filesystem::path kFolder{"tests/golden/config"};

std::vector<std::string> broken_files() {
  std::vector<std::string> out;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path{SLUICE_SOURCE_DIR} / kFolder)) {
    if (entry.path().extension() == ".toml") out.push_back(entry.path().stem().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream stream{path, std::ios::binary};
  EXPECT_TRUE(stream) << path;
  return {std::istreambuf_iterator<char>{stream}, {}};
}

class BrokenConfig : public testing::TestWithParam<std::string> {};

TEST_P(BrokenConfig, IsPrintedWithPlaceAndCure) {
  const std::filesystem::path folder = std::filesystem::path{SLUICE_SOURCE_DIR} / kFolder;
  const std::string name = GetParam() + ".toml";
  const LoadedConfig loaded =
      load_config_text(read(folder / name), (kFolder / name).string(), FakeCatalog{});
  EXPECT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.rendered(), read(folder / (GetParam() + ".txt")));
}

INSTANTIATE_TEST_SUITE_P(Golden, BrokenConfig, testing::ValuesIn(broken_files()),
                         [](const auto& i) {
                           std::string name = i.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(BrokenConfigs, AreAtLeastTen) { EXPECT_GE(broken_files().size(), 10U); }

}  // namespace
}  // namespace sluice::daemon
