// A disk that fills up under load, kills while it is full, and space that comes back. Mounted in
// memory where the machine lets us; else the test fills a limit on the size of each file instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "tests/crash/start_watching.hpp"
#include "tests/integration/ledger.hpp"
#include "tests/integration/site.hpp"
#include "tests/support/small_disk.hpp"

namespace sluice::test {
namespace {

/// One that keeps all that waits: as installed it drops messages from the thousandth on, and on a
/// busy machine the daemon is slower than the ledger.
BrokerSetup patient() {
  BrokerSetup setup;
  setup.global_lines = "max_queued_messages 0\n";
  return setup;
}

class DiskFull : public testing::Test {
 protected:
  void expect_status_says(bool full) {
    site_.wait_for_status([full](const Datum& status) {
      const bool said = at(status, "conditions").to_text().find("not durable") != std::string::npos;
      return said == full && at(status, "journal", "durable") == Datum{!full};
    });
  }

  MosquittoBroker broker_{patient()};
  Site site_{broker_,
             {.other_tables = "[checkpoint]\ninterval = \"100ms\"\n"
                              "[journal]\nsegment_size = \"64KiB\"\n"}};
};

TEST_F(DiskFull, UnderLoadLosesNothingAndIsDurableAgainWhenThereIsSpace) {
  SmallDisk disk{site_.data()};
  Ledger ledger{site_};
  start_watching(site_);
  ledger.send_some(200);
  ledger.wait_for_values();
  disk.fill(site_.daemon().pid());
  ledger.send_some(2000);
  expect_status_says(true);
  ledger.wait_for_values();
  disk.free(site_.daemon().pid());
  ledger.send_some(50);
  site_.wait_for_status(
      [](const Datum& status) { return at(status, "journal", "durable") == Datum{true}; });
  expect_status_says(false);
  ledger.send_some(50);
  ledger.expect_all();
}

TEST_F(DiskFull, WithAKillBehindItGoesOnFromWhatTheDiskHasTakenSince) {
  SmallDisk disk{site_.data()};
  Ledger ledger{site_};
  start_watching(site_);
  ledger.send_some(100);
  ledger.wait_for_values();
  disk.fill(site_.daemon().pid());
  ledger.send_some(2000);
  expect_status_says(true);
  disk.free(site_.daemon().pid());
  ledger.send_some(50);
  expect_status_says(false);
  ledger.wait_for_values();
  // The checkpoint has what was watched in memory: from here on a kill costs nothing again.
  site_.wait_for_status([](const Datum& status) {
    return text_at(status, "checkpoint", "last_error").empty() &&
           number_at(status, "checkpoint", "last_sequence") > 2150;
  });
  site_.kill();
  ledger.send_some(50);
  start_watching(site_);
  ledger.send_some(50);
  ledger.expect_all();
}

TEST_F(DiskFull, AndKilledMeanwhileItStartsAndWatches) {
  SmallDisk disk{site_.data()};
  start_watching(site_);
  site_.send("mill", 1);
  site_.wait_for("value/mean/mill");
  disk.fill(site_.daemon().pid());
  for (int round = 0; round < 3; ++round) {
    site_.kill();
    site_.launch();
    ASSERT_TRUE(site_.daemon().wait_for_text("info    ready")) << site_.daemon().errors();
    disk.fill(site_.daemon().pid());
    const double level = 100 * (round + 1);
    site_.send("mill", level);
    site_.wait_for("alert/jump/mill",
                   [&](const Datum& alert) { return number_at(alert, "value") == level; });
    // An orderly end needs no space either.
    if (round == 1) {
      EXPECT_EQ(site_.stop(SIGTERM), (ExitStatus{.code = 0, .signal = {}}));
    }
  }
  disk.free(site_.daemon().pid());
  site_.send("mill", 1000);
  site_.wait_for("alert/jump/mill",
                 [](const Datum& alert) { return number_at(alert, "value") == 1000; });
  expect_status_says(false);
}

}  // namespace
}  // namespace sluice::test
