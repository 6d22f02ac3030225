// Keyed broadcast state: pairs, per colour, items of a rule's first shape with a later one of its
// second shape (JOB-09).
#pragma once

#include <map>
#include <vector>

#include "pipeline/graph/stream.hpp"

namespace sluice::parity {

struct Item {
  std::string color;
  std::string shape;
  std::int32_t n{};

  std::string text() const { return color + " " + shape + " " + std::to_string(n); }
};
SLUICE_FIELDS(Item, color, shape, n)

struct ShapeRule {
  std::string name;
  std::string first;
  std::string second;
};
SLUICE_FIELDS(ShapeRule, name, first, second)

class ColorShape final
    : public KeyedBroadcastProcessFunction<std::string, Item, ShapeRule, std::string> {
 public:
  static BroadcastStateDescriptor<std::string, ShapeRule> rules() {
    return {.name = "RulesBroadcastState"};
  }

  void open(RuntimeContext& context) override {
    firsts_ = context.map_state<std::string, std::vector<Item>>({.name = "items"});
  }

  void process_broadcast_element(const ShapeRule& rule, Context& context,
                                 Collector<std::string>&) override {
    context.broadcast_state(rules()).put(rule.name, rule);
  }

  void process_element(const Item& item, ReadOnlyContext& context,
                       Collector<std::string>& out) override {
    for (const auto& [name, rule] : context.broadcast_state(rules()).entries()) {
      auto firsts = firsts_.get(name).value_or(std::vector<Item>{});
      if (item.shape == rule.second) {
        for (const auto& first : firsts)
          out.collect("MATCH: " + first.text() + " - " + item.text());
        firsts.clear();
      }
      // No else: a rule's first shape may be its second one too.
      if (item.shape == rule.first) firsts.push_back(item);
      if (firsts.empty()) {
        firsts_.remove(name);
      } else {
        firsts_.put(name, firsts);
      }
    }
  }

 private:
  MapState<std::string, std::vector<Item>> firsts_;  // by rule
};

}  // namespace sluice::parity
