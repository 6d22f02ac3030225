// MapFunction, FilterFunction, FlatMapFunction, SinkFunction: one element in, something out.
// All are rich functions and may be CheckpointedFunctions too.
#pragma once

#include "pipeline/functions/collector.hpp"
#include "pipeline/functions/rich_function.hpp"

namespace sluice {

template <class In, class Out>
class MapFunction : public RichFunction {
 public:
  using Input = In;
  using Result = Out;
  virtual Out map(const In& value) = 0;
};

template <class T>
class FilterFunction : public RichFunction {
 public:
  using Input = T;
  using Result = T;
  /// True keeps the element.
  virtual bool filter(const T& value) = 0;
};

template <class In, class Out>
class FlatMapFunction : public RichFunction {
 public:
  using Input = In;
  using Result = Out;
  virtual void flat_map(const In& value, Collector<Out>& out) = 0;
};

template <class T>
class SinkFunction : public RichFunction {
 public:
  using Input = T;
  virtual void invoke(const T& value, OptionalTimestamp timestamp) = 0;
  /// The input ended well: the last chance to flush (RF-02).
  virtual void finish() {}
};

}  // namespace sluice
