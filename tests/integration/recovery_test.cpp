// Ends of all kinds, and going on behind them as if nothing had happened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "tests/integration/database.hpp"
#include "tests/integration/ledger.hpp"
#include "tests/integration/protocols.hpp"
#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

const ExitStatus kOrderly{.code = 0, .signal = {}};

class Recovery : public OverMqtt {
 protected:
  MosquittoBroker broker_;
  Site site_{broker_, {.protocol = protocol()}};
};
SLUICE_OVER_BOTH_PROTOCOLS(Recovery);

TEST_P(Recovery, AfterAKillGoesOnAsIfNothingHadHappened) {
  Ledger ledger{site_};
  site_.start();
  ledger.send_some(20);
  ledger.wait_for_values();
  site_.kill();
  ledger.send_some(20);  // wait at the broker
  site_.start();
  ledger.send_some(20);
  ledger.expect_all();
}

TEST_P(Recovery, AfterAKillInTheMiddleOfItGoesOnAsIfNothingHadHappened) {
  Ledger ledger{site_};
  site_.start();
  ledger.send_some(200);  // not waited for
  site_.kill();
  site_.start();
  ledger.expect_all();
}

TEST_P(Recovery, DoesNotRaiseAnAlarmAgain) {
  site_.start();
  site_.send("mill", 101);
  site_.wait_for("alert/flood/mill");
  site_.kill();
  site_.start();
  site_.send("mill", 102);
  site_.send("mill", 99);
  site_.wait_for("alert/flood/mill",
                 [](const Datum& alert) { return text_at(alert, "state") == "cleared"; });
  std::map<std::string, std::string> by_id;
  for (const auto& alert : site_.told("alert/flood/"))
    by_id[text_at(alert.document, "id")] = text_at(alert.document, "state");
  EXPECT_EQ(by_id.size(), 2U) << "a repeat must have the id of the first";
}

class Ending : public testing::TestWithParam<int> {
 protected:
  MosquittoBroker broker_;
  Site site_{broker_};
};
INSTANTIATE_TEST_SUITE_P(By, Ending, testing::Values(SIGTERM, SIGINT), [](const auto& one) {
  return std::string{one.param == SIGTERM ? "Sigterm" : "Sigint"};
});

TEST_P(Ending, IsOrderlyAndWithACheckpointOfAllThatCameIn) {
  Ledger ledger{site_};
  site_.start();
  ledger.send_some(100);
  ledger.wait_for_values();
  EXPECT_EQ(site_.stop(GetParam()), kOrderly);
  const auto stored =
      query_one(site_.data() / "sluice.db", "SELECT journal_sequence FROM checkpoint");
  EXPECT_GE(std::stoull(stored), last_message(site_.data() / "journal"));
}

TEST_P(Ending, LeavesAllThereIsToGoOnFromInTheDatabase) {
  Ledger ledger{site_};
  site_.start();
  ledger.send_some(30);
  ledger.wait_for_values();
  ASSERT_EQ(site_.stop(GetParam()), kOrderly);
  std::filesystem::remove_all(site_.data() / "journal");
  site_.start();
  ledger.send_some(10);
  ledger.wait_for_values();
}

TEST_P(Ending, WorksWithoutABroker) {
  site_.start();
  site_.send("mill", 1);
  site_.wait_for("value/mean/mill");
  broker_.kill();
  EXPECT_EQ(site_.stop(GetParam()), kOrderly);
}

TEST_P(Ending, WorksWithABrokerThatDoesNotAnswer) {
  site_.start();
  site_.send("mill", 1);
  site_.wait_for("value/mean/mill");
  broker_.freeze();
  EXPECT_EQ(site_.stop(GetParam()), kOrderly);
  broker_.thaw();
}

}  // namespace
}  // namespace sluice::test
