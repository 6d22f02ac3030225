#include "storage/crc32c.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace sluice::storage {
namespace {

TEST(Crc32c, GivesTheNumbersOfRfc3720) {
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
  std::string rising;
  for (int n = 0; n < 32; ++n) rising.push_back(static_cast<char>(n));
  EXPECT_EQ(crc32c(rising), 0x46DD794EU);
}

TEST(Crc32c, IsTheSameWithAndWithoutTheInstruction) {
  std::mt19937 random{1};
  for (std::size_t size = 0; size < 200; ++size) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    EXPECT_EQ(crc32c(bytes), detail::crc32c_portable(0, bytes)) << size;
  }
}

TEST(Crc32c, CanBeComputedInPieces) {
  const std::string all = "level=3.14 at the weir, and some more bytes to pass eight";
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    const std::string_view view{all};
    EXPECT_EQ(crc32c_extend(crc32c(view.substr(0, cut)), view.substr(cut)), crc32c(all));
  }
}

}  // namespace
}  // namespace sluice::storage
