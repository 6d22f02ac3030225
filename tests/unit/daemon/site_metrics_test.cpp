#include "daemon/metrics/site_metrics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::daemon {
namespace {

class SiteMetrics : public testing::Test {
 protected:
  std::vector<Metric> all() { return site_metrics(facts_, counters_, board_); }
  /// "sluice_condition{code=journal}" → 1
  std::map<std::string, double> series() {
    std::map<std::string, double> out;
    for (const auto& metric : all()) {
      for (const auto& sample : metric.samples) {
        std::string labels;
        for (const auto& [name, value] : sample.labels) {
          labels += (labels.empty() ? "" : ",") + name + "=" + value;
        }
        const auto [at, fresh] =
            out.emplace(metric.name + (labels.empty() ? "" : "{" + labels + "}"), sample.value);
        EXPECT_TRUE(fresh) << at->first << " is there twice";
      }
    }
    return out;
  }

  storage::RecordingLog log_;
  Counters counters_;
  StatusFacts facts_;
  StatusBoard board_{"sluice/t", log_};
};

TEST_F(SiteMetrics, HaveNamesAsPrometheusWantsThem) {
  counters_.count_rejected("levels", RejectReason::kMalformed);
  facts_.gaps["levels"] = {};
  std::set<std::string> names;
  for (const auto& metric : all()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name << " is split";
    EXPECT_TRUE(std::all_of(metric.name.begin(), metric.name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || c == '_';
    })) << metric.name;
    EXPECT_TRUE(metric.name.starts_with("sluice_")) << metric.name;
    EXPECT_EQ(metric.name.ends_with("_total"), metric.type == MetricType::kCounter) << metric.name;
    EXPECT_FALSE(metric.help.empty()) << metric.name;
    EXPECT_FALSE(metric.samples.empty()) << metric.name;
  }
  EXPECT_GE(names.size(), 40U);
}

TEST_F(SiteMetrics, TellEachConditionWhetherItIsThereOrNot) {
  board_.on_connection("source", true, "");
  facts_.journal.durable = false;
  facts_.suspended = {"weak"};
  facts_.gaps["levels"] = {};
  const auto found = series();
  EXPECT_EQ(found.at("sluice_condition{code=receiving}"), 0);
  EXPECT_EQ(found.at("sluice_condition{code=publishing}"), 1);
  EXPECT_EQ(found.at("sluice_condition{code=journal}"), 1);
  EXPECT_EQ(found.at("sluice_condition{code=checkpoint}"), 0);
  EXPECT_EQ(found.at("sluice_condition{code=monitor.weak}"), 1);
  EXPECT_EQ(found.at("sluice_condition{code=gap.levels}"), 0);
  EXPECT_EQ(found.at("sluice_healthy"), 0);
}

TEST_F(SiteMetrics, KnowEachCodeOfACondition) {
  facts_.journal.durable = false;
  facts_.journal.loss = "x";
  facts_.journal.max_bytes = 10;
  facts_.journal.needed_bytes = 10;
  facts_.checkpoint.last_error = "x";
  facts_.checkpoint.notice = "x";
  facts_.clock_steps.fresh = true;
  facts_.intake.lost = 1;
  facts_.outbox.dropped_alerts = 1;
  facts_.engine_failed = true;
  facts_.metrics_problem = "x";
  board_.on_fault("source", "x");
  board_.on_fault("sink", "x");
  std::set<std::string> found;
  for (const auto& condition : board_.conditions(facts_)) found.insert(condition.code);
  EXPECT_EQ(found, (std::set<std::string>{kConditionCodes.begin(), kConditionCodes.end()}));
}

TEST_F(SiteMetrics, AreTheFactsOfTheStatus) {
  counters_.readings = 7;
  counters_.count_rejected("levels", RejectReason::kNotFinite);
  facts_.gaps["levels"] = {2, 80, 0, "mill", 21, 100, 3};
  facts_.journal.written_bytes = 1300;
  facts_.journal.last_sequence = 10;
  facts_.journal.synced_through = 4;
  facts_.checkpoint_bytes = 700;
  facts_.outbox.waiting_alerts = 5;
  facts_.checkpoint.last_duration_ms = 1500;
  const auto found = series();
  EXPECT_EQ(found.at("sluice_readings_total"), 7);
  EXPECT_EQ(found.at("sluice_rejected_readings_total{source=levels,reason=not-finite}"), 1);
  EXPECT_EQ(found.at("sluice_gaps_total{source=levels}"), 2);
  EXPECT_EQ(found.at("sluice_missing_readings_total{source=levels}"), 80);
  EXPECT_EQ(found.at("sluice_unnumbered_messages_total{source=levels}"), 3);
  EXPECT_EQ(found.at("sluice_disk_written_bytes_total{part=journal}"), 1300);
  EXPECT_EQ(found.at("sluice_disk_written_bytes_total{part=checkpoint}"), 700);
  EXPECT_EQ(found.at("sluice_journal_unsynced_records"), 6);
  EXPECT_EQ(found.at("sluice_outbox_waiting{class=alert}"), 5);
  EXPECT_EQ(found.at("sluice_checkpoint_duration_seconds"), 1.5);
}

}  // namespace
}  // namespace sluice::daemon
