// Gates and routers: how records get from the instances of one operator to those of the next.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "pipeline/operators/keying.hpp"
#include "pipeline/operators/ports.hpp"
#include "pipeline/operators/watermarks.hpp"
#include "pipeline/state/key_hash.hpp"

namespace sluice::detail {

/// The entrance to one input of one operator instance, with a channel for each sender.
class GateBase {
 public:
  virtual ~GateBase() = default;
  /// Where its channels stand in event time.
  virtual CombinedTime& event_time() = 0;
};

template <class T>
class Gate final : public GateBase {
 public:
  Gate(Input<T>& target, std::size_t channels) : target_{target}, valve_{channels} {
    for (std::size_t i = 0; i < channels; ++i) channels_.emplace_back(*this, i);
  }
  /// The next channel that nobody sends to yet.
  Input<T>& claim_channel() { return channels_[claimed_++]; }
  CombinedTime& event_time() override { return valve_.time(); }

 private:
  struct Channel final : Input<T> {
    Channel(Gate& to, std::size_t number) : gate{to}, index{number} {}
    void element(const T& value, OptionalTimestamp timestamp) override {
      gate.target_.element(value, timestamp);
    }
    Input<T>& elements_to() override { return gate.target_.elements_to(); }
    void watermark(Timestamp watermark) override {
      if (const auto raised = gate.valve_.watermark(index, watermark)) {
        gate.target_.watermark(*raised);
      }
    }
    void idle(bool idle) override {
      const auto change = gate.valve_.idle(index, idle);
      if (change.watermark) gate.target_.watermark(*change.watermark);
      if (change.idle) gate.target_.idle(*change.idle);
    }
    Gate& gate;
    std::size_t index;
  };

  Input<T>& target_;
  ChannelValve valve_;
  std::deque<Channel> channels_;
  std::size_t claimed_{0};
};

/// From one sender to several receivers: each element to one of them, watermarks to all.
template <class T>
class Router final : public Input<T> {
 public:
  using Choose = std::function<std::size_t(const T&)>;

  Router(std::vector<Input<T>*> targets, Choose choose)
      : targets_{std::move(targets)}, choose_{std::move(choose)} {}
  void element(const T& value, OptionalTimestamp timestamp) override {
    targets_[choose_(value)]->element(value, timestamp);
  }
  void watermark(Timestamp watermark) override {
    for (auto* target : targets_) target->watermark(watermark);
  }
  void idle(bool idle) override {
    for (auto* target : targets_) target->idle(idle);
  }

 private:
  std::vector<Input<T>*> targets_;
  Choose choose_;
};

}  // namespace sluice::detail
