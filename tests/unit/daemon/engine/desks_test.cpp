// The desks at the edge of the machine: settings, rejects, announcements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "daemon/engine/announcer.hpp"
#include "daemon/engine/reject_desk.hpp"
#include "daemon/engine/settings_desk.hpp"
#include "daemon/json.hpp"
#include "daemon/logging.hpp"
#include "tests/unit/daemon/engine/engine_test_support.hpp"

namespace sluice::daemon {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kFlood =
    "[[monitor]]\nname = \"flood\"\nkind = \"threshold\"\nabove = 100\n"
    "[[monitor]]\nname = \"mean\"\nkind = \"average\"\n"
    "[[monitor]]\nname = \"recent\"\nkind = \"last\"\n"
    "[[monitor]]\nname = \"frail\"\nkind = \"fragile\"\n";

class SettingsDeskTest : public testing::Test {
 protected:
  std::optional<Setting> handle(const storage::JournalRecord& record) {
    announcer_.begin(record.sequence);
    out_.clear();
    return desk_.handle(record, skipped_, false, out_);
  }
  Datum answer(const std::string& name) const {
    return out_.empty() ? Datum{} : member_of(out_.back(), name);
  }
  std::string reason() const {
    const Datum found = answer("reason");
    return found.get_if<std::string>() == nullptr ? "" : *found.get_if<std::string>();
  }

  TestSite site_{kFlood};
  Announcer announcer_{Topics{"sluice/t"}};
  SettingsDesk desk_{site_.config, site_.kinds->registry, announcer_, site_.counters, site_.log};
  SkippedMonitors skipped_;
  std::vector<Publication> out_;
};

TEST_F(SettingsDeskTest, AcceptsWhatTheKindAccepts) {
  const auto accepted = handle(setting(7, "flood/mill", " 4.5\n"));
  ASSERT_TRUE(accepted);
  EXPECT_EQ(accepted->monitor, "flood");
  EXPECT_EQ(accepted->sensor, "mill");
  EXPECT_EQ(accepted->version, 7);
  EXPECT_FALSE(accepted->removed);
  EXPECT_EQ(accepted->value, (Datum{Datum::Struct{{"above", 4.5}}}));
  ASSERT_THAT(out_, SizeIs(1));
  EXPECT_EQ(out_[0].topic, "sluice/t/config-result/flood/mill");
  EXPECT_TRUE(out_[0].retain);
  EXPECT_EQ(answer("accepted"), Datum{true});
  EXPECT_EQ(site_.counters.settings_accepted, 1U);
}

TEST_F(SettingsDeskTest, DecodesTheSensor) {
  EXPECT_EQ(handle(setting(1, "flood/a%2Fb", "1"))->sensor, "a/b");
}

TEST_F(SettingsDeskTest, RefusesWhatIsNoJsonAndNamesTheVersionThatStays) {
  handle(setting(1, "flood", "5"));
  EXPECT_FALSE(handle(setting(2, "flood", "{\"above\":")));
  EXPECT_EQ(answer("accepted"), Datum{false});
  EXPECT_EQ(answer("kept_version"), Datum{1});
  EXPECT_THAT(reason(), HasSubstr("neither a number, such as 4.2, nor JSON"));
  EXPECT_EQ(site_.counters.settings_rejected, 1U);
}

TEST_F(SettingsDeskTest, QuotesARefusedPayloadAsItIs) {
  const std::string payload = "{\"above\": \"h\\\\i\" ü\n\xff";
  EXPECT_FALSE(handle(setting(1, "flood", payload)));
  EXPECT_EQ(answer("payload"), Datum{"{\"above\": \"h\\\\i\" ü\n\xEF\xBF\xBD"});
  EXPECT_FALSE(handle(setting(2, "flood", std::string(1 << 20, '"'))));
  EXPECT_LT(out_.back().payload.size(), 1'000U);
}

TEST_F(SettingsDeskTest, RefusesWhatTheKindRefuses) {
  EXPECT_FALSE(handle(setting(1, "flood", "\"high\"")));
  EXPECT_THAT(reason(), HasSubstr("is no limit"));
}

TEST_F(SettingsDeskTest, RefusesSettingsForKindsThatHaveNone) {
  EXPECT_FALSE(handle(setting(1, "recent", "5")));
  EXPECT_THAT(reason(), HasSubstr("take no settings"));
}

TEST_F(SettingsDeskTest, TakesAResetAsOftenAsItIsSentAndRemembersNone) {
  const Datum before = desk_.save();
  EXPECT_TRUE(handle(setting(1, "mean/mill", "{\"reset\": true}")));
  EXPECT_TRUE(handle(setting(2, "mean/mill", "{\"reset\": true}")));
  EXPECT_EQ(answer("accepted"), Datum{true});
  EXPECT_EQ(desk_.save(), before);
}

TEST_F(SettingsDeskTest, RefusesAResetThatTheBrokerKept) {
  EXPECT_FALSE(handle(setting(1, "mean/mill", "{\"reset\": true}", true)));
  EXPECT_THAT(reason(), HasSubstr("without retain"));
}

TEST_F(SettingsDeskTest, RefusesASettingThatTheKindThrowsOn) {
  EXPECT_FALSE(handle(setting(7, "frail", "666")));
  EXPECT_EQ(
      reason(),
      "the kind 'fragile' failed on it (the setting of the beast); this is a bug of the kind");
}

TEST_F(SettingsDeskTest, RefusesSettingsForMonitorsThatAreNot) {
  EXPECT_FALSE(handle(setting(1, "nobody", "5")));
  EXPECT_EQ(out_.back().topic, "sluice/t/config-result/nobody");
}

TEST_F(SettingsDeskTest, RefusesTopicsThatNameNothing) {
  for (const char* target : {"", "flood/", "flood/a/b"}) {
    EXPECT_FALSE(handle(setting(1, target, "5"))) << target;
    EXPECT_EQ(answer("accepted"), Datum{false}) << target;
  }
}

TEST_F(SettingsDeskTest, PassesOverWhatTheBrokerOnlyRepeats) {
  const std::string payload = R"({"above": 5, "below": -100000000000})";
  handle(setting(1, "flood", payload));
  EXPECT_FALSE(handle(setting(2, "flood", payload, true)));
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(site_.counters.settings_accepted, 1U);
}

TEST_F(SettingsDeskTest, TakesWhatWasRetainedWhileWeWereAway) {
  handle(setting(1, "flood", "5"));
  const auto accepted = handle(setting(2, "flood", "6", true));
  ASSERT_TRUE(accepted);
  EXPECT_EQ(accepted->version, 2);
}

TEST_F(SettingsDeskTest, TakesTheSameAgainFromSomebodyWhoSendsItAnew) {
  handle(setting(1, "flood", "5"));
  EXPECT_EQ(handle(setting(2, "flood", "5"))->version, 2);
}

TEST_F(SettingsDeskTest, ForgetsWhatAnEmptyPayloadRemoves) {
  handle(setting(1, "flood", "5"));
  const auto removed = handle(setting(2, "flood", ""));
  ASSERT_TRUE(removed);
  EXPECT_TRUE(removed->removed);
  EXPECT_EQ(answer("removed"), Datum{true});
  handle(setting(3, "flood", "nonsense"));
  EXPECT_EQ(answer("kept_version"), Datum{0});
}

TEST_F(SettingsDeskTest, RefusesWhatTheMonitorFailedOn) {
  const std::set<std::string> failed{"flood"};
  skipped_.now(&failed);
  EXPECT_FALSE(handle(setting(1, "flood", "5")));
  EXPECT_THAT(reason(), HasSubstr("the monitor failed on it"));
}

TEST_F(SettingsDeskTest, RemembersOverACheckpoint) {
  handle(setting(1, "flood", "5"));
  handle(setting(2, "flood/a/b", "6"));
  SettingsDesk other{site_.config, site_.kinds->registry, announcer_, site_.counters, site_.log};
  other.restore(desk_.save());
  EXPECT_EQ(other.save(), desk_.save());
  EXPECT_FALSE(other.handle(setting(3, "flood", "5", true), skipped_, false, out_));
}

TEST_F(SettingsDeskTest, RestoresWhatItCanOfWhatItDoesNotUnderstand) {
  handle(setting(1, "flood", "5"));
  Datum::List damaged = *desk_.save().get_if<Datum::List>();
  damaged.push_back(5);
  damaged.push_back(Datum::Struct{{"monitor", 7}});
  SettingsDesk other{site_.config, site_.kinds->registry, announcer_, site_.counters, site_.log};
  other.restore(damaged);
  EXPECT_EQ(other.save(), desk_.save());
  other.restore(Datum{"nonsense"});
  EXPECT_EQ(other.save(), Datum{Datum::List{}});
}

TEST_F(SettingsDeskTest, SumsUpWhatComesByTheHundredInTheLog) {
  for (std::uint64_t n = 1; n <= 100; ++n) handle(setting(1, "flood/s" + std::to_string(n), "5"));
  EXPECT_EQ(site_.counters.settings_accepted, 100U);
  EXPECT_THAT(site_.log.lines(), testing::Each("setting accepted"));
  EXPECT_THAT(site_.log.lines(), SizeIs(SettingsLog::kLinesPerMinute));
  const Timestamp time = setting(1, "flood", "5").time;
  desk_.tend(time + 4'999);
  EXPECT_FALSE(site_.log.said("more settings"));
  desk_.tend(time + 5'000);
  EXPECT_TRUE(site_.log.said("90 more settings accepted or removed"));
  desk_.tend(time + 120'000);
  EXPECT_THAT(site_.log.lines(), SizeIs(SettingsLog::kLinesPerMinute + 1));
  handle(setting(120, "flood", "5"));
  EXPECT_EQ(site_.log.lines().back(), "setting accepted");
}

TEST_F(SettingsDeskTest, SumsUpEveryMinuteWhatNeverPauses) {
  for (std::uint64_t n = 1; n <= 130; ++n) {
    handle(setting(n, "flood", "5"));
    desk_.tend(setting(n, "flood", "5").time);
  }
  // Ten lines for each of three minutes, and a sum for each of the two that are over.
  EXPECT_THAT(site_.log.lines(), SizeIs(32));
  EXPECT_EQ(site_.log.lines()[10], "50 more settings accepted or removed; config-result has each");
}

TEST_F(SettingsDeskTest, GivesInventedMonitorsNoLinesOfTheirOwn) {
  for (int n = 0; n < 50; ++n) {
    EXPECT_FALSE(handle(setting(1, "m" + std::to_string(n), "5")));
  }
  EXPECT_THAT(site_.log.limited_topics(), testing::ElementsAre("setting-rejected"));
}

class RejectDeskTest : public testing::Test {
 protected:
  void reject(std::uint64_t sequence, Timestamp time, bool quiet = false) {
    auto record = message(sequence, "levels", "site/x", "bad \x01 payload");
    record.time = time;
    announcer_.begin(sequence);
    desk_.reject(record, RejectReason::kMalformed, "not JSON", quiet, out_);
  }

  storage::RecordingLog log_;
  Counters counters_;
  Announcer announcer_{Topics{"sluice/t"}};
  RejectDesk desk_{announcer_, counters_, log_};
  std::vector<Publication> out_;
};

TEST_F(RejectDeskTest, CountsAndShowsWhatItWas) {
  reject(1, kStart);
  EXPECT_EQ((counters_.rejected()[{"levels", RejectReason::kMalformed}]), 1U);
  ASSERT_THAT(out_, SizeIs(1));
  EXPECT_EQ(out_[0].topic, "sluice/t/rejected/levels");
  EXPECT_EQ(member_of(out_[0], "reason"), Datum{"malformed"});
  EXPECT_EQ(member_of(out_[0], "detail"), Datum{"not JSON"});
  EXPECT_EQ(member_of(out_[0], "payload"), Datum{"bad \x01 payload"});
  EXPECT_TRUE(log_.said("not JSON"));
}

// What is quoted is escaped once, by what it goes into.
TEST_F(RejectDeskTest, QuotesPayloadAndTopicAsTheyAre) {
  std::ostringstream lines;
  const auto log = make_log({.style = LogStyle::kPriority, .out = &lines});
  const auto shown = [&](const std::string& payload) {
    lines.str("");
    out_.clear();
    announcer_.begin(1);
    RejectDesk fresh{announcer_, counters_, *log};
    auto record = message(1, "of" + std::to_string(payload.size()), "a/\"b\\c\"", payload);
    fresh.reject(record, RejectReason::kMalformed, "not JSON", false, out_);
    return out_.back().payload;
  };
  const std::string quotes = shown("{\"a\":\"\\\\\"}");
  EXPECT_THAT(quotes, HasSubstr(R"("topic":"a/\"b\\c\"","payload":"{\"a\":\"\\\\\"}")"));
  EXPECT_THAT(lines.str(), HasSubstr(R"(topic="a/\x22b\x5cc\x22" payload="{\x22a\x22:)"));
  EXPECT_THAT(shown("Zufluß\n\x1b"), HasSubstr(R"("payload":"Zufluß\n\u001b")"));
  EXPECT_THAT(lines.str(), HasSubstr(R"(payload=Zufluß\x0a\x1b)"));
  EXPECT_THAT(shown("\xff\xfe!"), HasSubstr("\"payload\":\"\xEF\xBF\xBD\xEF\xBF\xBD!\""));
  EXPECT_THAT(lines.str(), HasSubstr(R"(payload=\xff\xfe!)"));
  const std::string long_one = shown(std::string(1 << 20, '"'));
  EXPECT_LT(long_one.size(), 500U);
  EXPECT_THAT(long_one, HasSubstr("\\\"…\""));
  EXPECT_LT(lines.str().size(), 600U);
}

TEST_F(RejectDeskTest, PublishesSixtyAMinuteAndSaysHowManyItDidNot) {
  for (std::uint64_t n = 1; n <= 100; ++n) reject(n, kStart);
  EXPECT_THAT(out_, SizeIs(60));
  EXPECT_EQ((counters_.rejected()[{"levels", RejectReason::kMalformed}]), 100U);
  reject(101, kStart + 60'000);
  ASSERT_THAT(out_, SizeIs(61));
  EXPECT_EQ(member_of(out_.back(), "unpublished_before"), Datum{40});
}

TEST_F(RejectDeskTest, IsSilentInAReplay) {
  reject(1, kStart, true);
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_THAT(counters_.rejected(), IsEmpty());
}

class AnnouncerTest : public testing::Test {
 protected:
  static Output output(OutputKind kind, AlarmState state) {
    Output made;
    made.kind = kind;
    made.sensor = "a/b";
    made.state = state;
    made.time = kStart;
    made.value = 5.5;
    made.text = "a sentence";
    return made;
  }
  AnnouncerTest() {
    monitor_.name = "flood";
    monitor_.kind = "threshold";
    announcer_.begin(9);
  }
  void announce(OutputKind kind, AlarmState state) {
    announcer_.announce(monitor_, output(kind, state), out_);
  }

  MonitorConfig monitor_;
  Announcer announcer_{Topics{"sluice/t"}};
  std::vector<Publication> out_;
};

TEST_F(AnnouncerTest, LeavesTheStateOfAnAlarmBesideItsAlert) {
  announce(OutputKind::kAlert, AlarmState::kActive);
  ASSERT_THAT(topics_of(out_),
              testing::ElementsAre("sluice/t/alert/flood/a%2Fb", "sluice/t/alarm/flood/a%2Fb"));
  EXPECT_EQ(out_[0].urgency, Urgency::kAlert);
  EXPECT_FALSE(out_[0].retain);
  EXPECT_EQ(out_[0].qos, 1);
  EXPECT_EQ(out_[1].urgency, Urgency::kStatus);
  EXPECT_TRUE(out_[1].retain);
  EXPECT_EQ(out_[0].payload, out_[1].payload);
}

TEST_F(AnnouncerTest, LeavesNoStateOfAnEvent) {
  announce(OutputKind::kAlert, AlarmState::kEvent);
  EXPECT_THAT(out_, SizeIs(1));
}

TEST_F(AnnouncerTest, PublishesValuesAsTheMonitorSays) {
  monitor_.qos = 0;
  monitor_.retain = true;
  announce(OutputKind::kValue, AlarmState::kEvent);
  ASSERT_THAT(topics_of(out_), testing::ElementsAre("sluice/t/value/flood/a%2Fb"));
  EXPECT_EQ(out_[0].qos, 0);
  EXPECT_TRUE(out_[0].retain);
  EXPECT_EQ(out_[0].urgency, Urgency::kValue);
  EXPECT_EQ(out_[0].payload,
            R"({"time":"2026-01-01T00:00:00.000Z","sensor":"a/b","value":5.5,"quality":"good"})");
}

TEST_F(AnnouncerTest, NumbersAlertsWhateverElseIsSaid) {
  std::vector<Publication> aside;
  announcer_.announce_rejected("levels", {}, aside);
  announcer_.announce_setting("flood", "", {}, aside);
  announce(OutputKind::kAlert, AlarmState::kEvent);
  EXPECT_EQ(out_[0].id, (PublicationId{9, 0}));
  EXPECT_NE(aside[0].id, aside[1].id);
}

TEST_F(AnnouncerTest, TellsOfTheDaemonLikeOfAnythingElse) {
  announcer_.announce_notice("database", "it was damaged", AlarmState::kEvent, kStart, out_);
  ASSERT_THAT(topics_of(out_), testing::ElementsAre("sluice/t/alert/sluice/database"));
  EXPECT_EQ(member_of(out_[0], "text"), Datum{"it was damaged"});
  EXPECT_EQ(out_[0].urgency, Urgency::kAlert);
}

}  // namespace
}  // namespace sluice::daemon
