// A disk that does not answer for a while, as a worn card does: nothing is lost, nothing is said
// too early, and status shows how far the disk is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/crash/start_watching.hpp"
#include "tests/integration/ledger.hpp"
#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

class HangingDisk : public testing::TestWithParam<const char*> {
 protected:
  void start() {
    start_watching(site_,
                   {{"LD_PRELOAD", SLUICE_FAULTY_SYSTEM}, {"SLUICE_FAULTS", faults().string()}});
  }
  std::filesystem::path faults() const { return site_.folder() / "faults"; }
  void hang() {
    std::filesystem::rename(site_.folder().write("faults.new", "sync hang /data/journal"),
                            faults());
  }
  void answer() { std::filesystem::remove(faults()); }

  MosquittoBroker broker_;
  Site site_{broker_, {.other_tables = std::string{"[journal]\nsync = \""} + GetParam() + "\"\n"}};
  Ledger ledger_{site_};
};

TEST_P(HangingDisk, LosesNothingAndAlertsComeWhenItAnswers) {
  start();
  ledger_.send_some(50);
  ledger_.wait_for_values();
  hang();
  ledger_.send_some(200);
  answer();
  ledger_.send_some(50);
  ledger_.expect_all();
}

TEST_P(HangingDisk, AndAKillMeanwhileLoseNothing) {
  start();
  ledger_.send_some(50);
  ledger_.wait_for_values();
  hang();
  ledger_.send_some(200);
  site_.kill();
  answer();
  start();
  ledger_.send_some(50);
  ledger_.expect_all();
}

INSTANTIATE_TEST_SUITE_P(Sync, HangingDisk, testing::Values("each", "alert"),
                         [](const auto& one) { return std::string{one.param}; });

using WatchingAHangingDisk = HangingDisk;

TEST_P(WatchingAHangingDisk, GoesOnAndStatusShowsHowFarTheDiskIs) {
  start();
  ledger_.send_some(50);
  ledger_.wait_for_values();
  hang();
  ledger_.send_some(200);
  site_.wait_for_status([](const Datum& status) {
    return number_at(status, "readings") > 250 &&
           number_at(status, "journal", "synced_through") <
               number_at(status, "journal", "last_sequence") &&
           number_at(status, "outbox", "waiting_alerts") > 0;
  });
  answer();
  ledger_.expect_all();
}

INSTANTIATE_TEST_SUITE_P(Sync, WatchingAHangingDisk, testing::Values("alert"),
                         [](const auto& one) { return std::string{one.param}; });

}  // namespace
}  // namespace sluice::test
