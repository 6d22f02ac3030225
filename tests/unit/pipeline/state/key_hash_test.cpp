// KS-08: hash codes are Java's, and groups and instances Flink's.
#include "pipeline/state/key_hash.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "pipeline/state/typed_key_space.hpp"

namespace sluice {
namespace {

using namespace std::string_view_literals;

TEST(KeyHash, TextsHashAsInJava) {
  EXPECT_EQ(java_hash(""sv), 0);
  EXPECT_EQ(java_hash("a"sv), 97);
  EXPECT_EQ(java_hash("hello"sv), 99162322);
  EXPECT_EQ(java_hash("Hello World"sv), -862545276);
  EXPECT_EQ(java_hash("Aa"sv), java_hash("BB"sv));
  EXPECT_EQ(java_hash("polygenelubricants"sv), std::numeric_limits<std::int32_t>::min());
}

TEST(KeyHash, TextsHashOverUtf16Units) {
  EXPECT_EQ(java_hash("ü"sv), 0xFC);
  EXPECT_EQ(java_hash("€"sv), 0x20AC);
  EXPECT_EQ(java_hash("💧"sv), 31 * 0xD83D + 0xDCA7);
}

TEST(KeyHash, BytesThatAreNoUtf8HashToo) {
  EXPECT_EQ(java_hash("\xFF"sv), 0xFF);
  EXPECT_EQ(java_hash("\xC3"sv), 0xC3) << "a cut-off character";
  EXPECT_EQ(java_hash("\xC3x"sv), 31 * 0xC3 + 'x');
  EXPECT_EQ(java_hash("\xC0\xAF"sv), 31 * 0xC0 + 0xAF) << "an overlong form is no character";
  EXPECT_EQ(java_hash("\xED\xA0"sv), 31 * 0xED + 0xA0);
}

TEST(KeyHash, NumbersHashAsInJava) {
  EXPECT_EQ(java_hash(true), 1231);
  EXPECT_EQ(java_hash(false), 1237);
  EXPECT_EQ(java_hash(-5), -5);
  EXPECT_EQ(java_hash(std::int64_t{1} << 32), 1);
  EXPECT_EQ(java_hash(std::int64_t{-1}), 0);
  EXPECT_EQ(java_hash(1.0), 1072693248);
  EXPECT_EQ(java_hash(-0.0), java_hash(0.0)) << "they are one key by ==";
}

/// The mixing of MurmurHash3, written again from its definition.
std::uint32_t murmur(std::uint32_t word) {
  word *= 0xcc9e2d51U;
  word = (word << 15) | (word >> 17);
  word *= 0x1b873593U;
  std::uint32_t hash = (word << 13) | (word >> 19);
  hash = hash * 5 + 0xe6546b64U;
  hash ^= 4;
  hash = (hash ^ (hash >> 16)) * 0x85ebca6bU;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35U;
  return hash ^ (hash >> 16);
}

TEST(KeyHash, GroupsAreTheMurmurHashMadePositive) {
  for (const std::int32_t code :
       {0, 1, -1, 97, 99162322, std::numeric_limits<std::int32_t>::min()}) {
    const auto hash = static_cast<std::int64_t>(
        static_cast<std::int32_t>(murmur(static_cast<std::uint32_t>(code))));
    EXPECT_EQ(key_group_of(code, 128), (hash < 0 ? -hash : hash) % 128) << code;
  }
}

TEST(KeyHash, EachInstanceOwnsAContiguousRunOfGroups) {
  for (const std::uint32_t parallelism : {1U, 2U, 3U, 7U, 128U}) {
    for (std::uint32_t i = 0; i < parallelism; ++i) {
      const std::uint32_t first = (i * 128 + parallelism - 1) / parallelism;
      const std::uint32_t last = ((i + 1) * 128 - 1) / parallelism;
      EXPECT_EQ(subtask_of(first, parallelism, 128), i);
      EXPECT_EQ(subtask_of(last, parallelism, 128), i);
    }
  }
}

TEST(KeyHash, TheDefaultNumberOfGroupsIsFlinks) {
  EXPECT_EQ(default_max_parallelism(1), 128U);
  EXPECT_EQ(default_max_parallelism(85), 128U);
  EXPECT_EQ(default_max_parallelism(86), 256U);
  EXPECT_EQ(default_max_parallelism(171), 256U) << "171 + 85 is a power of two itself";
  EXPECT_EQ(default_max_parallelism(172), 512U);
  EXPECT_EQ(default_max_parallelism(30'000), 32768U);
}

TEST(KeyHash, ManyKeysReachAllGroups) {
  std::set<std::uint32_t> groups;
  for (int i = 0; i < 5000; ++i)
    groups.insert(key_group_of(java_hash("sensor-" + std::to_string(i)), 128));
  EXPECT_EQ(groups.size(), 128U);
}

// KS-03: what may be a key, and what does not compile as one.
enum class Colour : std::uint8_t { kRed };
struct Place {
  int x{};
  friend bool operator==(const Place&, const Place&) = default;
};
SLUICE_FIELDS(Place, x)
struct Unequal {
  int x{};
};
SLUICE_FIELDS(Unequal, x)
static_assert(KeyType<std::string>);
static_assert(KeyType<std::int64_t>);
static_assert(KeyType<bool>);
static_assert(KeyType<std::optional<std::string>>, "a null key is refused when it comes: KS-07");
static_assert(!KeyType<Colour>);
static_assert(!KeyType<const char*>);
static_assert(!KeyType<int*>);
static_assert(!KeyType<int[4]>);
static_assert(Place{} == Place{});
static_assert(KeyType<Place> && KeyType<std::pair<Place, bool>> && KeyType<std::tuple<Place, int>>);
static_assert(!KeyType<Unequal>, "it has a hash, but no operator==");
static_assert(!KeyType<std::vector<int>> && !KeyType<std::pair<int, std::vector<int>>>);

}  // namespace
}  // namespace sluice
