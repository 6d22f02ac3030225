// Stream<T> and KeyedStream<K, T>: the graph as an engineer writes it. Reads like Flink's
// DataStream API; docs/from-flink.md has both side by side.
//
//   env.from_source<Reading>("readings")
//       .assign_timestamps_and_watermarks(strategy)
//       .key_by(&Reading::sensor)
//       .process<LevelDelta>(10.0).uid("level-delta")
//       .sink_to([](const Alert& a) { … });
//
// Streams are small values that refer to their Environment; copy them freely. Function objects are
// made once for each operator instance from the arguments given here (RF-05).
#pragma once

#include "pipeline/graph/connected_streams.hpp"
#include "pipeline/graph/data_stream.hpp"
#include "pipeline/graph/keyed_stream.hpp"
#include "pipeline/graph/windowed_stream.hpp"
