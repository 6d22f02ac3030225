#include "tests/unit/water/monitor_run.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "pipeline/timers/watermark_strategy.hpp"
#include "plugins/water/water.hpp"

namespace sluice::water {

Reading level(double level, std::int64_t seconds, std::string sensor) {
  return {std::move(sensor), level, "cm", kStart + seconds * 1000, Quality::kGood};
}

Setting setting(std::int64_t version, Datum value, std::string sensor) {
  return {"m", std::move(sensor), version, false, std::move(value)};
}

Setting removed(std::int64_t version, std::string sensor) {
  return {"m", std::move(sensor), version, true, Datum{}};
}

const MonitorKind& kind(std::string_view name) {
  const auto kinds = water_monitors();
  const auto it = std::find_if(kinds.begin(), kinds.end(),
                               [name](const MonitorKind* k) { return k->name() == name; });
  if (it == kinds.end()) throw InvalidArgument{"no kind '" + std::string{name} + "'"};
  return **it;
}

Options options_of(const MonitorKind& kind,
                   std::vector<std::pair<std::string_view, OptionValue>> given) {
  Options options = Options::fallbacks(kind.options());
  for (auto& [name, value] : given) options.set(name, std::move(value));
  return options;
}

MonitorRun::MonitorRun(const MonitorKind& kind, const Options& options, const JobSnapshot* restore,
                       Timestamp now) {
  auto readings = environment_.from_source<Reading>("readings")
                      .assign_timestamps_and_watermarks(
                          WatermarkStrategy<Reading>::for_bounded_out_of_orderness(Duration{5000})
                              .with_timestamp_assigner(
                                  [](const Reading& reading, Timestamp) { return reading.time; }));
  auto settings = environment_.from_source<Setting>("settings");
  kind.build({"m", readings, settings}, options).sink_to([this](const Output& output) {
    outputs.push_back(output);
  });
  auto job =
      Job::start(environment_, {.restore = restore, .track_changes = true, .start_time = now});
  if (!job) throw IllegalState{job.error().message()};
  job_ = std::move(*job);
}

void MonitorRun::run(const Step& step) {
  if (const auto* reading = std::get_if<Reading>(&step)) {
    job_->emit("readings", *reading);
  } else if (const auto* change = std::get_if<Setting>(&step)) {
    job_->emit("settings", *change);
  } else {
    job_->advance_processing_time(now() + std::get<Wait>(step).duration.count());
  }
}

void MonitorRun::run(const Script& script) {
  for (const Step& step : script) run(step);
}

void MonitorRun::snapshot(SnapshotWriter& writer, bool full) {
  job_->snapshot(writer, full, ++checkpoints_);
}

std::vector<Output> outputs_of(const MonitorKind& kind, const Options& options,
                               const Script& script) {
  MonitorRun run{kind, options};
  run.run(script);
  return std::move(run.outputs);
}

std::vector<std::string> texts_of(const std::vector<Output>& outputs) {
  std::vector<std::string> texts;
  for (const Output& output : outputs) texts.push_back(output.text);
  return texts;
}

std::vector<Datum> values_of(const std::vector<Output>& outputs) {
  std::vector<Datum> values;
  for (const Output& output : outputs) values.push_back(output.value);
  return values;
}

}  // namespace sluice::water
