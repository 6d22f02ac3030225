#include "pipeline/operators/operator.hpp"

namespace sluice {

detail::KeyedBackend& RuntimeContext::keyed(const std::string& state_name) const {
  if (keyed_ == nullptr) {
    throw IllegalState{"operator '" + task_.uid + "': keyed state '" + state_name +
                       "' can only be used on a keyed stream, that is, after key_by() (KS-05)"};
  }
  return *keyed_;
}

RuntimeContext& RichFunction::runtime_context() const {
  if (context_ == nullptr) {
    throw IllegalState{"the runtime context is there from open() on, not before (RF-04)"};
  }
  return *context_;
}

OptionalTimestamp FunctionContext::timestamp() const { return operator_->call_timestamp(); }

Timestamp BroadcastWriter::current_watermark() const { return op().current_watermark(); }
Timestamp BroadcastWriter::current_processing_time() const { return op().now(); }

Timestamp TimerService::current_watermark() const { return operator_->current_watermark(); }
Timestamp TimerService::current_processing_time() const { return operator_->now(); }

namespace {
detail::Timer of_current_key(const detail::Operator& op, Timestamp at) {
  return {at, op.keys()->current()};
}
}  // namespace

// timers() refuses first where there is no key at all (TM-20).
void TimerService::register_event_time_timer(Timestamp at) {
  operator_->timers(TimeDomain::kEventTime).add(of_current_key(*operator_, at));
}
void TimerService::register_processing_time_timer(Timestamp at) {
  operator_->timers(TimeDomain::kProcessingTime).add(of_current_key(*operator_, at));
  operator_->note_processing_timer(at);
}
void TimerService::delete_event_time_timer(Timestamp at) {
  operator_->timers(TimeDomain::kEventTime).remove(of_current_key(*operator_, at));
}
void TimerService::delete_processing_time_timer(Timestamp at) {
  operator_->timers(TimeDomain::kProcessingTime).remove(of_current_key(*operator_, at));
}

}  // namespace sluice
