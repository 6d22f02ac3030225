#include "daemon/status_board.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <sstream>

#include "daemon/json.hpp"
#include "daemon/logging.hpp"
#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::daemon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Board : public testing::Test {
 protected:
  void connect() {
    board_.on_connection("source", true, "");
    board_.on_connection("sink", true, "");
  }
  std::vector<std::string> conditions() {
    std::vector<std::string> texts;
    for (const auto& condition : board_.conditions(facts_)) texts.push_back(condition.text);
    return texts;
  }

  storage::RecordingLog log_;
  Counters counters_;
  StatusFacts facts_;
  StatusBoard board_{"sluice/t", log_};
};

TEST_F(Board, SaysWhatIsMissingBeforeThereIsABroker) {
  EXPECT_THAT(conditions(),
              ElementsAre("not receiving: not connected yet", "not publishing: not connected yet"));
}

TEST_F(Board, HasNothingToSayWhenAllIsWell) {
  connect();
  EXPECT_THAT(conditions(), IsEmpty());
  EXPECT_THAT(board_.line(facts_, counters_), HasSubstr("all is well"));
}

TEST_F(Board, LogsEachChangeOfAConnectionOnce) {
  connect();
  const int before = log_.problems();
  for (int n = 0; n < 5; ++n) board_.on_connection("source", false, "wrong password");
  EXPECT_EQ(log_.problems(), before + 1);
  EXPECT_TRUE(log_.said("not receiving: wrong password"));
  board_.on_connection("source", false, "connection refused");
  EXPECT_EQ(log_.problems(), before + 2) << "another reason is news";
}

TEST_F(Board, ShowsConditionsInItsLineAsTheyAre) {
  connect();
  board_.on_fault("source", "the broker refuses \"a/#\"");
  EXPECT_THAT(board_.line(facts_, counters_), HasSubstr("the broker refuses \"a/#\""));
}

TEST_F(Board, ShowsAFaultUntilItIsOver) {
  connect();
  board_.on_fault("source", "the broker refuses the subscription");
  board_.on_fault_over("sink");
  EXPECT_THAT(conditions(), ElementsAre("receiving: the broker refuses the subscription"));
  board_.on_fault_over("source");
  EXPECT_THAT(conditions(), IsEmpty());
}

// What a log that is limited does with them is its own affair.
TEST(BoardWithALog, SumsUpTheUpsAndDownsOfAConnection) {
  std::ostringstream out;
  std::chrono::milliseconds now{0};
  const auto log = make_log({.out = &out, .clock = [&] { return now; }});
  StatusBoard board{"sluice/t", *log};
  for (int round = 0; round < 30; ++round) {
    board.on_connection("source", true, "");
    board.on_connection("source", false, "connection lost");
    now += std::chrono::seconds{1};
  }
  const auto count = [&](const std::string& text) {
    std::size_t found = 0;
    const std::string all = out.str();
    for (auto at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("connected to the broker for receiving"), 1U);
  EXPECT_EQ(count("not receiving: connection lost"), 1U);
  board.on_connection("source", false, "wrong password");
  EXPECT_EQ(count("not receiving: wrong password"), 1U) << "another reason is news";
  now += std::chrono::seconds{60};
  board.on_connection("source", true, "");
  EXPECT_EQ(count("connected to the broker for receiving (and 29 more like this)"), 1U);
  board.on_connection("source", false, "connection lost");
  EXPECT_EQ(count("again and again (and 29 more like this)"), 1U);
}

TEST_F(Board, ShowsAFaultUntilTheNextConnection) {
  connect();
  board_.on_fault("source", "the broker refuses the subscription");
  EXPECT_THAT(conditions(), ElementsAre("receiving: the broker refuses the subscription"));
  board_.on_connection("source", false, "gone");
  board_.on_connection("source", true, "");
  EXPECT_THAT(conditions(), IsEmpty());
}

TEST_F(Board, PublishesAtEachChangeAndWhenAskedAndNotMore) {
  EXPECT_TRUE(board_.publication(facts_, counters_, false));
  EXPECT_FALSE(board_.publication(facts_, counters_, false));
  EXPECT_TRUE(board_.publication(facts_, counters_, true));
  connect();
  const auto changed = board_.publication(facts_, counters_, false);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->topic, "sluice/t/status/detail");
  EXPECT_TRUE(changed->retain);
  EXPECT_EQ(changed->urgency, Urgency::kStatus);
}

TEST_F(Board, CountsRejectsBySourceAndReason) {
  counters_.count_rejected("a", RejectReason::kMalformed);
  counters_.count_rejected("a", RejectReason::kMalformed);
  counters_.count_rejected("a", RejectReason::kNotFinite);
  counters_.count_rejected("b", RejectReason::kMalformed);
  const auto document = parse_json(board_.publication(facts_, counters_, true)->payload);
  ASSERT_TRUE(document);
  ASSERT_NE(document->member("rejected"), nullptr);
  EXPECT_EQ(to_json(*document->member("rejected")),
            R"({"a":{"malformed":2,"not-finite":1},"b":{"malformed":1}})");
}

TEST_F(Board, ShowsAGapForTenMinutes) {
  connect();
  GapTotals& gaps = facts_.gaps["levels"];
  facts_.now = 1'000'000'000;
  EXPECT_THAT(conditions(), IsEmpty());
  gaps = {1, 80, facts_.now, "mill", 21, 100, 0};
  EXPECT_THAT(conditions(),
              ElementsAre(AllOf(HasSubstr("source 'levels'"), HasSubstr("numbers 21 to 100"),
                                HasSubstr("'mill'"), HasSubstr("max_queued_messages"))));
  EXPECT_EQ(board_.conditions(facts_).front().code, "gap.levels");
  facts_.now += 599'999;
  EXPECT_THAT(conditions(), testing::SizeIs(1));
  facts_.now += 1;
  EXPECT_THAT(conditions(), IsEmpty());
  const auto document = parse_json(board_.publication(facts_, counters_, true)->payload);
  ASSERT_TRUE(document && document->member("gaps"));
  EXPECT_EQ(to_json(*document->member("gaps")),
            R"({"levels":{"gaps":1,"missing_readings":80,"newest":{"sensor":"mill","from":21,)"
            R"("to":100,"noticed":"1970-01-12T13:46:40.000Z"},"unnumbered":0}})");
}

TEST_F(Board, AddsUpWhatIsWritten) {
  const auto disk = [this](const char* name) {
    const auto document = parse_json(board_.publication(facts_, counters_, true)->payload);
    const Datum* part = document ? document->member("disk") : nullptr;
    const Datum* value = part == nullptr ? nullptr : part->member(name);
    return value == nullptr ? std::string{"not there"} : to_json(*value);
  };
  facts_.journal.written_bytes = 1300;
  facts_.checkpoint_bytes = 700;
  EXPECT_EQ(disk("written_bytes"), "2000");
  EXPECT_EQ(disk("bytes_per_reading"), "null");
  EXPECT_EQ(disk("bytes_per_day"), "null") << "too early to tell";
  counters_.readings = 16;
  facts_.running = std::chrono::minutes{2};
  EXPECT_EQ(disk("bytes_per_reading"), "125.0");
  EXPECT_EQ(disk("bytes_per_day"), "1440000");
  EXPECT_NE(disk("process_written_bytes"), "not there");
}

TEST_F(Board, NamesEachDegradedMode) {
  connect();
  facts_.journal.durable = false;
  facts_.journal.reason = "no space";
  facts_.checkpoint.last_error = "disk full";
  facts_.checkpoint.notice = "the database was damaged";
  facts_.intake.lost = 3;
  facts_.outbox.dropped_alerts = 2;
  facts_.suspended = {"weak"};
  facts_.engine_failed = true;
  EXPECT_THAT(
      conditions(),
      ElementsAre("not durable: no space", "no checkpoint: disk full", "the database was damaged",
                  HasSubstr("3 readings lost"), HasSubstr("2 alerts dropped"),
                  HasSubstr("monitor 'weak' is suspended"), "the engine has stopped"));
}

}  // namespace
}  // namespace sluice::daemon
