// MapOps: the operations on a probe's map state.
#pragma once

#include "pipeline/functions/runtime_context.hpp"
#include "tests/parity/harness/emulation.hpp"
#include "tests/parity/probes/nullable.hpp"
#include "tests/parity/probes/ops.hpp"

namespace sluice::parity {

/// V is NullableInt, or UnstorableNull where there is a TTL: Flink's maps write down which of their
/// values are null, but what is wrapped with a stamp goes to the serializer of numbers as it is.
template <class V>
class MapOps {
 public:
  MapOps(RuntimeContext& context, const std::optional<TtlConfig>& ttl, Emulation& emulation);

  /// Nothing if `op` is no operation on maps.
  OpResult apply(const std::string& op, const Json& step);

 private:
  using Column = detail::MapColumn<NullableText, V>;

  void put_all(const Json& step);
  OpResult view(const std::string& op);
  /// Removes the entry with that key through the iteration, or sets it.
  void change_in_loop(const std::string& op, const Json& step);
  void put_in_loop(const Json& step);
  /// Whether a java.util.HashMap's iterator notices that `key` is put after its first step.
  bool java_notices(const NullableText& key) const;
  bool replaced_by_clean_up() const;
  Column& column() const;
  /// The current key's entry for `key` has expired, and is still there.
  bool expired(const NullableText& key) const;

  static constexpr const char* kName = "map";

  MapState<NullableText, V> map_;
  bool ttl_;
  Emulation& emulation_;
};

}  // namespace sluice::parity
