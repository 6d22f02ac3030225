// What is compared, and how it is told: values, alerts, the kill.
#pragma once

#include "tests/demo/expectation.hpp"
#include "tests/demo/heard.hpp"
#include "tests/demo/record.hpp"
#include "tests/demo/screen.hpp"

namespace sluice::demo {

/// Every gauge's mean and three highest levels are what they should be.
bool values_agree(const Expectation& expected, const Heard& heard);
/// The alerts that can be known beforehand came, each once, and no others. Silences are left out:
/// they go by the clock on the wall.
bool alerts_agree(const Expectation& expected, const Heard& heard);

/// Count, mean and peaks before the kill, after the restart, and as they should be.
void show_continuity(Screen& screen, const Record& record, const Heard& before, const Heard& after,
                     const Expectation& expected);
/// How many flood alarms began, by day and sensor.
void show_alert_days(Screen& screen, const Record& record, const Heard& heard);

/// A line for each thing that had to come; true if all did.
bool check_all(Screen& screen, const Record& record, const Expectation& expected,
               const Heard& heard);

}  // namespace sluice::demo
