// The operators that run process functions, one for each kind of function.
#pragma once

#include <memory>
#include <utility>

#include "pipeline/functions/co_process_functions.hpp"
#include "pipeline/functions/process_functions.hpp"
#include "pipeline/operators/keying.hpp"
#include "pipeline/operators/operator.hpp"

namespace sluice::detail {

/// Runs ProcessFunction (keyed or not, TM-25) and KeyedProcessFunction.
template <class Function>
class ProcessOperator final : public OneInputOperator<typename Function::Input> {
 public:
  using In = typename Function::Input;
  using Out = typename Function::Result;

  explicit ProcessOperator(std::unique_ptr<Function> function) : function_{std::move(function)} {
    this->add_port(out_);
  }
  template <class K>
  ProcessOperator(std::unique_ptr<Function> function, const KeyingFactory<In, K>& keying)
      : ProcessOperator{std::move(function)} {
    auto keys = std::make_unique<TypedKeySpace<K>>();
    keying_ = keying(keys.get());
    this->set_keys(std::move(keys));
  }

  OutputPort<Out>& output() { return out_; }

  void element(const In& value, OptionalTimestamp timestamp) override {
    this->call(timestamp, [&] {
      if (keying_ != nullptr) {
        keying_->select(value);
        this->key_selected();
      }
      collector_.set_timestamp(timestamp);
      function_->process_element(value, context_, collector_);
    });
  }

 private:
  RichFunction* function() override { return function_.get(); }
  void on_timer(TimeDomain, Timestamp at, OptionalTimestamp emit_at) override {
    collector_.set_timestamp(emit_at);
    function_->on_timer(at, timer_context_, collector_);
  }

  std::unique_ptr<Function> function_;
  std::unique_ptr<Keying<In>> keying_;
  OutputPort<Out> out_;
  Collector<Out> collector_{out_};
  typename Function::Context context_{*this};
  typename Function::OnTimerContext timer_context_{*this};
};

/// Runs CoProcessFunction (keyed or not) and KeyedCoProcessFunction.
template <class Function>
class CoProcessOperator final
    : public TwoInputOperator<typename Function::Input1, typename Function::Input2> {
 public:
  using In1 = typename Function::Input1;
  using In2 = typename Function::Input2;
  using Out = typename Function::Result;

  explicit CoProcessOperator(std::unique_ptr<Function> function) : function_{std::move(function)} {
    this->add_port(out_);
  }
  /// Both sides share one key space, so a key's state is the same from both (CO-02).
  template <class K>
  CoProcessOperator(std::unique_ptr<Function> function, const KeyingFactory<In1, K>& keying1,
                    const KeyingFactory<In2, K>& keying2)
      : CoProcessOperator{std::move(function)} {
    auto keys = std::make_unique<TypedKeySpace<K>>();
    keying1_ = keying1(keys.get());
    keying2_ = keying2(keys.get());
    this->set_keys(std::move(keys));
  }

  OutputPort<Out>& output() { return out_; }

 private:
  RichFunction* function() override { return function_.get(); }
  void element1(const In1& value, OptionalTimestamp timestamp) override {
    this->call(timestamp, [&] {
      if (keying1_ != nullptr) {
        keying1_->select(value);
        this->key_selected();
      }
      collector_.set_timestamp(timestamp);
      function_->process_element1(value, context_, collector_);
    });
  }
  void element2(const In2& value, OptionalTimestamp timestamp) override {
    this->call(timestamp, [&] {
      if (keying2_ != nullptr) {
        keying2_->select(value);
        this->key_selected();
      }
      collector_.set_timestamp(timestamp);
      function_->process_element2(value, context_, collector_);
    });
  }
  void on_timer(TimeDomain, Timestamp at, OptionalTimestamp emit_at) override {
    collector_.set_timestamp(emit_at);
    function_->on_timer(at, timer_context_, collector_);
  }

  std::unique_ptr<Function> function_;
  std::unique_ptr<Keying<In1>> keying1_;
  std::unique_ptr<Keying<In2>> keying2_;
  OutputPort<Out> out_;
  Collector<Out> collector_{out_};
  typename Function::Context context_{*this};
  typename Function::OnTimerContext timer_context_{*this};
};

}  // namespace sluice::detail
