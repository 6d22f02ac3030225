// KeyedBroadcastProbe: scripted operations on both sides of a keyed broadcast function. A main
// element is {"key": K, "ops": […]}, a broadcast element {"ops": […]}.
#pragma once

#include "pipeline/functions/broadcast_process_functions.hpp"
#include "tests/parity/probes/states.hpp"

namespace sluice::parity {

class KeyedBroadcastProbe final
    : public KeyedBroadcastProcessFunction<std::string, Json, Json, std::string> {
 public:
  static BroadcastStateDescriptor<NullableText, UnstorableNull> descriptor();

  KeyedBroadcastProbe(Json options, Emulation& emulation)
      : options_(std::move(options)), emulation_{emulation} {}

  void open(RuntimeContext& context) override;
  void process_element(const Json& element, ReadOnlyContext& context,
                       Collector<std::string>& out) override;
  void process_broadcast_element(const Json& element, Context& context,
                                 Collector<std::string>& out) override;
  void on_timer(Timestamp timestamp, OnTimerContext& context, Collector<std::string>& out) override;

 private:
  /// Keyed state on the broadcast side: refused, where Flink takes the last key (BC-11).
  OpResult without_key(const std::string& op, const Json& step);
  void apply_value(Context& context, Collector<std::string>& out, const Json& step);
  /// What the main side gets is const; writes as Flink's casts and entries do (BC-08).
  [[noreturn]] void write_all_the_same(const std::string& op, const Json& step);
  OpResult main_op(ReadOnlyContext& context, const std::string& op, const Json& step);
  OpResult broadcast_op(Context& context, Collector<std::string>& out, const std::string& op,
                        const Json& step);

  using Table = detail::BroadcastTable<NullableText, UnstorableNull>;
  Table& broadcast_table() const;

  Json options_;
  Emulation& emulation_;
  std::optional<States> states_;
  JavaTable java_table_;                 ///< of Flink's broadcast state
  std::optional<std::string> last_key_;  ///< Flink's current key while there is none here
};

}  // namespace sluice::parity
