// KeyedBroadcastProbe: scripted operations on both sides of a keyed broadcast function. A main
// element is {"key": K, "ops": […]}, a broadcast element {"ops": […]}.
#pragma once

#include "pipeline/functions/broadcast_process_functions.hpp"
#include "tests/parity/probes/states.hpp"

namespace sluice::parity {

/// A nullable value whose codec refuses null, as Flink's serializer of numbers does: it can be put,
/// and fails the checkpoint (BC-03).
struct UnstorableNull {
  NullableInt value;
};

}  // namespace sluice::parity

namespace sluice {

template <>
struct Codec<parity::UnstorableNull> {
  static std::string schema() { return "i32"; }
  static Datum encode(const parity::UnstorableNull& v) { return Datum{v.value.value()}; }
  static parity::UnstorableNull decode(const Datum& d) { return {Codec<std::int32_t>::decode(d)}; }
};

}  // namespace sluice

namespace sluice::parity {

class KeyedBroadcastProbe final
    : public KeyedBroadcastProcessFunction<std::string, Json, Json, std::string> {
 public:
  static BroadcastStateDescriptor<NullableText, UnstorableNull> descriptor();

  explicit KeyedBroadcastProbe(Json options) : options_(std::move(options)) {}

  void open(RuntimeContext& context) override;
  void process_element(const Json& element, ReadOnlyContext& context,
                       Collector<std::string>& out) override;
  void process_broadcast_element(const Json& element, Context& context,
                                 Collector<std::string>& out) override;
  void on_timer(Timestamp timestamp, OnTimerContext& context, Collector<std::string>& out) override;

 private:
  OpResult main_op(ReadOnlyContext& context, const std::string& op, const Json& step);
  OpResult broadcast_op(Context& context, Collector<std::string>& out, const std::string& op,
                        const Json& step);

  Json options_;
  std::optional<States> states_;
};

}  // namespace sluice::parity
