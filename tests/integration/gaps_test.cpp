// Readings that the broker dropped while the daemon was away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "tests/integration/protocols.hpp"
#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

using testing::HasSubstr;

constexpr const char* kNumberedSource =
    "[[source]]\nname = \"levels\"\ntopic = \"site/+/level\"\nformat = \"json\"\n"
    "sensor = \"/sensor\"\nlevel = \"/level\"\nsequence = \"/n\"\n";

class Gaps : public OverMqtt {
 protected:
  void send_numbers(int from, int to) {
    for (int n = from; n <= to; ++n) {
      site_.send_raw(R"({"sensor":"mill","level":1.5,"n":)" + std::to_string(n) + "}");
    }
  }
  /// The status when all these readings are in.
  Datum status_after(int readings) {
    return site_.wait_for_status(
        [&](const Datum& all) { return number_at(all, "readings") >= readings; });
  }

  MosquittoBroker broker_{{.persistence = true,
                           .users = {},
                           .listener_lines = {},
                           .global_lines = "max_queued_messages 20\n",
                           .start = true}};
  Site site_{broker_, {.protocol = protocol(), .source = kNumberedSource}};
};
SLUICE_OVER_BOTH_PROTOCOLS(Gaps);

TEST_P(Gaps, OfWhatTheBrokerDroppedAreCountedLoggedAndToldOnceAcrossAKill) {
  site_.start();
  send_numbers(1, 10);
  EXPECT_EQ(number_at(status_after(10), "gaps", "levels", "gaps"), 0);
  ASSERT_EQ(site_.stop(SIGTERM).code, 0);
  send_numbers(11, 110);
  site_.start();
  send_numbers(111, 130);
  // All are in: those that arrived and those that are missing make up what was sent.
  const Datum status = site_.wait_for_status([](const Datum& all) {
    return number_at(all, "gaps", "levels", "gaps") == 1 &&
           number_at(all, "readings") + number_at(all, "gaps", "levels", "missing_readings") == 120;
  });
  const double missing = number_at(status, "gaps", "levels", "missing_readings");
  EXPECT_EQ(missing, 80) << "the broker keeps twenty of a hundred";
  EXPECT_EQ(number_at(status, "gaps", "levels", "newest", "to"), 110);
  EXPECT_EQ(number_at(status, "gaps", "levels", "newest", "from"), 31);
  EXPECT_EQ(text_at(status, "gaps", "levels", "newest", "sensor"), "mill");
  EXPECT_THAT(site_.daemon().errors(), HasSubstr("max_queued_messages"));

  const Datum alert = site_.wait_for("alert/sluice/gap.levels").document;
  EXPECT_EQ(text_at(alert, "state"), "active");
  EXPECT_THAT(text_at(alert, "text"), HasSubstr("to 110 of sensor 'mill' never came"));

  site_.kill();
  site_.start();
  send_numbers(131, 150);
  const Datum after = status_after(20);
  EXPECT_EQ(number_at(after, "gaps", "levels", "gaps"), 1);
  EXPECT_EQ(number_at(after, "gaps", "levels", "missing_readings"), missing);
}

}  // namespace
}  // namespace sluice::test
