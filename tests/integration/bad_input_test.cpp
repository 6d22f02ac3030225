// Payloads and names that nobody would send: counted, shown, and of no other consequence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "tests/integration/database.hpp"
#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

struct BadPayload {
  const char* name;
  std::string payload;
  const char* reason;
};

class BadInput : public testing::TestWithParam<BadPayload> {
 protected:
  MosquittoBroker broker_;
  Site site_{broker_};
};
INSTANTIATE_TEST_SUITE_P(
    Of, BadInput,
    testing::Values(
        BadPayload{"NoJson", "water is high", "malformed"},
        BadPayload{"HalfAnObject", R"({"sensor":"mill","lev)", "malformed"},
        BadPayload{"BytesThatAreNoText", "\xff\xfe\x01", "malformed"},
        BadPayload{"NoLevel", R"({"sensor":"mill"})", "missing-level"},
        BadPayload{"NothingAtAll", "", "missing-level"},
        BadPayload{"NoSensor", R"({"level":5})", "missing-sensor"},
        BadPayload{"AText", R"({"sensor":"mill","level":"high"})", "not-a-number"},
        BadPayload{"Null", R"({"sensor":"mill","level":null})", "not-a-number"},
        BadPayload{"AnEmptyText", R"({"sensor":"mill","level":""})", "missing-level"},
        BadPayload{"NanAsText", R"({"sensor":"mill","level":"NaN"})", "not-finite"},
        BadPayload{"InfinityAsText", R"({"sensor":"mill","level":"-inf"})", "not-finite"},
        BadPayload{"ANumberBeyondAllNumbers", R"({"sensor":"mill","level":1e999})", "not-finite"}),
    [](const auto& one) { return std::string{one.param.name}; });

TEST_P(BadInput, IsCountedAndPublishedAndDisturbsNothingElse) {
  const auto& [name, payload, reason] = GetParam();
  site_.start();
  site_.send("mill", 10);
  site_.send_raw(payload);
  const Told told = site_.wait_for("rejected/levels");
  EXPECT_EQ(text_at(told.document, "reason"), reason) << told.document.to_text();
  EXPECT_EQ(text_at(told.document, "topic"), "site/x/level");
  EXPECT_NE(text_at(told.document, "detail"), "");

  site_.send("mill", 30);
  EXPECT_EQ(number_at(site_.wait_for("alert/jump/mill").document, "value"), 30);
  const Datum status =
      site_.wait_for_status([](const Datum& all) { return number_at(all, "readings") == 2; });
  EXPECT_EQ(number_at(status, "rejected", "levels", reason), 1) << status.to_text();
  EXPECT_EQ(at(status, "rejected").get_if<Datum::Struct>()->size(), 1U) << status.to_text();
}

TEST(BadInputOfOneKind, IsLoggedOnceAMinuteAndCountedEachTime) {
  MosquittoBroker broker;
  Site site{broker};
  site.start();
  for (int n = 0; n < 50; ++n) site.send_raw("nonsense \x1b[31m \n" + std::to_string(n));
  site.wait_for_status(
      [](const Datum& all) { return number_at(all, "rejected", "levels", "malformed") == 50; });
  const std::string log = site.daemon().errors();
  EXPECT_EQ(log.find('\x1b'), std::string::npos) << "a sender may not paint on our terminal";
  std::size_t lines = 0;
  for (auto at = log.find("no reading"); at != std::string::npos;
       at = log.find("no reading", at + 1))
    ++lines;
  EXPECT_EQ(lines, 1U) << log;
}

TEST(PayloadsThatAreTooLarge, AreCountedAndLeftAlone) {
  MosquittoBroker broker;
  Site site{broker, {.other_tables = "[limits]\npayload_size = \"1KiB\"\n"}};
  site.start();
  site.send_raw(R"({"sensor":"mill","level":5,"fill":")" + std::string(2000, 'x') + "\"}");
  const Told told = site.wait_for("rejected/levels");
  EXPECT_EQ(text_at(told.document, "reason"), "too-large");
  EXPECT_LT(told.document.to_text().size(), 1000U) << "an excerpt, not all of it";
}

// No broker keeps it back with 3.1.1, nor with 5 up to what we ask for.
TEST(PayloadsThatAreTooLarge, AreAcknowledgedAndReachNoDisk) {
  MosquittoBroker broker;
  Site site{broker, {.protocol = "3.1.1"}};
  site.start();
  site.send("mill", 10);
  const std::string huge(20 << 20, '"');
  site.send_raw(huge);
  site.set("flood", huge, false);
  const Told told = site.wait_for("rejected/levels");
  EXPECT_EQ(text_at(told.document, "reason"), "too-large");
  EXPECT_EQ(text_at(told.document, "payload"), std::string(80, '"') + "…");
  const Datum answer = site.wait_for("config-result/flood").document;
  EXPECT_EQ(at(answer, "accepted"), Datum{false});
  EXPECT_EQ(text_at(answer, "reason"), "it is larger than limits.payload_size allows");
  site.send("mill", 30);
  EXPECT_EQ(number_at(site.wait_for("alert/jump/mill").document, "value"), 30);
  EXPECT_THAT(site.daemon().errors(), testing::HasSubstr("a message of 20971520 bytes on "));
  const Datum status = site.wait_for_status([](const Datum&) { return true; });
  EXPECT_LT(number_at(status, "journal", "bytes"), 1 << 20);

  ASSERT_EQ(site.stop(SIGTERM), (ExitStatus{.code = 0, .signal = {}}));
  site.reconnect_probe();
  site.start();
  site.send("mill", 50);
  EXPECT_EQ(number_at(site.wait_for("alert/jump/mill").document, "value"), 50);
  const Datum after =
      site.wait_for_status([](const Datum& all) { return number_at(all, "readings") == 1; });
  EXPECT_EQ(number_at(after, "messages"), 2) << "this one and the command: " << after.to_text();
}

TEST(OurOwnPublications, AreNoReadingsForASourceThatTakesEverything) {
  MosquittoBroker broker;
  Site site{broker,
            {.source = "[[source]]\nname = \"all\"\ntopic = \"#\"\nformat = \"json\"\n"
                       "sensor = \"/sensor\"\nlevel = \"/level\"\n"
                       "[[source]]\nname = \"values\"\ntopic = \"sluice/test/value/#\"\n"
                       "format = \"json\"\nsensor = \"/sensor\"\nlevel = \"/value\"\n"}};
  site.start();
  site.send("mill", 10);
  site.send("mill", 130);
  site.wait_for("alert/flood/mill");
  site.send_raw("nonsense");
  site.wait_for("rejected/all");
  site.send("mill", 131);
  site.wait_for("value/mean/mill", [](const Datum& value) {
    return number_at(value, "value") > 90;  // of three
  });
  const Datum status =
      site.wait_for_status([](const Datum& all) { return number_at(all, "readings") >= 3; });
  EXPECT_EQ(number_at(status, "readings"), 3) << status.to_text();
  EXPECT_EQ(number_at(status, "rejected", "all", "malformed"), 1) << status.to_text();
  EXPECT_EQ(at(status, "rejected").get_if<Datum::Struct>()->size(), 1U) << status.to_text();
  EXPECT_THAT(site.daemon().errors(),
              testing::HasSubstr("comes back by the topic filter of source 'all' and is left out"));
}

struct OddSensor {
  const char* name;
  std::string sensor;
  std::string level_of_topic;
};

class OddNames : public testing::TestWithParam<OddSensor> {};
INSTANTIATE_TEST_SUITE_P(With, OddNames,
                         testing::Values(OddSensor{"ASlash", "a/b", "a%2Fb"},
                                         OddSensor{"APlus", "+", "%2B"},
                                         OddSensor{"AHash", "#", "%23"},
                                         OddSensor{"ASpace", "two words", "two%20words"},
                                         OddSensor{"AnUmlaut", "Überlauf", "%C3%9Cberlauf"},
                                         OddSensor{"APercentSign", "50%25", "50%2525"},
                                         OddSensor{"ANul", std::string{"nul\0nul", 7}, "nul%00nul"},
                                         OddSensor{"ALineEnd", "line\nend", "line%0Aend"}),
                         [](const auto& one) { return std::string{one.param.name}; });

TEST_P(OddNames, BreakNoTopicAndNoRow) {
  const auto& [name, sensor, level_of_topic] = GetParam();
  MosquittoBroker broker;
  Site site{broker};
  site.start();
  site.send(sensor, 101);
  const Told alert = site.wait_for("alert/flood/");
  EXPECT_EQ(alert.topic, Site::topic("alert/flood/" + level_of_topic));
  EXPECT_EQ(text_at(alert.document, "sensor"), sensor);

  ASSERT_EQ(site.stop(SIGTERM), (ExitStatus{.code = 0, .signal = {}}));
  const std::string where = " FROM state_view WHERE operator = 'mean' AND state = 'mean'";
  EXPECT_EQ(query_one(site.data() / "sluice.db", "SELECT CAST(key AS BLOB)" + where), sensor);
  site.start();
  site.send(sensor, 103);
  site.wait_for("value/mean/" + level_of_topic,
                [](const Datum& value) { return number_at(value, "value") == 102; });
}

TEST_P(OddNames, MayHaveSettingsOfTheirOwn) {
  const auto& [name, sensor, level_of_topic] = GetParam();
  MosquittoBroker broker;
  Site site{broker};
  site.start();
  site.set("flood/" + level_of_topic, "42");
  site.wait_for("config-result/flood/" + level_of_topic);
  site.send(sensor, 43);
  EXPECT_EQ(number_at(site.wait_for("alert/flood/").document, "limit"), 42);
}

}  // namespace
}  // namespace sluice::test
