#include "daemon/engine/site_graph.hpp"

#include <algorithm>
#include <vector>

#include "pipeline/base/text.hpp"
#include "pipeline/graph/stream.hpp"
#include "pipeline/records/setting.hpp"

namespace sluice::daemon {

namespace {

/// Marks readings whose time is behind the watermark; they are processed all the same.
class FlagLate final : public ProcessFunction<Reading, Reading> {
 public:
  explicit FlagLate(std::uint64_t* count) : count_{count} {}
  void process_element(const Reading& reading, Context& context, Collector<Reading>& out) override {
    if (reading.time > context.timer_service().current_watermark()) {
      out.collect(reading);
      return;
    }
    Reading late = reading;
    late.quality = Quality::kLate;
    ++*count_;
    out.collect(late);
  }

 private:
  std::uint64_t* count_;
};

Stream<Reading> add_source(Environment& environment, const SourceConfig& source,
                           const TimeConfig& time, std::uint64_t& late_count) {
  auto strategy = WatermarkStrategy<Reading>::for_bounded_out_of_orderness(time.disorder)
                      .with_timestamp_assigner([](const Reading& r, Timestamp) { return r.time; })
                      .with_idleness(time.idle);
  return environment.from_source<Reading>(readings_source(source.name))
      .assign_timestamps_and_watermarks(std::move(strategy))
      .process<FlagLate>(&late_count)
      .uid("$source." + source.name);
}

Stream<Reading> readings_for(const MonitorConfig& monitor,
                             const std::map<std::string, Stream<Reading>>& sources) {
  std::vector<Stream<Reading>> chosen;
  for (const auto& [name, stream] : sources) {
    const auto& wanted = monitor.sources;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) {
      chosen.push_back(stream);
    }
  }
  Stream<Reading> all = chosen.front();
  for (std::size_t i = 1; i < chosen.size(); ++i) all = all.union_with(chosen[i]);
  return all;
}

bool wants(const std::vector<std::string>& patterns, const std::string& sensor) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const auto& p) {
           return glob_matches(p, sensor, QuestionMark::kAnyByte);
         });
}

}  // namespace

std::string readings_source(const std::string& source) { return "readings." + source; }
std::string settings_source(const std::string& monitor) { return "settings." + monitor; }

void build_site_graph(Environment& environment, const Config& config, const Registry& registry,
                      const SkippedMonitors& skipped, std::uint64_t& late,
                      std::function<void(const MonitorConfig&, const Output&)> emit) {
  std::map<std::string, Stream<Reading>> sources;
  for (const auto& source : config.sources) {
    sources.emplace(source.name, add_source(environment, source, config.time, late));
  }
  for (const auto& monitor : config.monitors) {
    auto readings = readings_for(monitor, sources).filter([&monitor, &skipped](const Reading& r) {
      return wants(monitor.sensors, r.sensor) && !skipped.contains(monitor.name);
    });
    MonitorInputs inputs{monitor.name, readings,
                         environment.from_source<Setting>(settings_source(monitor.name))};
    registry.monitor(monitor.kind)
        ->build(inputs, monitor.options)
        .sink_to([&monitor, emit](const Output& output) { emit(monitor, output); });
  }
}

}  // namespace sluice::daemon
