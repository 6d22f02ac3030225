// Probe: a keyed process function whose reactions a test gives as callables, so that each test
// reads as what it is about. Its results are texts.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/graph/stream.hpp"

namespace sluice::test {

struct Item {
  std::string key;
  std::int64_t value{};
};

class Probe final : public KeyedProcessFunction<std::string, Item, std::string> {
 public:
  using Base = KeyedProcessFunction<std::string, Item, std::string>;
  using Out = Collector<std::string>;
  /// What a test wants to happen; the states are for all of it to use.
  struct Script {
    std::function<void(Probe&, const Item&, Base::Context&, Out&)> element{};
    std::function<void(Probe&, Timestamp, Base::OnTimerContext&, Out&)> timer{};
    std::function<void(Probe&, RuntimeContext&)> open{};
  };

  explicit Probe(Script script) : script_{std::move(script)} {}
  void open(RuntimeContext& context) override {
    sum = context.value_state<std::int64_t>({.name = "sum"});
    if (script_.open) script_.open(*this, context);
  }
  void process_element(const Item& item, Base::Context& context, Out& out) override {
    if (script_.element) script_.element(*this, item, context, out);
  }
  void on_timer(Timestamp at, Base::OnTimerContext& context, Out& out) override {
    if (script_.timer) {
      script_.timer(*this, at, context, out);
    } else {
      out.collect(context.current_key() + "@" + std::to_string(at));
    }
  }

  ValueState<std::int64_t> sum;

 private:
  Script script_;
};

/// A graph from source "in" through a Probe, and what comes out of it.
class ProbeTest : public testing::Test {
 protected:
  Stream<std::string> build(Probe::Script script) {
    auto stream = env.from_source<Item>("in").key_by(&Item::key).process<Probe>(std::move(script));
    stream.uid("probe");
    stream.sink_to([this](const std::string& text, OptionalTimestamp at) {
      out.push_back(text);
      times.push_back(at);
    });
    return stream;
  }
  std::unique_ptr<Job> start(JobOptions options = {}) {
    auto made = Job::start(env, options);
    EXPECT_TRUE(made) << (made ? "" : made.error().message());
    return made ? std::move(made).value() : nullptr;
  }

  Environment env;
  std::vector<std::string> out;
  std::vector<OptionalTimestamp> times;
};

}  // namespace sluice::test
