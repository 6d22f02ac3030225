// Job: a running graph: the operator instances, their wiring, their time, their checkpoints.
//
// A job has no thread and no clock: whoever drives it (the daemon's engine, a test, a program that
// embeds it) calls emit() and advance_processing_time(), and all work happens inside these calls.
// The same calls give the same results. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/base/result.hpp"
#include "pipeline/graph/environment.hpp"
#include "pipeline/operators/simple_operators.hpp"
#include "pipeline/state/snapshot.hpp"

namespace sluice {

namespace detail {
class EventTime;
}

struct JobOptions {
  /// State to start from; must outlive start(). nullptr: from nothing.
  const JobSnapshot* restore{};
  /// Accept state of operators that the graph does not have any more, and drop it (CP-08).
  bool allow_non_restored_state{false};
  /// snapshot() will be asked for changes only: remember them.
  bool track_changes{false};
  /// Snapshots also hold where the job stands in event time (watermarks, idle sources), and a
  /// restore goes on from there: the same elements are late, the same windows fire, as without it.
  /// Off, as in Flink (WM-14), no watermark is known after a restore until there is a new one.
  /// Where the parallelism of an operator has changed, it starts without one all the same.
  bool keep_event_time{false};
  /// Processing time at the start.
  Timestamp start_time{0};
  /// How many times this job was restarted before (RF-08).
  std::uint32_t attempt{0};
};

class Job;

/// One source of a running job, looked up once. Valid as long as the job.
template <class T>
class SourceHandle {
 public:
  /// As Job::emit().
  void emit(const T& value, OptionalTimestamp timestamp = {}) const;

 private:
  friend class Job;
  SourceHandle(Job& job, detail::OutputPort<T>& port) : job_{&job}, port_{&port} {}

  Job* job_;
  detail::OutputPort<T>* port_;
};

class Job {
 public:
  /// Builds, restores and opens all operators, last to first (RF-03). Fails if the graph is not
  /// valid or the state does not fit (kVersion); what user code throws in open() fails it too.
  /// `environment` must outlive the job.
  static Result<std::unique_ptr<Job>> start(const Environment& environment, JobOptions options);

  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  /// Closes the operators if close() was not called.
  ~Job();

  /// Brings one element into a source and through all operators behind it; then timers that became
  /// overdue meanwhile fire (TM-15). Throws OperatorFailure if user code failed: the job is then
  /// in no defined state and must be closed and started anew from a snapshot (RR-01).
  template <class T>
  void emit(const std::string& name, const T& value, OptionalTimestamp timestamp = {}) {
    source<T>(name).emit(value, timestamp);
  }
  /// For whoever emits often. Throws InvalidArgument if there is no such source of T.
  template <class T>
  SourceHandle<T> source(const std::string& name) {
    auto* op = dynamic_cast<detail::SourceOperator<T>*>(find_source(name));
    if (op == nullptr) no_such_source(name);
    return SourceHandle<T>{*this, op->output()};
  }
  /// For sources that know their event time themselves. Both throw InvalidArgument if there is no
  /// such source, and OperatorFailure as emit() does.
  void emit_watermark(const std::string& source, Timestamp watermark);
  void set_idle(const std::string& source, bool idle);

  /// Event time starts over: no watermark is known until there is a new one, and what set_idle()
  /// said is forgotten; timers and state stay. For input whose clock was wrong by far: a watermark
  /// in a far future would make late whatever comes. Throws IllegalState without keep_event_time,
  /// where a restart does the same.
  void reset_event_time();

  /// Moves processing time on, never back, and fires what is due: timers before `now` (TM-23), and
  /// periodic watermarks (WM-02). Throws OperatorFailure as emit() does.
  void advance_processing_time(Timestamp now);
  Timestamp processing_time() const { return now_; }
  /// While held, processing-time timers do not fire, though time moves on; those that are due by
  /// then fire when they are let go, with OperatorFailure as from emit(). For input that is known
  /// to come late, after a restart.
  void hold_timers(bool hold);
  /// The earliest time at which advance_processing_time() would do something.
  std::optional<Timestamp> next_processing_time() const;

  /// Writes the state of all operators: all of it, or, where track_changes is on and `full` false,
  /// what changed since the last time. Between two calls of emit() every state is consistent
  /// (CP-04).
  void snapshot(SnapshotWriter& writer, bool full, std::uint64_t checkpoint_id);
  /// The snapshot of that id is durable (CP-03).
  void notify_checkpoint_complete(std::uint64_t checkpoint_id);

  /// The input has ended: final watermark, finish (TM-19, WM-10). Processing-time timers that are
  /// still pending do not fire (TM-24). Then closes the job. Throws OperatorFailure as emit() does.
  void finish();
  /// Closes all operators; idempotent.
  void close() noexcept;

 private:
  template <class T>
  friend class SourceHandle;
  struct Instances {
    const detail::Node* node{};
    std::vector<std::unique_ptr<detail::Operator>> operators;
    std::vector<std::vector<detail::GateBase*>> gates;  ///< of each operator
  };

  explicit Job(const Environment& environment, const JobOptions& options);
  Status check_restored(const JobOptions& options) const;
  void make_instances();
  void wire();
  void wire_input(std::size_t to, const detail::NodeInput& input);
  void set_up_instances(const JobOptions& options);
  void start_instances();
  void keep_event_time(const JobSnapshot* restore);
  std::uint32_t parallelism_of(const detail::Node& node) const;
  std::uint32_t max_parallelism_of(const detail::Node& node, const JobOptions& options) const;
  detail::Operator* find_source(const std::string& name) const;
  [[noreturn]] static void no_such_source(const std::string& name);
  void fire_due_timers();

  const Environment& environment_;
  std::vector<Instances> instances_;
  std::vector<std::unique_ptr<detail::GateBase>> gates_;
  detail::Wires wires_;
  std::unique_ptr<detail::EventTime> event_time_;  ///< if it is to be kept
  std::vector<std::uint32_t> max_parallelism_;
  Timestamp now_{0};
  bool overdue_{false};
  bool timers_held_{false};
  bool closed_{false};
};

template <class T>
void SourceHandle<T>::emit(const T& value, OptionalTimestamp timestamp) const {
  port_->emit(value, timestamp);
  if (job_->overdue_) job_->fire_due_timers();
}

}  // namespace sluice
