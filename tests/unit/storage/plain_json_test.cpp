#include "storage/plain_json.hpp"

#include <gtest/gtest.h>

#include "storage/datum_column.hpp"

namespace sluice::storage {
namespace {

TEST(PlainJson, ReadsWhatTheWriterWrites) {
  const Datum values[] = {
      Datum{},
      Datum{true},
      Datum{false},
      Datum{0},
      Datum{-17},
      Datum{std::int64_t{123456789012345678}},
      Datum{0.1},
      Datum{-2.5e-300},
      Datum{3.0},
      Datum{"sensor-7"},
      Datum{Datum::List{}},
      Datum{Datum::List{Datum{1}, Datum{2.5}, Datum{Datum::List{Datum{"x"}}}}},
      Datum{Datum::Struct{}},
      Datum{Datum::Struct{{"count", Datum{3}}, {"mean", Datum{1.25}}}},
  };
  for (const Datum& value : values) {
    EXPECT_EQ(read_plain_json(datum_to_json(value)), value) << value.to_text();
  }
}

TEST(PlainJson, LeavesWhatIsSpecialToTheGeneralReader) {
  for (const char* json : {R"({"$real":"NaN"})", R"({"a":1,"$b":2})", R"("a\"b")", "\"\xC3\xA4\"",
                           "9223372036854775807", "-0", R"({"a":1,"a":2})", "[1, 2]"}) {
    EXPECT_EQ(read_plain_json(json), std::nullopt) << json;
  }
}

TEST(PlainJson, TakesNothingThatIsDamaged) {
  for (const char* json : {"",       "[",       "[1",       "[1,",        "[1,]",      "{",
                           "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "\"a",       "tru",
                           "nul",    "01",      "1.",       ".5",         "1e",        "1e+",
                           "-",      "1x",      "[]]",      "{}1",        "\"a\x01\"", "1e999"}) {
    EXPECT_EQ(read_plain_json(json), std::nullopt) << json;
  }
}

TEST(PlainJson, DoesNotFollowNestingForEver) {
  const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
  EXPECT_EQ(read_plain_json(deep), std::nullopt);
}

}  // namespace
}  // namespace sluice::storage
