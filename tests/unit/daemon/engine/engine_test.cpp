// The engine with a real journal and database: what it does when monitors fail, stop, and restart.
#include "daemon/engine/engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "daemon/json.hpp"
#include "storage/journal/marks.hpp"
#include "tests/unit/daemon/engine/engine_test_support.hpp"

namespace sluice::daemon {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::SizeIs;

constexpr auto kLimit = 30s;

/// One run of a site over a data folder, as Service puts it together.
class Running {
 public:
  Running(TestSite& site, const storage::TempDir& folder, std::size_t outbox_messages = 1000)
      : site_{site},
        journal_{storage::open_journal(options(folder), site.log)},
        clock_{journal_->last_time()},
        intake_{{.journal_dir = folder / "journal"}, site.log},
        outbox_{{.max_count = outbox_messages, .gate_closed = true},
                [this](const PublicationId& id) {
                  journal_->append(storage::JournalKind::kDelivered, clock_.now(),
                                   storage::encode_delivered({&id, 1}));
                }},
        checkpointer_{{.path = folder / "sluice.db"}, open_store(folder), *journal_, site.log},
        engine_{{site.config, site.kinds->registry, *journal_, intake_, outbox_, checkpointer_,
                 nullptr, clock_, site.counters, site.log}} {
    journal_->set_listener(&intake_);
    const Status restored = engine_.restore();
    if (!restored) throw std::runtime_error{restored.error().message()};
    engine_.start();
  }

  void send(const std::string& sensor, double level) {
    append("levels", to_json(Datum::Struct{{"sensor", sensor}, {"level", level}}));
  }
  void append(const std::string& source, const std::string& payload,
              const std::string& topic = "site/x") {
    MessageView view;
    view.source = source;
    view.topic = topic;
    view.payload = payload;
    view.received = clock_.now();
    journal_->append_message(view);
  }
  void stop() { engine_.stop(); }

  /// Until a publication on this topic has had this value.
  void wait_for(const std::string& topic, const Datum& value) {
    EXPECT_TRUE(wait_for_one([&](const Publication& one) {
      return one.topic == topic && member_of(one, "value") == value;
    })) << "nothing on "
        << topic << " with " << value.to_text();
  }
  bool wait_for_topic(const std::string& topic) {
    return wait_for_one([&](const Publication& one) { return one.topic == topic; });
  }
  template <class F>
  bool wait_until(F&& condition) {
    const auto until = std::chrono::steady_clock::now() + kLimit;
    while (!condition()) {
      if (std::chrono::steady_clock::now() >= until) return false;
      std::this_thread::sleep_for(5ms);
    }
    return true;
  }

  /// The next alert, delivered; its value, or −1 if none comes.
  double take_alert() {
    double value = -1;
    all_.clear();
    const auto is_alert = [](const Publication& one) { return one.urgency == Urgency::kAlert; };
    if (wait_for_one(is_alert)) (void)member_of(all_.back(), "value").as_number(value);
    return value;
  }

  Engine& engine() { return engine_; }
  storage::Outbox& outbox() { return outbox_; }
  Checkpointer& checkpointer() { return checkpointer_; }
  storage::Journal& journal() { return *journal_; }

 private:
  bool wait_for_one(const std::function<bool(const Publication&)>& fits) {
    if (std::any_of(all_.begin(), all_.end(), fits)) return true;
    const auto until = std::chrono::steady_clock::now() + kLimit;
    while (std::chrono::steady_clock::now() < until) {
      auto next = outbox_.take(50ms);
      if (!next) continue;
      outbox_.delivered(*next);
      all_.push_back(*next);
      if (fits(*next)) return true;
    }
    return false;
  }
  storage::OpenedStore open_store(const storage::TempDir& folder) {
    auto opened = storage::CheckpointStore::open(folder / "sluice.db", site_.log);
    if (!opened) throw std::runtime_error{opened.error().message()};
    return std::move(*opened);
  }
  static storage::JournalOptions options(const storage::TempDir& folder) {
    return storage::journal_options(folder / "journal");
  }

  TestSite& site_;
  std::unique_ptr<storage::Journal> journal_;
  SiteClock clock_;
  storage::Intake intake_;
  storage::Outbox outbox_;
  Checkpointer checkpointer_;
  Engine engine_;
  std::vector<Publication> all_;
};

constexpr const char* kWeakAndMean =
    "[[monitor]]\nname = \"weak\"\nkind = \"fragile\"\n"
    "[[monitor]]\nname = \"mean\"\nkind = \"average\"\n";

class EngineTest : public testing::Test {
 protected:
  ~EngineTest() override { fragile_failures() = 0; }
  storage::TempDir folder_;
  TestSite site_{kWeakAndMean};
};

TEST_F(EngineTest, GoesBackToItsCheckpointWhenAMonitorFailsOnce) {
  Running run{site_, folder_};
  run.send("mill", 10);
  fragile_failures() = 1;
  run.send("mill", 666);
  run.send("mill", 20);
  run.wait_for("sluice/t/value/weak/mill", Datum{3});
  run.wait_for("sluice/t/value/mean/mill", Datum{232.0});
  EXPECT_EQ(site_.counters.restarts, 1U);
  EXPECT_EQ(site_.counters.set_aside, 0U);
  EXPECT_EQ(site_.counters.readings, 3U) << "a replay counts nothing again";
}

TEST_F(EngineTest, GoesBackToTheNewestCheckpointOnly) {
  Running run{site_, folder_};
  run.send("mill", 10);
  run.append("$command", "", "sluice/t/command/checkpoint");
  ASSERT_TRUE(run.wait_until([&] { return run.checkpointer().stats().written == 1; }));
  fragile_failures() = 1;
  run.send("mill", 666);
  run.wait_for("sluice/t/value/weak/mill", Datum{2});
}

TEST_F(EngineTest, SetsAMessageAsideForTheMonitorThatFailsOnItTwice) {
  fragile_failures() = 2;
  Running run{site_, folder_};
  run.send("mill", 10);
  run.send("mill", 666);
  run.send("mill", 20);
  run.wait_for("sluice/t/value/weak/mill", Datum{2});
  run.wait_for("sluice/t/value/mean/mill", Datum{232.0});
  EXPECT_EQ(site_.counters.restarts, 2U);
  EXPECT_EQ(site_.counters.set_aside, 1U);
  EXPECT_FALSE(run.engine().failed());
}

TEST_F(EngineTest, RemembersWhatItSetAsideOverARestart) {
  fragile_failures() = 2;
  {
    Running run{site_, folder_};
    run.send("mill", 10);
    run.send("mill", 666);
    run.send("mill", 20);
    run.wait_for("sluice/t/value/weak/mill", Datum{2});
    run.stop();
  }
  std::filesystem::remove(folder_ / "sluice.db");
  std::filesystem::remove(folder_ / "sluice.db.previous");
  fragile_failures() = 1000;
  TestSite again{kWeakAndMean};
  Running run{again, folder_};  // from the journal alone
  run.send("mill", 30);
  run.wait_for("sluice/t/value/weak/mill", Datum{3});
  EXPECT_EQ(again.counters.restarts, 0U);
}

TEST_F(EngineTest, SetsAsideForEachMonitorByItself) {
  std::string many;
  for (int n = 0; n < 12; ++n) {
    many += "[[monitor]]\nname = \"weak" + std::to_string(n) + "\"\nkind = \"fragile\"\n";
  }
  TestSite site{many + "[[monitor]]\nname = \"mean\"\nkind = \"average\"\n"};
  fragile_failures() = 1000;
  Running run{site, folder_};
  run.send("mill", 666);
  run.wait_for("sluice/t/value/mean/mill", Datum{666.0});
  EXPECT_EQ(site.counters.set_aside, 12U);
  EXPECT_EQ(site.counters.restarts, 24U);
}

TEST_F(EngineTest, GoesOnBehindAMessageThatFailedBeforeTheRestart) {
  fragile_failures() = 1;
  {
    auto journal = storage::open_journal(storage::journal_options(folder_ / "journal"), site_.log);
    const std::string payload = R"({"sensor":"mill","level":666})";
    MessageView view = storage::message("site/x", payload, kStart);
    view.source = "levels";
    journal->append_message(view);
  }
  Running run{site_, folder_};
  run.wait_for("sluice/t/value/weak/mill", Datum{1});
  EXPECT_EQ(site_.counters.restarts, 1U);
}

TEST_F(EngineTest, SuspendsAMonitorThatFailsWithoutAMessageToBlame) {
  fragile_failures() = 1000;
  Running run{site_, folder_};
  run.send("mill", 777);
  ASSERT_TRUE(run.wait_until([&] { return site_.counters.suspended().contains("weak"); }));
  run.send("mill", 779);
  run.wait_for("sluice/t/value/mean/mill", Datum{778.0});
  EXPECT_FALSE(run.engine().failed());
  EXPECT_TRUE(run.wait_for_topic("sluice/t/alert/sluice/monitor"));
}

TEST_F(EngineTest, SurvivesATimerThatFailsAFewTimes) {
  fragile_failures() = 3;
  Running run{site_, folder_};
  run.send("mill", 777);
  ASSERT_TRUE(run.wait_until([] { return fragile_failures() == 0; }));
  run.send("mill", 1);
  run.wait_for("sluice/t/value/weak/mill", Datum{2});
  EXPECT_THAT(site_.counters.suspended(), IsEmpty());
}

TEST_F(EngineTest, ProcessesWhatHasComeInBeforeItEnds) {
  Running run{site_, folder_};
  for (int n = 1; n <= 500; ++n) run.send("mill", n);
  run.stop();
  EXPECT_EQ(site_.counters.readings, 500U);
  const auto loaded = run.checkpointer().load();
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->meta.journal_sequence, run.journal().last_sequence());
}

TEST_F(EngineTest, GoesOnFromItsLastCheckpoint) {
  {
    Running run{site_, folder_};
    run.send("mill", 10);
    run.stop();
  }
  TestSite again{kWeakAndMean};
  Running run{again, folder_};
  run.send("mill", 20);
  run.wait_for("sluice/t/value/mean/mill", Datum{15.0});
  EXPECT_EQ(again.counters.readings, 1U);
}

constexpr const char* kRise = "[[monitor]]\nname = \"rise\"\nkind = \"delta\"\nlimit = 1\n";

TEST_F(EngineTest, MakesAlertsNoFasterThanTheBrokerTakesThem) {
  TestSite site{kRise};
  Running run{site, folder_, 8};
  for (int level = 0; level <= 400; level += 4) run.send("mill", level);
  ASSERT_TRUE(run.wait_until([&] { return run.outbox().stats().waiting_alerts >= 6; }));
  for (int level = 4; level <= 400; level += 4) EXPECT_EQ(run.take_alert(), level);
  EXPECT_EQ(run.outbox().stats().dropped_alerts, 0U);
}

TEST_F(EngineTest, MakesAlertsOfAReplayNoFasterThanTheBrokerTakesThem) {
  TestSite site{kRise};
  const storage::TempDir later;
  {
    Running run{site, folder_};
    for (int level = 0; level <= 400; level += 4) run.send("mill", level);
    for (int level = 4; level <= 200; level += 4) EXPECT_EQ(run.take_alert(), level);
    ASSERT_TRUE(run.wait_until([&] { return run.outbox().stats().waiting_alerts == 50; }));
    // What kill -9 would leave: no checkpoint, and the marks of the deliveries behind all readings.
    std::filesystem::copy(folder_ / "journal", later / "journal",
                          std::filesystem::copy_options::recursive);
  }
  TestSite again{kRise};
  Running run{again, later, 8};
  for (int level = 204; level <= 400; level += 4) EXPECT_EQ(run.take_alert(), level);
  EXPECT_TRUE(run.wait_until([&] { return run.engine().caught_up(); }));
  EXPECT_EQ(run.outbox().stats().dropped_alerts, 0U);
  EXPECT_EQ(run.outbox().stats().waiting_alerts, 0U);
}

TEST_F(EngineTest, EndsWhileItWaitsForTheBrokerAndLosesNothing) {
  TestSite site{kRise};
  {
    Running run{site, folder_, 8};
    for (int level = 0; level <= 400; level += 4) run.send("mill", level);
    ASSERT_TRUE(run.wait_until([&] { return run.outbox().stats().waiting_alerts >= 6; }));
    run.stop();
    EXPECT_FALSE(run.engine().failed());
  }
  TestSite again{kRise};
  Running run{again, folder_, 8};
  for (int level = 4; level <= 400; level += 4) EXPECT_EQ(run.take_alert(), level);
}

TEST_F(EngineTest, TakesRequestsForTheStatusOnce) {
  Running run{site_, folder_};
  EXPECT_FALSE(run.engine().take_status_request());
  run.append("$command", "", "sluice/t/command/status");
  ASSERT_TRUE(run.wait_until([&] { return run.engine().take_status_request(); }));
  EXPECT_FALSE(run.engine().take_status_request());
}

TEST_F(EngineTest, SaysThatItDoesNotKnowACommand) {
  Running run{site_, folder_};
  run.append("$command", "", "sluice/t/command/dance");
  run.send("mill", 1);
  run.wait_for("sluice/t/value/mean/mill", Datum{1.0});
  EXPECT_TRUE(site_.log.said("unknown command"));
}

TEST_F(EngineTest, DoesNotWaitForRecordsThatAreGone) {
  {
    Running run{site_, folder_};
    run.send("mill", 10);
    run.wait_for("sluice/t/value/mean/mill", Datum{10.0});
    run.stop();
  }
  // The database knows more than the journal has.
  std::filesystem::remove_all(folder_ / "journal");
  TestSite again{kWeakAndMean};
  Running run{again, folder_};
  ASSERT_TRUE(run.wait_until([&] { return run.engine().caught_up(); }));
  run.send("mill", 20);
  run.wait_for("sluice/t/value/mean/mill", Datum{15.0});
}

}  // namespace
}  // namespace sluice::daemon
