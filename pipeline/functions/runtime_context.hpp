// RuntimeContext: what a function may know about its place, and where it gets its keyed state.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/state/keyed_backend.hpp"

namespace sluice {

/// Which instance of which operator this is (RF-08).
struct TaskInfo {
  std::string uid;
  std::string name;
  std::uint32_t subtask{0};  ///< 0 .. parallelism-1
  std::uint32_t parallelism{1};
  std::uint32_t max_parallelism{128};
  std::uint32_t attempt{0};  ///< how many times the job was restarted before
};

/// Handed to open(); valid until close(). Handles may be got in open() or later (KS-11):
///
///   last_ = context.value_state<double>({.name = "last-level"});
///
/// Keyed state needs a keyed stream (KS-05) and, when used, a current key (KS-04).
class RuntimeContext {
 public:
  RuntimeContext(const TaskInfo& task, detail::KeyedBackend* keyed) : task_{task}, keyed_{keyed} {}

  const TaskInfo& task() const { return task_; }

  template <Storable T>
  ValueState<T> value_state(const ValueStateDescriptor<T>& descriptor) {
    return keyed(descriptor.name).state(descriptor);
  }
  template <Storable T>
  ListState<T> list_state(const ListStateDescriptor<T>& descriptor) {
    return keyed(descriptor.name).state(descriptor);
  }
  template <Storable K, Storable V>
  MapState<K, V> map_state(const MapStateDescriptor<K, V>& descriptor) {
    return keyed(descriptor.name).state(descriptor);
  }
  template <Storable T>
  ReducingState<T> reducing_state(const ReducingStateDescriptor<T>& descriptor) {
    return keyed(descriptor.name).state(descriptor);
  }
  template <AggregateFunction A>
  AggregatingState<typename A::Input, typename A::Result> aggregating_state(
      const AggregatingStateDescriptor<A>& descriptor) {
    return keyed(descriptor.name).state(descriptor);
  }

 private:
  detail::KeyedBackend& keyed(const std::string& state_name) const;

  const TaskInfo& task_;
  detail::KeyedBackend* keyed_;
};

}  // namespace sluice
