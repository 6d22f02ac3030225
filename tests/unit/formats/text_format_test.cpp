#include <gtest/gtest.h>

#include "plugins/formats/formats.hpp"
#include "plugins/formats/limits.hpp"
#include "tests/unit/formats/decoding.hpp"

namespace sluice::formats {
namespace {

using namespace std::string_view_literals;

TEST(TextFormat, TakesABareNumber) {
  const auto text = decoder(text_format(), {{"sensor", "topic:1"}, {"unit", "m"}});
  const auto decoded = decode(*text, " 1.48\r\n");
  ASSERT_EQ(outcome(decoded), "1.48");
  EXPECT_EQ(decoded.readings.at(0).sensor, "well-4");
  EXPECT_EQ(decoded.readings.at(0).unit, "m");
  EXPECT_EQ(decoded.readings.at(0).time, kReceived);
  EXPECT_EQ(outcome(decode(*text, "\"1834\"")), "1834");
  EXPECT_EQ(outcome(decode(*text,
                           "\xEF\xBB\xBF"
                           "7\0\0"sv)),
            "7");
}

TEST(TextFormat, GivesTheRightReasonForEveryWord) {
  const auto text = decoder(text_format(), {{"sensor", "topic:1"}});
  EXPECT_EQ(outcome(decode(*text, "")), "missing-level");
  EXPECT_EQ(outcome(decode(*text, "\"\"")), "missing-level");
  EXPECT_EQ(outcome(decode(*text, "\0\0"sv)), "missing-level");
  EXPECT_EQ(outcome(decode(*text, "nan")), "not-finite");
  EXPECT_EQ(outcome(decode(*text, "-inf")), "not-finite");
  EXPECT_EQ(outcome(decode(*text, "1e999")), "not-finite");
  for (const auto word : {"unavailable"sv, "unknown"sv, "None"sv, "---"sv, "2,32"sv, "Online"sv,
                          "1\0002"sv, "\""sv, "\"1"sv, "{\"v\":1}"sv, "unverf\xC3\xBCgbar"sv}) {
    EXPECT_EQ(outcome(decode(*text, word)), "not-a-number") << word;
  }
  EXPECT_EQ(outcome(decode(*text, "unverf\xFCgbar")), "malformed");
  EXPECT_EQ(outcome(decode(*text, std::string(10 << 20, '1'))), "too-large");
  EXPECT_EQ(outcome(decode(*text, std::string(kMaxPayload, '1'))), "not-finite");
}

TEST(TextFormat, TakesADecimalCommaWhereToldSo) {
  const auto text = decoder(text_format(), {{"sensor", "topic:1"}, {"decimal_comma", true}});
  EXPECT_EQ(outcome(decode(*text, "2,5")), "2.5");
  EXPECT_EQ(outcome(decode(*text, "1.000")), "not-a-number");
}

}  // namespace
}  // namespace sluice::formats
