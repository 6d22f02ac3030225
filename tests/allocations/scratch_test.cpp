// What a decoder keeps for the next message: the room of an ordinary one, not that of a giant.
#include <gtest/gtest.h>

#include "plugins/formats/json_document.hpp"
#include "tests/support/counting_new.hpp"

namespace sluice::formats {
namespace {

std::uint64_t allocations_for(JsonDocument& document, const std::string& text) {
  const std::uint64_t before = test::allocations();
  EXPECT_EQ(document.parse(text).fault, JsonDocument::Fault::kNone);
  return test::allocations() - before;
}

TEST(JsonScratch, IsKeptAndThatOfAGiantIsGivenBack) {
  const std::string small = R"({"level": 4.5, "sensor": "a-name-that-needs-some-room-of-its-own"})";
  std::string giant = "[1";
  for (int i = 0; i < 10'000; ++i) giant += ",1";
  giant += "]";
  JsonDocument document;
  allocations_for(document, small);
  const std::uint64_t usual = allocations_for(document, small);
  allocations_for(document, giant);
  EXPECT_GT(allocations_for(document, small), usual) << "the giant's room served the small one";
  EXPECT_EQ(allocations_for(document, small), usual);
}

}  // namespace
}  // namespace sluice::formats
