// The operators that run broadcast process functions.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "pipeline/functions/broadcast_process_functions.hpp"
#include "pipeline/operators/keying.hpp"
#include "pipeline/operators/operator.hpp"

namespace sluice::detail {

/// Creates the broadcast states that were named in broadcast() (BC-04, BC-18).
using DeclareStates = std::function<void(OperatorStateStore&)>;

/// Runs BroadcastProcessFunction and KeyedBroadcastProcessFunction.
template <class Function>
class BroadcastOperator final
    : public TwoInputOperator<typename Function::Input, typename Function::BroadcastInput> {
 public:
  using In = typename Function::Input;
  using B = typename Function::BroadcastInput;
  using Out = typename Function::Result;
  static constexpr bool kKeyed = requires { typename Function::Key; };

  BroadcastOperator(std::unique_ptr<Function> function, DeclareStates declare)
      : function_{std::move(function)}, declare_{std::move(declare)} {
    this->add_port(out_);
  }
  template <class K>
  BroadcastOperator(std::unique_ptr<Function> function, DeclareStates declare,
                    const KeyingFactory<In, K>& keying)
      : BroadcastOperator{std::move(function), std::move(declare)} {
    auto keys = std::make_unique<TypedKeySpace<K>>();
    keying_ = keying(keys.get());
    this->set_keys(std::move(keys));
  }

  OutputPort<Out>& output() { return out_; }

 private:
  RichFunction* function() override { return function_.get(); }
  void on_open() override { declare_(this->operator_state()); }

  void element1(const In& value, OptionalTimestamp timestamp) override {
    this->call(timestamp, [&] {
      if (keying_ != nullptr) {
        keying_->select(value);
        this->key_selected();
      }
      collector_.set_timestamp(timestamp);
      function_->process_element(value, read_context_, collector_);
    });
  }
  void element2(const B& value, OptionalTimestamp timestamp) override {
    // No key here, so keyed state is refused instead of silently being the last element's (BC-11).
    if (this->keys() != nullptr) this->keys()->set_current(kNoKey);
    this->call(timestamp.value_or(kMinTimestamp), [&] {  // CX-06
      collector_.set_timestamp(timestamp);
      function_->process_broadcast_element(value, write_context_, collector_);
    });
  }
  void on_timer(TimeDomain, Timestamp at, OptionalTimestamp emit_at) override {
    if constexpr (kKeyed) {
      collector_.set_timestamp(emit_at);
      function_->on_timer(at, timer_context_, collector_);
    }
  }

  struct NoTimers {
    explicit NoTimers(Operator&) {}
  };
  template <class F>
  struct TimerContextOf {
    using type = NoTimers;
  };
  template <class F>
  requires requires { typename F::OnTimerContext; }
  struct TimerContextOf<F> {
    using type = typename F::OnTimerContext;
  };

  std::unique_ptr<Function> function_;
  DeclareStates declare_;
  std::unique_ptr<Keying<In>> keying_;
  OutputPort<Out> out_;
  Collector<Out> collector_{out_};
  typename Function::ReadOnlyContext read_context_{*this};
  typename Function::Context write_context_{*this};
  typename TimerContextOf<Function>::type timer_context_{*this};
};

}  // namespace sluice::detail
