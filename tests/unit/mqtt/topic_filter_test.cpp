#include "plugins/mqtt/topic_filter.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sluice::mqtt {
namespace {

bool matches(std::string_view filter, std::string_view topic) {
  EXPECT_TRUE(check_filter(filter)) << filter;
  return TopicFilter{filter}.matches(topic);
}

TEST(TopicFilter, TakesTheSameTopicWithoutWildcards) {
  EXPECT_TRUE(matches("a/b/c", "a/b/c"));
  EXPECT_FALSE(matches("a/b/c", "a/b"));
  EXPECT_FALSE(matches("a/b", "a/b/c"));
  EXPECT_FALSE(matches("a/b", "a/bc"));
  EXPECT_FALSE(matches("a/b", "A/b"));
  EXPECT_TRUE(matches("pegel/köln", "pegel/köln"));
}

TEST(TopicFilter, PlusTakesExactlyOneLevelWhichMayBeEmpty) {
  EXPECT_TRUE(matches("a/+/c", "a/b/c"));
  EXPECT_TRUE(matches("a/+/c", "a//c"));
  EXPECT_FALSE(matches("a/+/c", "a/b/b/c"));
  EXPECT_FALSE(matches("a/+/c", "a/c"));
  EXPECT_TRUE(matches("+", "a"));
  EXPECT_FALSE(matches("+", "a/b"));
  EXPECT_FALSE(matches("+", "/a"));
  EXPECT_TRUE(matches("+/+", "/a"));
  EXPECT_TRUE(matches("/+", "/a"));
  EXPECT_TRUE(matches("a/+", "a/"));
  EXPECT_FALSE(matches("a/+", "a"));
  EXPECT_FALSE(matches("a/+", "a/b/"));
}

TEST(TopicFilter, HashTakesTheRestAndTheParentLevel) {
  EXPECT_TRUE(matches("#", "a"));
  EXPECT_TRUE(matches("#", "/"));
  EXPECT_TRUE(matches("a/#", "a"));
  EXPECT_TRUE(matches("a/#", "a/"));
  EXPECT_TRUE(matches("a/#", "a/b/c"));
  EXPECT_FALSE(matches("a/#", "ab"));
  EXPECT_FALSE(matches("a/#", "b/a"));
  EXPECT_TRUE(matches("a/+/#", "a/b"));
  EXPECT_FALSE(matches("a/+/#", "a"));
  EXPECT_TRUE(matches("+/#", "a"));
  EXPECT_TRUE(matches("/#", "/a"));
  EXPECT_FALSE(matches("/#", "a"));
}

TEST(TopicFilter, CountsEmptyLevels) {
  EXPECT_TRUE(matches("a//b", "a//b"));
  EXPECT_FALSE(matches("a//b", "a/b"));
  EXPECT_TRUE(matches("/", "/"));
  EXPECT_TRUE(matches("+/+", "/"));
  EXPECT_FALSE(matches("+", "/"));
}

TEST(TopicFilter, WildcardsAtTheStartLeaveDollarTopicsAlone) {
  EXPECT_FALSE(matches("#", "$SYS/uptime"));
  EXPECT_FALSE(matches("+/uptime", "$SYS/uptime"));
  EXPECT_TRUE(matches("$SYS/#", "$SYS/uptime"));
  EXPECT_TRUE(matches("$SYS/+", "$SYS/uptime"));
  EXPECT_TRUE(matches("a/+", "a/$b"));
}

TEST(TopicFilter, SharedSubscriptionsMatchByTheFilterInThem) {
  EXPECT_TRUE(matches("$share/site/a/+", "a/b"));
  EXPECT_FALSE(matches("$share/site/a/+", "$share/site/a/b"));
  EXPECT_TRUE(matches("$share/site//a", "/a"));
  EXPECT_FALSE(matches("$share/site/#", "$SYS/uptime"));
  EXPECT_EQ(TopicFilter{"$share/site/a/#"}.pattern(), "a/#");
}

TEST(TopicFilter, RefusesWhatABrokerWouldRefuse) {
  for (const std::string bad :
       {"", "a#", "a/#/b", "#/a", "a+", "a/b+/c", "+a", "a/##", "$share/", "$share/g", "$share/g/",
        "$share//a", "$share/g+/a", "$share/g/a#"}) {
    EXPECT_FALSE(check_filter(bad)) << bad;
  }
  EXPECT_FALSE(check_filter(std::string{"a\0b", 3}));
  EXPECT_FALSE(check_filter("a/\xFF"));
  EXPECT_FALSE(check_filter("a/\xED\xA0\x80"));  // a surrogate
  EXPECT_FALSE(check_filter("a/\xC0\xAF"));      // an overlong slash
  EXPECT_FALSE(check_filter(std::string(65'536, 'a')));
  EXPECT_TRUE(check_filter(std::string(65'535, 'a')));
  EXPECT_TRUE(check_filter("$sharea/b"));
}

TEST(TopicFilter, SaysWhichFilterIsWrongAndWhatWouldBeRight) {
  const Status status = check_filter("levels/#/river");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "topic filter \"levels/#/river\" may have \"#\" only as its last level, alone");
}

TEST(Topic, MayHoldAnythingButWildcards) {
  EXPECT_TRUE(check_topic("a/b c/ü/$/"));
  EXPECT_TRUE(check_topic("/"));
  EXPECT_FALSE(check_topic("a/+"));
  EXPECT_FALSE(check_topic("a/b#"));
  EXPECT_FALSE(check_topic(""));
  EXPECT_FALSE(check_topic(std::string{"a\0", 2}));
}

}  // namespace
}  // namespace sluice::mqtt
