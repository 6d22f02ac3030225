// Operator: one running instance of a user function, with its state, timers and outputs.
//
// The base has everything that does not depend on record types: life cycle, event time, timers,
// snapshots. Typed operators derive from OneInputOperator or TwoInputOperator. Engine thread only.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/base/errors.hpp"
#include "pipeline/functions/checkpointed_function.hpp"
#include "pipeline/functions/contexts.hpp"
#include "pipeline/functions/rich_function.hpp"
#include "pipeline/operators/ports.hpp"
#include "pipeline/operators/watermarks.hpp"
#include "pipeline/state/keyed_backend.hpp"
#include "pipeline/timers/timer_queue.hpp"

namespace sluice::detail {

/// What an instance is started with.
struct OperatorSetup {
  TaskInfo task;
  const Timestamp* now{};  ///< processing time, moved on by whoever drives the operators
  /// The parts of a snapshot that belong to this uid, of all its former instances; empty if none.
  std::vector<const OperatorSnapshot*> restored;
  bool is_restored{false};    ///< the job comes from a snapshot (OS-03)
  bool track_changes{false};  ///< snapshots will ask for changes only
  bool* overdue{};  ///< set when a processing-time timer is due already (TM-15); may be nullptr
};

class Operator {
 public:
  Operator() = default;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;
  virtual ~Operator() = default;

  // --- life cycle, in this order (RF-01) ---
  void set_up(OperatorSetup setup);  ///< the runtime context is there from now on (RF-04)
  void start();                      ///< restores, initialize_state
  void open();
  void finish();  ///< the input ended well
  /// Once after set_up(), whatever happened, open or not; swallows exceptions (RF-02).
  void close() noexcept;

  // --- time ---
  /// Moves event time on and fires what is due, then passes the watermark on (TM-22).
  void advance_watermark(Timestamp watermark);
  void pass_idle(bool idle);
  /// Fires processing-time timers due at or before `limit`, in order (TM-13).
  void fire_processing_timers(Timestamp limit);
  /// When the next processing-time timer is due; nothing if there is none.
  virtual std::optional<Timestamp> next_processing_time();
  /// For operators with periodic work of their own (watermark generators).
  virtual void on_processing_time() {}

  // --- checkpoints ---
  void snapshot(SnapshotWriter& writer, bool full, std::uint64_t checkpoint_id);
  void notify_checkpoint_complete(std::uint64_t checkpoint_id);

  // --- for snapshots that keep event time, beside those above ---
  /// Where this operator stands in event time; null if at the beginning.
  virtual Datum event_time() const {
    return watermark_ == kMinTimestamp ? Datum{} : Datum{watermark_};
  }
  /// Takes it up from there, without a sound: nothing fires, nothing is passed on.
  virtual void restore_event_time(const Datum& saved) {
    if (!saved.is_null()) watermark_ = expect<Timestamp>(saved, "a watermark");
  }

  /// Goes back to the beginning of event time, likewise without a sound.
  virtual void reset_event_time() { watermark_ = kMinTimestamp; }

  // --- for contexts ---
  const TaskInfo& task() const { return setup_.task; }
  Timestamp now() const { return *setup_.now; }
  Timestamp current_watermark() const { return watermark_; }
  OptionalTimestamp call_timestamp() const;
  TimeDomain call_domain() const;
  TimerQueue& timers(TimeDomain domain);
  /// A processing-time timer was set for `at`: whoever drives the job may have to look at once.
  void note_processing_timer(Timestamp at) {
    if (at < now() && setup_.overdue != nullptr) *setup_.overdue = true;
  }
  KeySpace* keys() const { return keys_.get(); }
  KeyedBackend* keyed() const { return keyed_.get(); }
  OperatorStateStore& operator_state() { return *operator_state_; }
  RuntimeContext& runtime_context() { return *context_; }
  template <class T>
  void emit_side(const OutputTag<T>& tag, const T& value);

  /// The port of a side output, made if new. Throws UnsupportedOperation if the id is in use with
  /// another type (SO-05).
  template <class T>
  OutputPort<T>& side_port(const OutputTag<T>& tag);

  // --- for tests and inspection ---
  std::vector<std::pair<Timestamp, Datum>> pending_timers(TimeDomain domain) const;
  std::size_t keyed_entries() const { return keyed_ ? keyed_->entries() : 0; }

 protected:
  /// The user's function, if there is one.
  virtual RichFunction* function() { return nullptr; }
  virtual void on_timer(TimeDomain domain, Timestamp at, OptionalTimestamp emit_at);
  virtual void on_open() {}
  virtual void on_finish() {}
  /// Called by derived constructors of keyed operators.
  void set_keys(std::unique_ptr<KeySpace> keys) { keys_ = std::move(keys); }
  void add_port(Port& port) { ports_.push_back(&port); }

  /// Runs one call of user code about an element: sets what the context says, clears it afterwards,
  /// and turns whatever it throws into OperatorFailure.
  template <class F>
  void call(OptionalTimestamp timestamp, F&& body) {
    const CallScope scope{*this, timestamp};
    try {
      body();
    } catch (...) {
      fail();
    }
  }
  /// The same for user code that is about no element, and so has no key (KS-04).
  template <class F>
  void call_without_key(F&& body) {
    const NoKeyScope scope{keys_.get()};
    try {
      body();
    } catch (...) {
      fail();
    }
  }
  void key_selected() { keyed_->key_changed(); }

 private:
  struct CallScope {
    CallScope(Operator& op, OptionalTimestamp timestamp) : op_{op} {
      op_.call_timestamp_ = timestamp;
      op_.in_call_ = true;
    }
    ~CallScope() { op_.in_call_ = false; }
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;
    Operator& op_;
  };
  /// Puts the current key aside, and back.
  struct NoKeyScope {
    explicit NoKeyScope(KeySpace* keys);
    ~NoKeyScope();
    NoKeyScope(const NoKeyScope&) = delete;
    NoKeyScope& operator=(const NoKeyScope&) = delete;
    KeySpace* keys_;
    KeyIndex aside_{kNoKey};
  };
  [[noreturn]] void fail() const;
  void fire(TimeDomain domain, Timestamp limit);
  void restore_keyed();
  void restore_timers(const StateSnapshot& state, TimeDomain domain);
  void restore_operator_state();
  StateInfo timer_info(TimeDomain domain) const;

  OperatorSetup setup_;
  std::unique_ptr<KeySpace> keys_;
  std::unique_ptr<KeyedBackend> keyed_;
  std::unique_ptr<TimerQueue> event_timers_;
  std::unique_ptr<TimerQueue> processing_timers_;
  std::unique_ptr<OperatorStateStore> operator_state_;
  std::unique_ptr<RuntimeContext> context_;
  std::vector<Port*> ports_;
  std::map<std::string, std::unique_ptr<Port>, std::less<>> side_ports_;
  Timestamp watermark_{kMinTimestamp};
  OptionalTimestamp call_timestamp_;
  TimeDomain call_domain_{TimeDomain::kEventTime};
  bool in_call_{false};
  bool closed_{false};
};

template <class T>
OutputPort<T>& Operator::side_port(const OutputTag<T>& tag) {
  auto& port = side_ports_[tag.id()];
  if (port == nullptr) {
    port = std::make_unique<OutputPort<T>>();
    ports_.push_back(port.get());
  }
  auto* typed = dynamic_cast<OutputPort<T>*>(port.get());
  if (typed == nullptr) {
    throw UnsupportedOperation{"side output '" + tag.id() +
                               "' exists with another type: give each side output of an operator "
                               "its own id (SO-05)"};
  }
  return *typed;
}

template <class T>
void Operator::emit_side(const OutputTag<T>& tag, const T& value) {
  const auto it = side_ports_.find(tag.id());
  if (it == side_ports_.end()) return;  // nobody asked for it: SO-07
  auto* port = dynamic_cast<OutputPort<T>*>(it->second.get());
  if (port == nullptr) {
    throw UnsupportedOperation{"side output '" + tag.id() + "' was asked for with another type"};
  }
  port->emit(value, call_timestamp().value_or(kMinTimestamp));  // SO-04
}

/// An operator with one input. Its own code takes watermarks as they come; that they never go down
/// is the channel's duty (WM-13, ORA-04).
template <class In>
class OneInputOperator : public Input<In>, public Operator {
 public:
  void watermark(Timestamp watermark) override { advance_watermark(watermark); }
  void idle(bool idle) override { pass_idle(idle); }
};

/// An operator with two inputs, whose event time is the minimum of both (WM-11).
template <class In1, class In2>
class TwoInputOperator : public Operator {
 public:
  Input<In1>& first() { return first_; }
  Input<In2>& second() { return second_; }

  Datum event_time() const override {
    return Datum::List{Operator::event_time(), save(combined_.time())};
  }
  void restore_event_time(const Datum& saved) override {
    const auto& parts = expect<Datum::List>(saved, "a watermark and those of two inputs");
    if (parts.size() != 2) bad_datum("a watermark and those of two inputs", saved);
    Operator::restore_event_time(parts[0]);
    restore(combined_.time(), parts[1]);
  }
  void reset_event_time() override {
    Operator::reset_event_time();
    combined_ = CombinedWatermark{2};
  }

 protected:
  virtual void element1(const In1& value, OptionalTimestamp timestamp) = 0;
  virtual void element2(const In2& value, OptionalTimestamp timestamp) = 0;

 private:
  void take(const CombinedWatermark::Change& change) {
    if (change.watermark) advance_watermark(*change.watermark);
    if (change.idle) pass_idle(*change.idle);
  }

  template <class T, int N>
  struct Side final : Input<T> {
    explicit Side(TwoInputOperator& to) : op{to} {}
    void element(const T& value, OptionalTimestamp timestamp) override {
      if constexpr (N == 0) {
        op.element1(value, timestamp);
      } else {
        op.element2(value, timestamp);
      }
    }
    void watermark(Timestamp watermark) override {
      op.take({op.combined_.watermark(N, watermark), std::nullopt});
    }
    void idle(bool idle) override { op.take(op.combined_.idle(N, idle)); }
    TwoInputOperator& op;
  };

  CombinedWatermark combined_{2};
  Side<In1, 0> first_{*this};
  Side<In2, 1> second_{*this};
};

}  // namespace sluice::detail

#include "pipeline/functions/contexts_impl.hpp"
