#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>

#include "plugins/formats/formats.hpp"
#include "plugins/formats/limits.hpp"
#include "tests/unit/formats/decoding.hpp"

namespace sluice::formats {
namespace {

using testing::HasSubstr;
using Texts = std::vector<std::string>;
using namespace std::string_view_literals;

std::unique_ptr<Decoder> plain() {
  return decoder(json_format(), {{"sensor", "const:s"}, {"level", "/v"}});
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  while (times-- > 0) out += text;
  return out;
}

TEST(JsonFormat, LevelsAreTheNearestDouble) {
  const auto json = plain();
  const auto level = [&](const std::string& digits) {
    return outcome(decode(*json, R"({"v":)" + digits + "}"));
  };
  EXPECT_EQ(level("41.70000076293945"), "41.700000762939453");
  EXPECT_EQ(level("9007199254740993"), "9007199254740992");
  EXPECT_EQ(level("18446744073709551615"), "1.8446744073709552e+19");
  EXPECT_EQ(level("-9223372036854775808"), "-9.2233720368547758e+18");
  EXPECT_EQ(level("100000000000000000000000000"), "1e+26");
  EXPECT_EQ(decode(*json, R"({"v":1e-320})").readings.at(0).level, 1e-320);
  EXPECT_EQ(level("-0"), "0");
  EXPECT_EQ(level("1e-999"), "0");
  EXPECT_EQ(level("1e999"), "not-finite");
  EXPECT_EQ(level("-1e99999999999999999999"), "not-finite");
  EXPECT_EQ(level("\"1e999\""), "not-finite");
}

TEST(JsonFormat, WhatIsNotJsonIsMalformed) {
  const auto json = plain();
  for (const auto bad : {"Online"sv,
                         "nan"sv,
                         R"({"v":nan})"sv,
                         R"({"v":Infinity})"sv,
                         R"({"v":1)"sv,
                         R"({"v":1}})"sv,
                         R"({"v":1}{"v":2})"sv,
                         R"({'v':1})"sv,
                         R"({"v":01})"sv,
                         R"({"v":+1})"sv,
                         R"({"v":.5})"sv,
                         R"({"v":1,})"sv,
                         R"([1,])"sv,
                         "{\"v\"\0:1}"sv,
                         "{\"v\":1}\0x"sv,
                         "{\"v\":1}\0{\"v\":2}"sv,
                         "{\"v\":\"\x01\"}"sv,
                         "{\"v\":1,\"\xFF\":2}"sv,
                         "{\"v\":1,\"s\":\"\xED\xA0\x80\"}"sv,
                         R"({"v":"\ud800"})"sv,
                         "\xFF\xFE{\0}\0"sv,
                         R"(/*c*/{"v":1})"sv,
                         R"({"v":0x10})"sv}) {
    EXPECT_EQ(outcome(decode(*json, bad)), "malformed") << bad;
  }
}

TEST(JsonFormat, TheDetailShowsWhereItBroke) {
  const auto detail = decode(*plain(), R"({"SR04":{"Distance":nan}})").rejects.at(0).detail;
  EXPECT_THAT(detail, HasSubstr("not JSON at byte 22"));
  EXPECT_THAT(detail, HasSubstr("Distance"));
}

TEST(JsonFormat, AMemberNamedTwiceIsNobodysLevel) {
  EXPECT_EQ(outcome(decode(*plain(), R"({"v":1,"v":2})")), "malformed");
  EXPECT_EQ(outcome(decode(*plain(), R"({"v":1,"x":2,"x":3})")), "1");
  const auto deep = decoder(json_format(), {{"sensor", "/a/id"}, {"level", "/v"}});
  EXPECT_EQ(outcome(decode(*deep, R"({"v":1,"a":{"id":"x"},"a":{"id":"y"}})")), "malformed");
}

TEST(JsonFormat, AMemberNamedTwiceIsNobodysItem) {
  const auto json =
      decoder(json_format(), {{"sensor", "key"}, {"level", ""}, {"each", Texts{"/v"}}});
  EXPECT_EQ(outcome(decode(*json, R"({"v":{"a":1,"b":2}})")), "1 2");
  EXPECT_EQ(outcome(decode(*json, R"({"v":{"a":1,"b":2,"a":3}})")), "malformed");
  EXPECT_EQ(outcome(decode(*json, R"({"v":[1,1]})")), "1 1");
}

TEST(JsonFormat, LargePayloadsAreNotEvenLookedAt) {
  const auto json = plain();
  EXPECT_EQ(outcome(decode(*json, std::string(10 << 20, ' '))), "too-large");
  std::string just_fits = R"({"v":1})";
  just_fits.append(kMaxPayload - just_fits.size(), ' ');
  EXPECT_EQ(outcome(decode(*json, just_fits)), "1");
  EXPECT_EQ(outcome(decode(*json, just_fits + " ")), "too-large");
}

TEST(JsonFormat, DepthIsBounded) {
  const auto json = plain();
  const auto nested = [](std::size_t depth) {
    return R"({"v":1,"x":)" + repeated("[", depth - 1) + repeated("]", depth - 1) + "}";
  };
  EXPECT_EQ(outcome(decode(*json, nested(kMaxDepth))), "1");
  EXPECT_EQ(outcome(decode(*json, nested(kMaxDepth + 1))), "too-large");
  EXPECT_EQ(outcome(decode(*json, std::string(kMaxPayload, '['))), "too-large");
  EXPECT_EQ(outcome(decode(*json, repeated(R"({"a":)", 50'000))), "too-large");
}

TEST(JsonFormat, ADecoderIsAsGoodAsNewAfterAnyMessage) {
  const auto json = plain();
  EXPECT_EQ(outcome(decode(*json, R"({"v":7})")), "7");
  EXPECT_EQ(outcome(decode(*json, R"({"v":1,"x":[{)")), "malformed");
  EXPECT_EQ(outcome(decode(*json, std::string(1000, '['))), "too-large");
  EXPECT_EQ(outcome(decode(*json, R"({"w":7})")), "missing-level");
  EXPECT_EQ(outcome(decode(*json, R"({"v":8})")), "8");
}

TEST(JsonFormat, PointersFollowTheStandard) {
  const auto level = [](std::string_view pointer) {
    const auto json =
        decoder(json_format(), {{"sensor", "const:s"}, {"level", std::string{pointer}}});
    return outcome(decode(*json, R"({"a/b":1,"m~n":2,"":3,"l":[10,[20]],"0":4," ":5})"));
  };
  EXPECT_EQ(level("/a~1b"), "1");
  EXPECT_EQ(level("/m~0n"), "2");
  EXPECT_EQ(level("/"), "3");
  EXPECT_EQ(level("/l/0"), "10");
  EXPECT_EQ(level("/l/1/0"), "20");
  EXPECT_EQ(level("/0"), "4");
  EXPECT_EQ(level("/ "), "5");
  EXPECT_EQ(level("/l/00"), "missing-level");
  EXPECT_EQ(level("/l/-"), "missing-level");
  EXPECT_EQ(level("/l/2"), "missing-level");
  EXPECT_EQ(level("/l/18446744073709551616"), "missing-level");
  EXPECT_EQ(level("/a~1b/x"), "missing-level");
  EXPECT_EQ(level(""), "not-a-number");
}

TEST(JsonFormat, ABareNumberIsADocument) {
  const auto json = decoder(json_format(), {{"sensor", "const:s"}, {"level", ""}});
  EXPECT_EQ(outcome(decode(*json, " 12.5\n")), "12.5");
  EXPECT_EQ(outcome(decode(*json, "\"12.5\"")), "12.5");
}

TEST(JsonFormat, BatchesGiveEachItemItsOwnOutcome) {
  const auto json = decoder(json_format(), {{"sensor", "key"}, {"level", ""}, {"each", Texts{""}}});
  EXPECT_EQ(outcome(decode(*json, R"({"a":1,"b":null,"c":3,"":4})")),
            "1 3 not-a-number missing-sensor");
  EXPECT_EQ(decode(*json, "[5,6]").readings.at(1).sensor, "1");
  EXPECT_TRUE(decode(*json, "[]").is_silent());
  EXPECT_EQ(outcome(decode(*json, "5")), "missing-level");
}

TEST(JsonFormat, IterationsNestAndReachOutwards) {
  const auto json =
      decoder(json_format(), {{"sensor", "template:{root:/site}/{key:0}/{@0:/kind}/{key}"},
                              {"level", "/v"},
                              {"each", Texts{"/stations", "/probes"}}});
  const auto decoded = decode(*json, R"({"site":"dam","stations":{
      "north":{"kind":"k","probes":[{"v":1},{"v":2}]},
      "south":{"kind":"l","probes":[{"v":3}]},
      "west":{"kind":"m"}}})");
  EXPECT_EQ(outcome(decoded), "1 2 3 missing-level");
  EXPECT_EQ(decoded.readings.at(1).sensor, "dam/north/k/1");
  EXPECT_EQ(decoded.readings.at(2).sensor, "dam/south/l/0");
}

TEST(JsonFormat, AFullBatchWithReachesToTheRootIsTakenWhole) {
  const auto json =
      decoder(json_format(), {{"sensor", "root:/zz"}, {"level", ""}, {"each", Texts{""}}});
  std::string payload = "{";
  for (int i = 0; i < 20'000; ++i) payload += "\"" + std::to_string(i) + "\":1,";
  payload += R"("zz":2})";
  ASSERT_LT(payload.size(), kMaxPayload);
  EXPECT_EQ(decode(*json, payload).readings.size(), 20'001U);
}

TEST(JsonFormat, TheProcessLocaleChangesNothing) {
  // Present only where the system has it; the default locale is the other half of the test.
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
  const auto json = decoder(json_format(), {{"sensor", "/id"}, {"level", "/v"}});
  const auto decoded = decode(*json, R"({"id":1.5,"v":2.25})");
  std::setlocale(LC_NUMERIC, before.c_str());
  EXPECT_EQ(outcome(decoded), "2.25");
  EXPECT_EQ(decoded.readings.at(0).sensor, "1.5");
}

}  // namespace
}  // namespace sluice::formats
