#include "daemon/topics.hpp"

#include <gtest/gtest.h>

namespace sluice::daemon {
namespace {

TEST(TopicLevels, KeepPlainNamesAsTheyAre) {
  EXPECT_EQ(encode_topic_level("mill-bridge_2.a~Z9"), "mill-bridge_2.a~Z9");
}

TEST(TopicLevels, HideAllThatHasAMeaningInTopics) {
  EXPECT_EQ(encode_topic_level("a/b+#$ %"), "a%2Fb%2B%23%24%20%25");
  EXPECT_EQ(encode_topic_level(std::string{"\0\xff", 2}), "%00%FF");
}

TEST(TopicLevels, GiveBackEveryByte) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(decode_topic_level(encode_topic_level(all)), all);
}

TEST(TopicLevels, AreReadAsTheyAreWhereTheyAreNotEncoded) {
  EXPECT_EQ(decode_topic_level("50% full"), "50% full");
  EXPECT_EQ(decode_topic_level("a%2"), "a%2");
  EXPECT_EQ(decode_topic_level("a%zz"), "a%zz");
  EXPECT_EQ(decode_topic_level("%2f%2F"), "//");
}

class TopicsTest : public testing::Test {
 protected:
  Topics topics_{"sluice/t"};
};

TEST_F(TopicsTest, HoldOneLevelForEachName) {
  EXPECT_EQ(topics_.alert("flood", "a/b"), "sluice/t/alert/flood/a%2Fb");
  EXPECT_EQ(topics_.alarm("flood", "#"), "sluice/t/alarm/flood/%23");
  EXPECT_EQ(topics_.value("mean", "x"), "sluice/t/value/mean/x");
  EXPECT_EQ(topics_.rejected("my source"), "sluice/t/rejected/my%20source");
  EXPECT_EQ(topics_.config_result("flood", ""), "sluice/t/config-result/flood");
  EXPECT_EQ(topics_.config_result("flood", "+"), "sluice/t/config-result/flood/%2B");
  EXPECT_EQ(topics_.status_detail(), "sluice/t/status/detail");
}

TEST_F(TopicsTest, SayWhatASettingIsFor) {
  const auto whole = topics_.parse_config("sluice/t/config/flood");
  EXPECT_TRUE(whole.valid);
  EXPECT_EQ(whole.monitor, "flood");
  EXPECT_EQ(whole.sensor, "");
  const auto one = topics_.parse_config("sluice/t/config/flood/a%2Fb");
  EXPECT_TRUE(one.valid);
  EXPECT_EQ(one.sensor, "a/b");
}

TEST_F(TopicsTest, KnowWhatIsNoSetting) {
  for (const char* topic :
       {"sluice/t/config", "sluice/t/config/", "sluice/t/config//x", "sluice/t/config/flood/",
        "sluice/t/config/flood/a/b", "sluice/other/config/flood", "x"}) {
    EXPECT_FALSE(topics_.parse_config(topic).valid) << topic;
  }
}

TEST_F(TopicsTest, KnowWhatWePublishOurselves) {
  for (const std::string& topic :
       {topics_.alert("flood", "x"), topics_.alarm("flood", "x"), topics_.value("mean", "x"),
        topics_.rejected("levels"), topics_.config_result("flood", ""), topics_.status(),
        topics_.status_detail()}) {
    EXPECT_TRUE(topics_.is_ours(topic)) << topic;
  }
  for (const char* topic : {"sluice/t", "sluice/t/", "sluice/t/levels/x", "sluice/t2/alert/flood/x",
                            "sluice/t/alerts/x", "sluice/other/alert/x", "sluice/t/config/flood",
                            "sluice/t/command/status", "alert/x"}) {
    EXPECT_FALSE(topics_.is_ours(topic)) << topic;
  }
}

TEST_F(TopicsTest, SayWhichCommandItIs) {
  EXPECT_EQ(topics_.parse_command("sluice/t/command/checkpoint"), "checkpoint");
  EXPECT_EQ(topics_.parse_command("sluice/t/commands/checkpoint"), "");
}

}  // namespace
}  // namespace sluice::daemon
