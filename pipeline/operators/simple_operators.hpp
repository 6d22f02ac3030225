// The operators of map, filter, flat_map, union, sources and sinks.
#pragma once

#include <memory>
#include <utility>

#include "pipeline/functions/simple_functions.hpp"
#include "pipeline/operators/operator.hpp"

namespace sluice::detail {

/// Runs MapFunction, FilterFunction and FlatMapFunction; outputs carry the input's time (CX-01).
template <class Function>
class SimpleOperator final : public OneInputOperator<typename Function::Input> {
 public:
  using In = typename Function::Input;
  using Out = typename Function::Result;

  explicit SimpleOperator(std::unique_ptr<Function> function) : function_{std::move(function)} {
    this->add_port(out_);
  }
  OutputPort<Out>& output() { return out_; }

  void element(const In& value, OptionalTimestamp timestamp) override {
    this->call(timestamp, [&] {
      collector_.set_timestamp(timestamp);
      if constexpr (requires { function_->map(value); }) {
        collector_.collect(function_->map(value));
      } else if constexpr (requires { function_->filter(value); }) {
        if (function_->filter(value)) collector_.collect(value);
      } else {
        function_->flat_map(value, collector_);
      }
    });
  }

 private:
  RichFunction* function() override { return function_.get(); }

  std::unique_ptr<Function> function_;
  OutputPort<Out> out_;
  Collector<Out> collector_{out_};
};

/// A callable as a function object of one of the kinds above.
template <class In, class Out, class F>
class CallableMap final : public MapFunction<In, Out> {
 public:
  explicit CallableMap(F f) : f_{std::move(f)} {}
  Out map(const In& value) override { return std::invoke(f_, value); }

 private:
  F f_;
};
template <class T, class F>
class CallableFilter final : public FilterFunction<T> {
 public:
  explicit CallableFilter(F f) : f_{std::move(f)} {}
  bool filter(const T& value) override { return std::invoke(f_, value); }

 private:
  F f_;
};
template <class In, class Out, class F>
class CallableFlatMap final : public FlatMapFunction<In, Out> {
 public:
  explicit CallableFlatMap(F f) : f_{std::move(f)} {}
  void flat_map(const In& value, Collector<Out>& out) override { f_(value, out); }

 private:
  F f_;
};
template <class T, class F>
class CallableSink final : public SinkFunction<T> {
 public:
  explicit CallableSink(F f) : f_{std::move(f)} {}
  void invoke(const T& value, OptionalTimestamp timestamp) override {
    if constexpr (std::is_invocable_v<F&, const T&, OptionalTimestamp>) {
      f_(value, timestamp);
    } else {
      f_(value);
    }
  }

 private:
  F f_;
};

/// Where elements enter a job; whoever drives the job pushes into it.
template <class T>
class SourceOperator final : public Operator {
 public:
  SourceOperator() { this->add_port(out_); }
  OutputPort<T>& output() { return out_; }

 private:
  OutputPort<T> out_;
};

template <class T>
class SinkOperator final : public OneInputOperator<T> {
 public:
  explicit SinkOperator(std::unique_ptr<SinkFunction<T>> function)
      : function_{std::move(function)} {}
  void element(const T& value, OptionalTimestamp timestamp) override {
    this->call(timestamp, [&] { function_->invoke(value, timestamp); });
  }

 private:
  RichFunction* function() override { return function_.get(); }
  void on_finish() override { function_->finish(); }
  std::unique_ptr<SinkFunction<T>> function_;
};

/// Passes on what it gets: the meeting point of united streams.
template <class T>
class UnionOperator final : public OneInputOperator<T> {
 public:
  UnionOperator() { this->add_port(out_); }
  OutputPort<T>& output() { return out_; }
  void element(const T& value, OptionalTimestamp timestamp) override {
    out_.emit(value, timestamp);
  }

 private:
  OutputPort<T> out_;
};

}  // namespace sluice::detail
