#include "daemon/logging.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sstream>
#include <thread>
#include <vector>

#include "daemon/repeat_limit.hpp"

namespace sluice::daemon {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using testing::HasSubstr;
using testing::MatchesRegex;

class Logging : public testing::Test {
 protected:
  std::unique_ptr<LeveledLog> make(LogStyle style, LogLevel level = LogLevel::kInfo) {
    return make_log({level, style, &out_, [this] { return now_; }});
  }
  std::string take() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }

  std::ostringstream out_;
  std::chrono::milliseconds now_{1h};
};

TEST_F(Logging, GivesTheJournalPrioritiesAndNoTime) {
  const auto log = make(LogStyle::kPriority, LogLevel::kDebug);
  log->debug("a");
  log->info("b");
  log->warning("c");
  log->error("d");
  EXPECT_EQ(take(), "<7>a\n<6>b\n<4>c\n<3>d\n");
}

TEST_F(Logging, GivesPeopleTimeAndLevel) {
  make(LogStyle::kPlain)->warning("the broker is away");
  EXPECT_THAT(take(),
              MatchesRegex("[0-9-]{10}T[0-9:.]{12}[+-][0-9:]{5} warning the broker is away\n"));
}

TEST_F(Logging, HoldsBackWhatIsBelowItsLevel) {
  const auto log = make(LogStyle::kPriority, LogLevel::kWarning);
  log->info("no");
  log->write_limited("t", LogLevel::kInfo, "no");
  log->warning("yes");
  log->set_level(LogLevel::kDebug);
  log->debug("now");
  EXPECT_EQ(take(), "<4>yes\n<7>now\n");
}

TEST_F(Logging, WritesFieldsBehindTheSentence) {
  make(LogStyle::kPriority)
      ->write(LogLevel::kInfo, "connected",
              {{"server", "mqtt://a:1883"}, {"as", "a b"}, {"e", ""}});
  EXPECT_EQ(take(), "<6>connected server=mqtt://a:1883 as=\"a b\" e=\"\"\n");
}

TEST_F(Logging, KeepsEveryMessageOnOneLine) {
  const std::string hostile = "a\nb\r\x1b[31m\0c \"q\" \\ ü \x9b \xff"s;
  const auto log = make(LogStyle::kPriority);
  log->write(LogLevel::kInfo, hostile, {{"k", "x\ny"}});
  EXPECT_EQ(take(), "<6>a\\x0ab\\x0d\\x1b[31m\\x00c \"q\" \\ ü \\x9b \\xff k=x\\x0ay\n");
}

TEST_F(Logging, EscapesTheValuesOfFieldsOnce) {
  make(LogStyle::kPriority)
      ->write(LogLevel::kInfo, "m", {{"k", "{\"a\": \"\\\\\"}"}, {"b", "\\"}, {"c", "\xff\x01"}});
  EXPECT_EQ(take(), "<6>m k=\"{\\x22a\\x22: \\x22\\x5c\\x5c\\x22}\" b=\"\\x5c\" c=\\xff\\x01\n");
}

TEST_F(Logging, DoesNotTakeMessagesForFormats) {
  make(LogStyle::kPriority)->info("{} {0} %s %n");
  EXPECT_EQ(take(), "<6>{} {0} %s %n\n");
}

TEST_F(Logging, LimitsRepeatsAndSaysHowMany) {
  const auto log = make(LogStyle::kPriority);
  for (int i = 0; i < 5; ++i) log->write_limited("reject levels", LogLevel::kWarning, "bad");
  log->write_limited("reject weir", LogLevel::kWarning, "other");
  EXPECT_EQ(take(), "<4>bad\n<4>other\n");
  now_ += 59'999ms;
  log->write_limited("reject levels", LogLevel::kWarning, "bad");
  EXPECT_EQ(take(), "");
  now_ += 1ms;
  log->write_limited("reject levels", LogLevel::kWarning, "bad", {{"n", "7"}});
  EXPECT_EQ(take(), "<4>bad (and 5 more like this) n=7\n");
  now_ += 1min;
  log->write_limited("reject levels", LogLevel::kWarning, "bad");
  EXPECT_EQ(take(), "<4>bad\n");
}

TEST_F(Logging, LosesNoLineBetweenThreads) {
  const auto log = make(LogStyle::kPriority);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 250; ++i) log->info("line");
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::string expected;
  for (int i = 0; i < 1000; ++i) expected += "<6>line\n";
  EXPECT_EQ(take(), expected);
}

TEST(RepeatLimit, ForgetsTheOldestTopicWhenSendersInventThem) {
  RepeatLimit limit;
  for (std::size_t i = 0; i <= RepeatLimit::kMaxTopics; ++i) {
    EXPECT_EQ(limit.allow("topic " + std::to_string(i), std::chrono::milliseconds{i}), 0U);
  }
  EXPECT_EQ(limit.allow("topic 1", 2000ms), std::nullopt);
  EXPECT_EQ(limit.allow("topic 0", 2000ms), 0U);
}

TEST(LogStyleFor, IsTheJournalsOnlyIfStandardErrorIsTheJournal) {
  struct stat stream {};
  ASSERT_EQ(::fstat(STDERR_FILENO, &stream), 0);
  const std::string ours = std::to_string(stream.st_dev) + ":" + std::to_string(stream.st_ino);
  EXPECT_EQ(log_style_for(ours.c_str()), LogStyle::kPriority);
  EXPECT_EQ(log_style_for((ours + "0").c_str()), LogStyle::kPlain);
  EXPECT_EQ(log_style_for(""), LogStyle::kPlain);
  EXPECT_EQ(log_style_for(nullptr), LogStyle::kPlain);
}

}  // namespace
}  // namespace sluice::daemon
