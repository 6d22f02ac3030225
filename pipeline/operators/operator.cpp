#include "pipeline/operators/operator.hpp"

#include "pipeline/base/thrown.hpp"
#include "pipeline/operators/redistribution.hpp"

namespace sluice::detail {

namespace {

bool is_keyed_kind(StateKind kind) {
  return kind >= StateKind::kValue && kind <= StateKind::kAggregating;
}

constexpr const char* kEventTimers = "event-timers";
constexpr const char* kProcessingTimers = "processing-timers";

}  // namespace

void Operator::set_up(OperatorSetup setup) {
  setup_ = std::move(setup);
  const TaskInfo& task = setup_.task;
  // All parts are there before the first thing that may fail.
  operator_state_ = std::make_unique<OperatorStateStore>(task.uid);
  if (keys_ != nullptr) {
    keyed_ = std::make_unique<KeyedBackend>(
        task.uid, *keys_, *setup_.now,
        KeyOwnership{task.subtask, task.parallelism, task.max_parallelism});
    event_timers_ = std::make_unique<TimerQueue>(*keys_);
    processing_timers_ = std::make_unique<TimerQueue>(*keys_);
  }
  context_ = std::make_unique<RuntimeContext>(setup_.task, keyed_.get());
  if (RichFunction* user = function()) user->context_ = context_.get();
}

void Operator::start() {
  if (keys_ != nullptr) {
    keys_->track_changes(false);
    restore_keyed();
    keys_->track_changes(setup_.track_changes);
  }
  restore_operator_state();
  if (auto* checkpointed = dynamic_cast<CheckpointedFunction*>(function())) {
    FunctionInitializationContext context{*operator_state_, setup_.is_restored};
    checkpointed->initialize_state(context);
  }
}

void Operator::restore_keyed() {
  for (const auto* snapshot : setup_.restored) {
    for (const auto& state : snapshot->states) {
      if (is_keyed_kind(state.info.kind)) keyed_->add_restored(state);
      if (state.info.kind == StateKind::kEventTimers) {
        restore_timers(state, TimeDomain::kEventTime);
      } else if (state.info.kind == StateKind::kProcessingTimers) {
        restore_timers(state, TimeDomain::kProcessingTime);
      }
    }
  }
}

void Operator::restore_timers(const StateSnapshot& state, TimeDomain domain) {
  if (state.info.key_type != keys_->schema()) {
    throw StateMigrationError{"operator '" + task().uid +
                              "': its timers were stored for keys of type " + state.info.key_type +
                              ", but keys are " + keys_->schema() +
                              " now: keys cannot change their type (SE-03)"};
  }
  for (const auto& [row, unused] : state.rows) {
    const auto& parts = expect<Datum::List>(row, "a timer");
    if (parts.size() != 2) bad_datum("a timer", row);
    if (!keyed_->owns(parts[0])) continue;
    timers(domain).restore({expect<std::int64_t>(parts[1], "a time"), keys_->intern(parts[0])});
  }
}

void Operator::restore_operator_state() {
  for (auto& state : operator_states_for(task().subtask, task().parallelism, setup_.restored)) {
    operator_state_->add_restored(std::move(state));
  }
}

void Operator::open() {
  // The snapshot may go afterwards, also if this fails: what is only asked for later (KS-11), or
  // never, needs its copy.
  const auto keep_unclaimed = [this] {
    if (keyed_ != nullptr) keyed_->keep_unclaimed();
  };
  try {
    on_open();
    if (RichFunction* user = function()) user->open(*context_);
  } catch (...) {
    keep_unclaimed();
    throw;
  }
  keep_unclaimed();
}

void Operator::finish() {
  call_without_key([this] { on_finish(); });
}

void Operator::close() noexcept {
  if (closed_ || context_ == nullptr) return;
  closed_ = true;
  try {
    if (RichFunction* user = function()) user->close();
  } catch (...) {  // NOLINT(bugprone-empty-catch): RF-02, a failing close must not hide the cause
  }
}

void Operator::advance_watermark(Timestamp watermark) {
  watermark_ = watermark;  // before the timers: they see the new one (TM-10)
  if (event_timers_ != nullptr) fire(TimeDomain::kEventTime, watermark);
  for (auto* port : ports_) port->watermark(watermark);
}

void Operator::pass_idle(bool idle) {
  for (auto* port : ports_) port->idle(idle);
}

void Operator::fire_processing_timers(Timestamp limit) {
  if (processing_timers_ != nullptr) fire(TimeDomain::kProcessingTime, limit);
}

std::optional<Timestamp> Operator::next_processing_time() {
  if (processing_timers_ == nullptr) return std::nullopt;
  const Timer* next = processing_timers_->earliest();
  if (next == nullptr) return std::nullopt;
  return next->at;
}

// Timers that a callback adds take their place among those left (TM-09, TM-16).
void Operator::fire(TimeDomain domain, Timestamp limit) {
  TimerQueue& queue = timers(domain);
  for (const Timer* next = queue.earliest(); next != nullptr && next->at <= limit;
       next = queue.earliest()) {
    const Timer timer = *next;
    keys_->set_current(timer.key);  // before it is taken: that may be all that holds the key
    queue.take_earliest();
    keyed_->key_changed();
    call_domain_ = domain;
    const bool event = domain == TimeDomain::kEventTime;
    call(timer.at,
         [&] { on_timer(domain, timer.at, event ? OptionalTimestamp{timer.at} : std::nullopt); });
  }
}

void Operator::on_timer(TimeDomain, Timestamp, OptionalTimestamp) {}

OptionalTimestamp Operator::call_timestamp() const {
  if (!in_call_) {
    throw IllegalState{"a context can only be used during the call it was passed to (CX-07)"};
  }
  return call_timestamp_;
}

TimeDomain Operator::call_domain() const {
  (void)call_timestamp();
  return call_domain_;
}

TimerQueue& Operator::timers(TimeDomain domain) {
  auto& queue = domain == TimeDomain::kEventTime ? event_timers_ : processing_timers_;
  if (queue == nullptr) {
    throw UnsupportedOperation{"operator '" + task().uid +
                               "': timers need a keyed stream: put key_by() before it (TM-20)"};
  }
  return *queue;
}

Operator::NoKeyScope::NoKeyScope(KeySpace* keys) : keys_{keys} {
  if (keys_ == nullptr || !keys_->has_current()) return;
  aside_ = keys_->current();
  keys_->retain(aside_);  // so that it does not lose its index meanwhile
  keys_->set_current(kNoKey);
}

Operator::NoKeyScope::~NoKeyScope() {
  if (aside_ == kNoKey) return;
  keys_->set_current(aside_);
  keys_->release(aside_);
}

void Operator::fail() const {
  const std::string key =
      keys_ != nullptr && keys_->has_current() ? keys_->encode(keys_->current()).to_text() : "";
  try {
    throw;
  } catch (const OperatorFailure&) {
    throw;  // it happened further down, and says where
  } catch (...) {
    throw OperatorFailure{task().uid, key, thrown_words()};
  }
}

StateInfo Operator::timer_info(TimeDomain domain) const {
  const bool event = domain == TimeDomain::kEventTime;
  return {event ? kEventTimers : kProcessingTimers,
          event ? StateKind::kEventTimers : StateKind::kProcessingTimers, keys_->schema(), "bool",
          false};
}

void Operator::snapshot(SnapshotWriter& writer, bool full, std::uint64_t checkpoint_id) {
  if (auto* checkpointed = dynamic_cast<CheckpointedFunction*>(function())) {
    call_without_key([&] { checkpointed->snapshot_state(checkpoint_id); });
  }
  const TaskInfo& t = task();
  writer.begin_operator({t.uid, t.subtask, t.parallelism, t.max_parallelism});
  if (keyed_ != nullptr) {
    keyed_->write(writer, full);
    event_timers_->write(writer, timer_info(TimeDomain::kEventTime), full);
    processing_timers_->write(writer, timer_info(TimeDomain::kProcessingTime), full);
    keys_->changes_written();
  }
  operator_state_->write(writer, full);
}

void Operator::notify_checkpoint_complete(std::uint64_t checkpoint_id) {
  if (auto* checkpointed = dynamic_cast<CheckpointedFunction*>(function())) {
    call_without_key([&] { checkpointed->notify_checkpoint_complete(checkpoint_id); });
  }
}

std::vector<std::pair<Timestamp, Datum>> Operator::pending_timers(TimeDomain domain) const {
  std::vector<std::pair<Timestamp, Datum>> result;
  const auto& queue = domain == TimeDomain::kEventTime ? event_timers_ : processing_timers_;
  if (queue == nullptr) return result;
  for (const Timer& timer : queue->pending()) {
    result.emplace_back(timer.at, keys_->encode(timer.key));
  }
  return result;
}

}  // namespace sluice::detail
