// What all formats share: conditions, words, invalid values, times, scale.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/formats/formats.hpp"
#include "tests/unit/formats/decoding.hpp"

namespace sluice::formats {
namespace {

using testing::HasSubstr;
using Texts = std::vector<std::string>;

TEST(Mapping, NoReadingIsEverMadeOfNothing) {
  const auto json = decoder(json_format(), {{"sensor", "const:s"}, {"level", "/v"}});
  EXPECT_EQ(outcome(decode(*json, R"({"v":null})")), "not-a-number");
  EXPECT_EQ(outcome(decode(*json, R"({"v":""})")), "missing-level");
  EXPECT_EQ(outcome(decode(*json, R"({"v":" "})")), "missing-level");
  EXPECT_EQ(outcome(decode(*json, R"({"v":"---"})")), "not-a-number");
  EXPECT_EQ(outcome(decode(*json, R"({"v":"NaN"})")), "not-finite");
  EXPECT_EQ(outcome(decode(*json, R"({"v":true})")), "not-a-number");
  EXPECT_EQ(outcome(decode(*json, R"({"v":[1]})")), "not-a-number");
  EXPECT_EQ(outcome(decode(*json, R"({"v":{"v":1}})")), "not-a-number");
  EXPECT_EQ(outcome(decode(*json, R"({})")), "missing-level");
  EXPECT_EQ(outcome(decode(*json, "")), "missing-level");
  EXPECT_EQ(outcome(decode(*json, R"({"v":0})")), "0");
}

TEST(Mapping, InvalidValuesAreThoseOfThePayload) {
  const auto json = decoder(json_format(), {{"sensor", "const:s"},
                                            {"level", "/v"},
                                            {"scale", 0.1},
                                            {"invalid_values", Texts{"65533", "-999999"}}});
  EXPECT_EQ(outcome(decode(*json, R"({"v":65533})")), "invalid-value");
  EXPECT_EQ(outcome(decode(*json, R"({"v":65533.0})")), "invalid-value");
  EXPECT_EQ(outcome(decode(*json, R"({"v":"-999999"})")), "invalid-value");
  EXPECT_EQ(outcome(decode(*json, R"({"v":655330})")), "65533");
}

TEST(Mapping, LevelsThatTheSensorCannotMeasureAreRejected) {
  const auto text = decoder(
      text_format(), {{"sensor", "const:s"}, {"valid_min", -0.5}, {"valid_max", std::int64_t{8}}});
  EXPECT_EQ(outcome(decode(*text, "-0.5")), "-0.5");
  EXPECT_EQ(outcome(decode(*text, "8")), "8");
  EXPECT_EQ(decode(*text, "8.001").rejects.at(0).detail,
            "level payload is the text \"8.001\", above valid_max 8");
  EXPECT_EQ(outcome(decode(*text, "-1e300")), "out-of-range");
  EXPECT_EQ(outcome(decode(*text, "1e400")), "not-finite");
  const auto scaled = decoder(
      text_format(), {{"sensor", "const:s"}, {"scale", 0.01}, {"valid_min", std::int64_t{0}}});
  EXPECT_EQ(outcome(decode(*scaled, "250")), "2.5");
  EXPECT_EQ(decode(*scaled, "-250").rejects.at(0).detail,
            "level payload is the text \"-250\", after scale and offset -2.5, below valid_min 0");
}

TEST(Mapping, ScaleComesBeforeOffset) {
  const auto text = decoder(
      text_format(), {{"sensor", "const:s"}, {"scale", std::int64_t{-1}}, {"offset", 250.0}});
  EXPECT_EQ(outcome(decode(*text, "100")), "150");
  const auto large = decoder(text_format(), {{"sensor", "const:s"}, {"scale", 1e300}});
  EXPECT_EQ(outcome(decode(*large, "1e300")), "not-finite");
}

TEST(Mapping, WordsStandForLevelsWhereToldSo) {
  const auto text =
      decoder(text_format(), {{"sensor", "const:s"}, {"bool", Texts{"true=1", "a=b=2"}}});
  EXPECT_EQ(outcome(decode(*text, "true")), "1");
  EXPECT_EQ(outcome(decode(*text, "a=b")), "2");
  EXPECT_EQ(outcome(decode(*text, "TRUE")), "not-a-number");
  EXPECT_EQ(outcome(decode(*text, "7")), "7");
}

TEST(Mapping, WhatDoesNotMatchIsPassedOverInSilence) {
  const auto json = decoder(
      json_format(),
      {{"sensor", "const:s"}, {"level", "/v"}, {"match", Texts{"/model=Oil*", "topic:0=site"}}});
  EXPECT_EQ(outcome(decode(*json, R"({"model":"Oil-SonicSmart","v":1})")), "1");
  EXPECT_TRUE(decode(*json, R"({"model":"Rain","v":1})").is_silent());
  EXPECT_TRUE(decode(*json, R"({"v":1})").is_silent());
  EXPECT_TRUE(decode(*json, R"({"model":"Oil","v":1})", "other/x").is_silent());
}

TEST(Mapping, WhatIsRequiredIsRejectedWithTheReasonShown) {
  const auto json =
      decoder(json_format(),
              {{"sensor", "const:s"}, {"level", "/v"}, {"require", Texts{"/error=no error"}}});
  EXPECT_EQ(outcome(decode(*json, R"({"error":"no error","v":1})")), "1");
  const auto bad = decode(*json, R"({"error":"Rate too high","v":1})");
  EXPECT_EQ(outcome(bad), "invalid-value");
  EXPECT_EQ(bad.rejects.at(0).detail,
            R"(require /error is the text "Rate too high", required is "no error")");
  EXPECT_EQ(outcome(decode(*json, R"({"v":1})")), "invalid-value");
}

TEST(Mapping, SensorsAreWordsOfAnyBytes) {
  const auto json = decoder(json_format(), {{"sensor", "/id"}, {"level", "/v"}});
  EXPECT_EQ(decode(*json, R"({"id":140455926,"v":1})").readings.at(0).sensor, "140455926");
  EXPECT_EQ(decode(*json, R"({"id":18446744073709551615,"v":1})").readings.at(0).sensor,
            "18446744073709551615");
  EXPECT_EQ(decode(*json, R"({"id":1.50,"v":1})").readings.at(0).sensor, "1.50");
  EXPECT_EQ(decode(*json, R"({"id":"a\u0000/+#\u00fc","v":1})").readings.at(0).sensor,
            std::string("a\0/+#\xC3\xBC", 7));
  for (const auto* id : {"null", "true", "[]", "{}", R"("")"}) {
    const auto bad = decode(*json, R"({"v":1,"id":)" + std::string{id} + "}");
    EXPECT_EQ(outcome(bad), "missing-sensor") << id;
  }
  EXPECT_EQ(outcome(decode(*json, R"({"v":1})")), "missing-sensor");
  EXPECT_EQ(outcome(decode(*json, R"({"v":1,"id":")" + std::string(600, 'x') + "\"}")),
            "too-large");
}

TEST(Mapping, TopicLevelsCountFromAnEmptyFirstOne) {
  const auto text = decoder(text_format(), {{"sensor", "topic:2"}});
  EXPECT_EQ(decode(*text, "1", "/uplink/A1").readings.at(0).sensor, "A1");
  EXPECT_EQ(decode(*text, "1", "a/b/\xFF\n").readings.at(0).sensor, "\xFF\n");
  EXPECT_EQ(outcome(decode(*text, "1", "a/b")), "missing-sensor");
  EXPECT_EQ(outcome(decode(*text, "1", "a/b/")), "missing-sensor");
}

TEST(Mapping, ATemplateNeedsAllItsParts) {
  const auto json = decoder(
      json_format(), {{"sensor", "template:{topic:1}/{/n}"}, {"level", "/v"}, {"unit", "cm"}});
  const auto good = decode(*json, R"({"n":3,"v":1})");
  EXPECT_EQ(good.readings.at(0).sensor, "well-4/3");
  EXPECT_EQ(good.readings.at(0).unit, "cm");
  EXPECT_EQ(outcome(decode(*json, R"({"v":1})")), "missing-sensor");
}

TEST(Mapping, BadTimesAreRejectedOrReplacedAsTold) {
  const OptionList skip{{"sensor", "const:s"},
                        {"level", "/v"},
                        {"time", "/t"},
                        {"time_format", "epoch_s"},
                        {"min_time", "2015-01-01T00:00:00Z"},
                        {"max_future", "1h"}};
  const auto strict = decoder(json_format(), skip);
  const std::int64_t now = kReceived / 1000;
  const auto payload = [](const std::string& t) { return R"({"v":1,"t":)" + t + "}"; };
  for (const std::string& bad :
       {std::string{"946684810"}, std::to_string(now + 3601), std::string{"null"},
        std::string{"\"soon\""}, std::string{"9223372036854775807"}}) {
    EXPECT_EQ(outcome(decode(*strict, payload(bad))), "bad-time") << bad;
  }
  EXPECT_EQ(outcome(decode(*strict, R"({"v":1})")), "bad-time");
  const auto soon = decode(*strict, payload(std::to_string(now + 3600)));
  EXPECT_EQ(soon.readings.at(0).time, kReceived + 3'600'000);
  EXPECT_THAT(decode(*strict, payload("946684810")).rejects.at(0).detail,
              HasSubstr("lies before min_time"));

  const auto lenient = decoder(json_format(), {{"sensor", "const:s"},
                                               {"level", "/v"},
                                               {"time", "/t"},
                                               {"time_format", "epoch_s"},
                                               {"on_bad_time", "receipt"}});
  EXPECT_EQ(decode(*lenient, payload("null")).readings.at(0).time, kReceived);
  EXPECT_EQ(decode(*lenient, payload(std::to_string(now + 9999))).readings.at(0).time, kReceived);
}

using Numbers = std::vector<std::pair<std::string, std::int64_t>>;

TEST(Mapping, FindsTheNumberOfAMessage) {
  const auto json = decoder(json_format(), {{"sensor", "/s"}, {"level", "/v"}, {"sequence", "/n"}});
  EXPECT_EQ(decode(*json, R"({"s":"a","v":1,"n":7})").numbers, (Numbers{{"a", 7}}));
  EXPECT_EQ(decode(*json, R"({"s":"a","v":1,"n":"8"})").numbers, (Numbers{{"a", 8}}));
  EXPECT_EQ(decode(*json, R"({"s":"a","v":1,"n":9.0})").numbers, (Numbers{{"a", 9}}));
  EXPECT_EQ(decode(*json, R"({"s":"a","v":1,"n":9223372036854775807})").numbers,
            (Numbers{{"a", 9223372036854775807}}));
  const auto csv =
      decoder(csv_format(), {{"sensor", "col:0"}, {"level", "col:1"}, {"sequence", "col:2"}});
  EXPECT_EQ(decode(*csv, "a,1,5\nb,2, 6\n").numbers, (Numbers{{"a", 5}, {"b", 6}}));
  const auto text = decoder(text_format(), {{"sensor", "topic:0"}, {"sequence", "topic:2"}});
  EXPECT_EQ(decode(*text, "1.5", "mill/level/12").numbers, (Numbers{{"mill", 12}}));
}

TEST(Mapping, AReadingWhoseNumberIsNoneIsAReadingAllTheSame) {
  const auto json = decoder(json_format(), {{"sensor", "/s"}, {"level", "/v"}, {"sequence", "/n"}});
  for (const char* payload :
       {R"({"s":"a","v":1})", R"({"s":"a","v":1,"n":null})", R"({"s":"a","v":1,"n":-1})",
        R"({"s":"a","v":1,"n":1.5})", R"({"s":"a","v":1,"n":"x"})", R"({"s":"a","v":1,"n":true})",
        R"({"s":"a","v":1,"n":1e300})", R"({"s":"a","v":1,"n":18446744073709551616})",
        R"({"s":"a","v":1,"n":"-2"})", R"({"s":"a","v":1,"n":""})", R"({"s":"a","v":1,"n":[3]})"}) {
    const Decoded decoded = decode(*json, payload);
    EXPECT_EQ(outcome(decoded), "1") << payload;
    EXPECT_EQ(decoded.numbers, Numbers{}) << payload;
  }
}

TEST(Mapping, WhatIsRejectedOrPassedOverHasBeenCountedByTheSensor) {
  const auto json =
      decoder(json_format(),
              {{"sensor", "/s"}, {"level", "/v"}, {"sequence", "/n"}, {"match", Texts{"/port=2"}}});
  const Decoded rejected = decode(*json, R"({"s":"a","v":"bad","n":7,"port":2})");
  EXPECT_EQ(outcome(rejected), "not-a-number");
  EXPECT_EQ(rejected.numbers, (Numbers{{"a", 7}}));
  const Decoded passed_over = decode(*json, R"({"s":"a","n":8,"port":3})");
  EXPECT_TRUE(passed_over.is_silent());
  EXPECT_EQ(passed_over.numbers, (Numbers{{"a", 8}}));
  EXPECT_EQ(decode(*json, R"({"v":1,"n":9,"port":2})").numbers, Numbers{}) << "whose is it?";
}

TEST(Mapping, OptionsThatContradictEachOtherAreRefused) {
  const auto json = [](std::string_view name, OptionValue value) {
    return refusal(json_format(), {{"sensor", "/s"}, {"level", "/v"}, {name, std::move(value)}});
  };
  EXPECT_THAT(json("time_format", "epoch_s"), HasSubstr("'time': it is missing"));
  EXPECT_THAT(json("scale", std::int64_t{0}), HasSubstr("'scale'"));
  EXPECT_THAT(json("bool", Texts{"ON"}), HasSubstr("ON=1"));
  EXPECT_THAT(json("bool", Texts{"ON=on"}), HasSubstr("ON=1"));
  EXPECT_THAT(json("bool", Texts{"ON=1", " ON =0"}), HasSubstr("\"ON\" is there twice"));
  EXPECT_THAT(refusal(json_format(),
                      {{"sensor", "/s"}, {"level", "/v"}, {"valid_min", 2.0}, {"valid_max", 1.0}}),
              HasSubstr("'valid_min': it is above valid_max"));
  EXPECT_THAT(json("bool", Texts{"=1"}), HasSubstr("ON=1"));
  EXPECT_THAT(refusal(json_format(), {{"sensor", "const:"}, {"level", "/v"}}),
              HasSubstr("const:weir"));
  EXPECT_THAT(json("invalid_values", Texts{"x"}), HasSubstr("not a number"));
  EXPECT_THAT(json("match", Texts{"/model"}), HasSubstr("'match'"));
  EXPECT_THAT(json("require", Texts{"model=x"}), HasSubstr("'require'"));
  EXPECT_THAT(json("min_time", "yesterday"), HasSubstr("2015-01-01T00:00:00Z"));
  EXPECT_THAT(json("each", Texts{"data"}), HasSubstr("'each'"));
  EXPECT_THAT(json("on_bad_time", "panic"), HasSubstr("skip"));
  EXPECT_THAT(refusal(json_format(), {{"sensor", "/s"}}), HasSubstr("'level': it is missing"));
  EXPECT_THAT(refusal(json_format(),
                      {{"sensor", "/s"}, {"level", "/v"}, {"time", "/t"}, {"time_format", "none"}}),
              HasSubstr("'time_format'"));
}

TEST(Mapping, TopicLevelsMustBeOnesThatTheFilterHas) {
  // The daemon gives all options of the table, the filter among them.
  const auto check = [](const char* filter, const char* sensor) {
    Options options = Options::fallbacks(json_format().options());
    options.set("topic", std::string{filter});
    options.set("sensor", std::string{sensor});
    options.set("level", std::string{"/v"});
    const auto made = json_format().make_decoder(options);
    return made ? "" : made.error().message();
  };
  EXPECT_EQ(check("water/+/level", "topic:2"), "");
  EXPECT_EQ(check("water/#", "topic:7"), "");
  EXPECT_EQ(check("$share/g/water/+", "topic:1"), "");
  EXPECT_EQ(check("water/+/level", "topic:3"),
            "'topic': \"water/+/level\" has 3 levels, counted from 0, so there is no topic:3");
  EXPECT_THAT(check("water", "template:{topic:0}-{topic:1}"), HasSubstr("no topic:1"));
  EXPECT_THAT(check("$share/g/water/+", "topic:2"), HasSubstr("no topic:2"));
}

TEST(Mapping, EveryFormatsTableIsSound) {
  for (const Format* format : {&json_format(), &text_format(), &csv_format()}) {
    EXPECT_NO_THROW(Options::fallbacks(format->options()));
    EXPECT_FALSE(format->help().empty());
    for (const OptionSpec& spec : format->options()) {
      EXPECT_FALSE(spec.name.empty());
      EXPECT_FALSE(spec.help.empty()) << spec.name;
      EXPECT_NE(spec.help.back(), '.') << spec.name;
    }
  }
}

TEST(Mapping, DetailsArePrintable) {
  const auto text = decoder(text_format(), {{"sensor", "const:s"}});
  EXPECT_EQ(decode(*text, "\x1b[2Jboo").rejects.at(0).detail,
            R"(level payload is the text "\x1b[2Jboo", not a number)");
}

}  // namespace
}  // namespace sluice::formats
