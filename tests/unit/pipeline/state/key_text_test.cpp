#include "pipeline/state/key_text.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sluice::detail {
namespace {

TEST(KeyText, ComparesLikeStringsAtEveryLength) {
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string text(length, 'x');
    EXPECT_TRUE(same_text(text, std::string{text}));
    EXPECT_FALSE(same_text(text, text + "x"));
    for (std::size_t at = 0; at < length; ++at) {
      std::string other = text;
      other[at] = 'y';
      EXPECT_FALSE(same_text(text, other)) << length << " at " << at;
      EXPECT_NE(text_hash(text), text_hash(other)) << length << " at " << at;
    }
  }
}

TEST(KeyText, HashesManySimilarNamesDifferently) {
  std::set<std::uint64_t> hashes;
  for (int i = 0; i < 100'000; ++i) hashes.insert(text_hash("sensor-" + std::to_string(i)));
  EXPECT_EQ(hashes.size(), 100'000U);
}

}  // namespace
}  // namespace sluice::detail
