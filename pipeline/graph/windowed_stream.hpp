// WindowedStream: a keyed stream cut into windows of event time.
//
//   readings.key_by(&Reading::sensor)
//       .window(WindowAssigner::tumbling(1h))
//       .allowed_lateness(10min)
//       .side_output_late(kLate)
//       .aggregate(MeanLevel{}).uid("hourly-mean")
#pragma once

#include "pipeline/graph/keyed_stream.hpp"
#include "pipeline/windows/window_function.hpp"

namespace sluice {

template <class K, class T>
class WindowedStream {
 public:
  WindowedStream(KeyedStream<K, T> stream, WindowAssigner assigner)
      : stream_{std::move(stream)}, options_{.assigner = assigner} {}

  WindowedStream allowed_lateness(Duration lateness) && {
    options_.allowed_lateness = lateness;
    return std::move(*this);
  }
  /// Ask the aggregated stream for side_output(tag) to get them.
  WindowedStream side_output_late(OutputTag<T> tag) && {
    options_.late_output = std::move(tag);
    return std::move(*this);
  }

  /// One result for each key and window; needs a uid. For sessions the function needs merge().
  template <AggregateFunction A>
  Stream<WindowResult<K, typename A::Result>> aggregate(A function) const {
    return stream_.template process<WindowFunction<K, T, A>>(options_, std::move(function));
  }

 private:
  KeyedStream<K, T> stream_;
  WindowOptions<T> options_;
};

template <class K, class T>
WindowedStream<K, T> KeyedStream<K, T>::window(WindowAssigner assigner) const {
  return {*this, assigner};
}

}  // namespace sluice
