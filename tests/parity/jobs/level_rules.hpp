// Broadcast state without keys: names every rule whose range holds a level; rules come and go
// (JOB-10).
#pragma once

#include "pipeline/graph/stream.hpp"
#include "tests/parity/jobs/water_sensor.hpp"

namespace sluice::parity {

struct LevelRule {
  std::string name;
  std::int32_t min{};
  std::int32_t max{};
  bool remove{};
};
SLUICE_FIELDS(LevelRule, name, min, max, remove)

class LevelRules final : public BroadcastProcessFunction<WaterSensor, LevelRule, std::string> {
 public:
  static BroadcastStateDescriptor<std::string, LevelRule> rules() { return {.name = "rules"}; }

  void process_element(const WaterSensor& reading, ReadOnlyContext& context,
                       Collector<std::string>& out) override {
    for (const auto& [name, rule] : context.broadcast_state(rules()).entries()) {
      if (rule.min <= reading.vc && reading.vc <= rule.max) {
        out.collect(name + " matches " + reading.id + " " + std::to_string(reading.vc));
      }
    }
  }

  void process_broadcast_element(const LevelRule& rule, Context& context,
                                 Collector<std::string>&) override {
    auto state = context.broadcast_state(rules());
    if (rule.remove) {
      state.remove(rule.name);
    } else {
      state.put(rule.name, rule);
    }
  }
};

}  // namespace sluice::parity
