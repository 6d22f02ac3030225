// Properties that must hold for every script, tried on many random ones: a fixed seed, so that a
// build is reproducible, and a fresh one, so that new ground is covered. $SLUICE_PROPERTY_SCRIPTS
// says how many (of both together), $SLUICE_PROPERTY_SEED repeats one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <random>

#include "tests/property/model.hpp"
#include "tests/property/runs.hpp"
#include "tests/property/timed_runs.hpp"

namespace sluice::property {
namespace {

using namespace std::chrono_literals;
using Reports = std::vector<std::vector<Report>>;
/// Empty if the property holds for the script, else what does not.
using Property = std::function<std::string(const Script&)>;

constexpr std::uint64_t kFixedSeed = 20240808;
constexpr std::size_t kSteps = 40;

std::uint64_t from_environment(const char* name, std::uint64_t fallback) {
  const char* value = std::getenv(name);
  return value == nullptr ? fallback : std::strtoull(value, nullptr, 10);
}

/// Leaves out steps as long as the property still fails: what remains is the cause.
Script shrink(Script script, const Property& property) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t i = 0; i < script.size(); ++i) {
      Script without = script;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      if (property(without).empty()) continue;
      script = std::move(without);
      smaller = true;
      break;
    }
  }
  return script;
}

void check(const Property& property) {
  const std::uint64_t scripts = from_environment("SLUICE_PROPERTY_SCRIPTS", 500);
  const std::uint64_t fresh = from_environment("SLUICE_PROPERTY_SEED", std::random_device{}());
  testing::Test::RecordProperty("fresh_seed", std::to_string(fresh));
  for (std::uint64_t i = 0; i < scripts; ++i) {
    const std::uint64_t seed = i % 2 == 0 ? kFixedSeed + i : fresh + i - 1;
    const Script script = random_script(seed, kSteps);
    if (property(script).empty()) continue;
    const Script small = shrink(script, property);
    FAIL() << "seed " << seed << " (repeat with SLUICE_PROPERTY_SEED=" << seed
           << "): " << property(small) << "\nthe smallest script that shows it:\n"
           << to_text(small);
  }
}

std::string show(const std::vector<Report>& reports) {
  std::string text;
  for (const Report& report : reports) text += "    " + report.key + ": " + report.text + "\n";
  return text.empty() ? "    (nothing)\n" : text;
}

std::string difference(const Reports& expected, const Reports& got, const char* expected_name,
                       const char* got_name) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == got[i]) continue;
    return "step " + std::to_string(i) + " differs\n  " + expected_name + ":\n" +
           show(expected[i]) + "  " + got_name + ":\n" + show(got[i]);
  }
  return "";
}

/// Within a step the order over keys is open when they live on different instances.
Reports sorted(Reports reports) {
  for (auto& step : reports)
    std::stable_sort(step.begin(), step.end(), [](auto& a, auto& b) { return a.key < b.key; });
  return reports;
}

/// The model leaves open in which order timers of one time fire (TM-07).
Reports without_order(Reports reports) {
  for (auto& step : reports) std::sort(step.begin(), step.end());
  return reports;
}

std::vector<std::optional<TtlConfig>> ttls() {
  return {std::nullopt, TtlConfig{.ttl = 50ms},
          TtlConfig{.ttl = 50ms, .update = TtlConfig::Update::kOnReadAndWrite},
          TtlConfig{.ttl = 20ms, .cleanup_size = 1, .cleanup_every_record = true},
          TtlConfig{.ttl = 20ms, .cleanup_full_snapshot = true}};
}

std::string same_when_cut(const Script& script, Cut cut) {
  for (const auto& ttl : ttls()) {
    const auto whole = run(script, {.ttl = ttl});
    const auto cut_run = run(script, {.cut = cut, .ttl = ttl});
    const auto found = difference(whole, cut_run, "uninterrupted", "cut");
    if (!found.empty()) return found;
  }
  return "";
}

TEST(Property, ARunCutBySnapshotAndRestoreAtEveryStepIsTheUninterruptedRun) {
  check([](const Script& script) { return same_when_cut(script, Cut::kFull); });
}

TEST(Property, ARunRestoredFromTheSumOfIncrementsIsTheUninterruptedRun) {
  check([](const Script& script) { return same_when_cut(script, Cut::kIncremental); });
}

TEST(Property, WithEventTimeKeptACutChangesNothingAboutWatermarksWindowsAndLateElements) {
  check([](const Script& script) -> std::string {
    const auto whole = timed_run(script, Cut::kNever);
    auto found = difference(whole, timed_run(script, Cut::kFull), "uninterrupted", "cut");
    if (!found.empty()) return found;
    return difference(whole, timed_run(script, Cut::kIncremental), "uninterrupted", "increments");
  });
}

TEST(Property, ARescaledRunGivesTheSameForEachKey) {
  check([](const Script& script) {
    const auto one = sorted(run(script, {}));
    const auto four = sorted(run(script, {.parallelism = 4}));
    auto found = difference(one, four, "one instance", "four instances");
    if (!found.empty()) return found;
    const auto changing =
        sorted(run(script, {.cut = Cut::kFull, .parallelism = 2, .rescale_to = {4, 1, 3, 2}}));
    return difference(one, changing, "one instance", "rescaled at every step");
  });
}

TEST(Property, TimersAndTimeToLiveDoWhatTheModelDoes) {
  check([](const Script& script) -> std::string {
    for (const auto& ttl : ttls()) {
      const auto found = difference(without_order(model_run(script, ttl)),
                                    without_order(run(script, {.ttl = ttl})), "model", "runtime");
      if (!found.empty()) return found;
    }
    return "";
  });
}

/// The checks above could pass because nothing ever happens; here they are shown a difference.
TEST(Property, ADifferenceWouldBeSeenAndShrunk) {
  const Property broken = [](const Script& script) {
    auto wrong = run(script, {});
    for (auto& step : wrong) {
      std::erase_if(step, [](const Report& r) { return r.text.find("event timer") == 0; });
    }
    return difference(run(script, {}), wrong, "right", "wrong");
  };
  const Script script = random_script(kFixedSeed, 200);
  ASSERT_NE(broken(script), "");
  EXPECT_EQ(shrink(script, broken).size(), 2U) << "one timer and one watermark";
}

}  // namespace
}  // namespace sluice::property
