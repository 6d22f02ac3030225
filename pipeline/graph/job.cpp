#include "pipeline/graph/job.hpp"

#include <algorithm>
#include <stdexcept>

#include "pipeline/base/thrown.hpp"
#include "pipeline/graph/event_time.hpp"

namespace sluice {

Job::Job(const Environment& environment, const JobOptions& options)
    : environment_{environment}, now_{options.start_time} {}

Job::~Job() { close(); }

Result<std::unique_ptr<Job>> Job::start(const Environment& environment, JobOptions options) {
  SLUICE_RETURN_IF_ERROR(environment.validate());
  std::unique_ptr<Job> job{new Job{environment, options}};
  for (const auto& node : environment.nodes()) {
    job->max_parallelism_.push_back(job->max_parallelism_of(node, options));
  }
  SLUICE_RETURN_IF_ERROR(job->check_restored(options));
  try {
    job->make_instances();
    job->wire();
    job->set_up_instances(options);
    job->start_instances();
    if (options.keep_event_time) job->keep_event_time(options.restore);
  } catch (const StateMigrationError& e) {
    return Error{ErrorCode::kVersion, e.what()};
  } catch (const std::exception& e) {
    return Error{ErrorCode::kInternal, e.what()};
  }
  return job;
}

namespace {

/// Says of what fails in `body`, user code, which operator it was.
template <class F>
void starting(const detail::Node& node, const char* what, F&& body) {
  std::string cause;
  try {
    body();
    return;
  } catch (const StateMigrationError&) {
    throw;  // it says where, and is told apart
  } catch (...) {
    cause = thrown_words();
  }
  const std::string name = "operator '" + (node.uid.empty() ? node.name : node.uid) + "'";
  // The runtime's own words name the operator already.
  if (cause.rfind(name + ": ", 0) == 0) cause.erase(0, name.size() + 2);
  throw std::runtime_error{name + " " + what + ": " + cause};
}

}  // namespace

std::uint32_t Job::parallelism_of(const detail::Node& node) const {
  return node.parallelism.value_or(environment_.parallelism());
}

namespace {

const OperatorInfo* find_restored(const JobSnapshot* snapshot, const std::string& uid) {
  if (snapshot == nullptr || uid.empty()) return nullptr;
  for (const auto& op : snapshot->operators) {
    if (op.info.uid == uid) return &op.info;
  }
  return nullptr;
}

bool holds_anything(const OperatorSnapshot& op) {
  return std::any_of(op.states.begin(), op.states.end(),
                     [](const StateSnapshot& s) { return !s.rows.empty(); });
}

}  // namespace

std::uint32_t Job::max_parallelism_of(const detail::Node& node, const JobOptions& options) const {
  // The number of key groups is fixed by the snapshot (CP-10).
  if (const auto* stored = find_restored(options.restore, node.uid)) {
    return stored->max_parallelism;
  }
  if (environment_.max_parallelism() != 0) return environment_.max_parallelism();
  return default_max_parallelism(parallelism_of(node));
}

Status Job::check_restored(const JobOptions& options) const {
  std::size_t i = 0;
  for (const auto& node : environment_.nodes()) {
    const std::uint32_t max = max_parallelism_[i++];
    const bool stored = find_restored(options.restore, node.uid) != nullptr;
    if (stored && environment_.max_parallelism() != 0 && environment_.max_parallelism() != max) {
      return Error{ErrorCode::kVersion,
                   "operator '" + node.uid + "' was stored with max parallelism " +
                       std::to_string(max) + ", which cannot be changed (CP-10)"};
    }
    if (parallelism_of(node) > max) {
      return Error{ErrorCode::kInvalid, "operator '" + node.name + "' has parallelism " +
                                            std::to_string(parallelism_of(node)) +
                                            ", more than its max parallelism " +
                                            std::to_string(max)};
    }
  }
  if (options.restore == nullptr || options.allow_non_restored_state) return {};
  for (const auto& op : options.restore->operators) {
    const auto& nodes = environment_.nodes();
    const bool known = op.info.uid == detail::kEventTimeUid ||
                       std::any_of(nodes.begin(), nodes.end(),
                                   [&](const auto& n) { return n.uid == op.info.uid; });
    if (known || !holds_anything(op)) continue;
    return Error{ErrorCode::kVersion, "there is no operator for the state of uid '" + op.info.uid +
                                          "': bring it back, or allow state that is not restored "
                                          "to drop it (CP-08)"};
  }
  return {};
}

void Job::make_instances() {
  for (const auto& node : environment_.nodes()) {
    auto& made = instances_.emplace_back();
    made.node = &node;
    for (std::uint32_t i = 0; i < parallelism_of(node); ++i) {
      starting(node, "cannot be made", [&] { made.operators.push_back(node.make()); });
    }
    made.gates.resize(made.operators.size());
  }
}

void Job::wire() {
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    for (const auto& input : instances_[i].node->inputs) wire_input(i, input);
  }
}

void Job::wire_input(std::size_t to, const detail::NodeInput& input) {
  auto& receivers = instances_[to].operators;
  const auto one_to_one = [&](const detail::Edge& edge) {
    return edge.partition == detail::Partition::kForward &&
           instances_[edge.from].operators.size() == receivers.size();
  };
  std::size_t channels = 0;
  for (const auto& edge : input.edges) {
    channels += one_to_one(edge) ? 1 : instances_[edge.from].operators.size();
  }
  std::vector<detail::GateBase*> gates;
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    gates.push_back(gates_.emplace_back(input.make_gate(*receivers[i], channels)).get());
    instances_[to].gates[i].push_back(gates.back());
  }
  for (const auto& edge : input.edges) {
    auto& senders = instances_[edge.from].operators;
    for (std::size_t s = 0; s < senders.size(); ++s) {
      const auto own = one_to_one(edge) ? std::vector<detail::GateBase*>{gates[s]} : gates;
      edge.connect(*senders[s], own, wires_, max_parallelism_[to]);
    }
  }
}

void Job::set_up_instances(const JobOptions& options) {
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    const auto& node = *instances_[i].node;
    auto& operators = instances_[i].operators;
    for (std::uint32_t subtask = 0; subtask < operators.size(); ++subtask) {
      detail::OperatorSetup setup;
      setup.task = {
          node.uid.empty() ? node.name : node.uid,      node.name,           subtask,
          static_cast<std::uint32_t>(operators.size()), max_parallelism_[i], options.attempt};
      setup.now = &now_;
      setup.overdue = &overdue_;
      setup.is_restored = options.restore != nullptr;
      setup.track_changes = options.track_changes;
      if (options.restore != nullptr && !node.uid.empty()) {
        for (const auto& op : options.restore->operators) {
          if (op.info.uid == node.uid) setup.restored.push_back(&op);
        }
      }
      operators[subtask]->set_up(std::move(setup));
    }
  }
}

void Job::start_instances() {
  // Last to first, so that whoever emits in open() finds its receivers open (RF-03).
  for (std::size_t i = instances_.size(); i-- > 0;) {
    for (auto& op : instances_[i].operators) {
      starting(*instances_[i].node, "cannot start", [&] { op->start(); });
      starting(*instances_[i].node, "failed to open", [&] { op->open(); });
    }
  }
  overdue_ = true;  // restored timers may be overdue: they fire with the first call (TM-17)
}

void Job::keep_event_time(const JobSnapshot* restore) {
  event_time_ = std::make_unique<detail::EventTime>();
  const auto names = detail::lasting_names(environment_.nodes());
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    const auto& operators = instances_[i].operators;
    for (std::size_t k = 0; k < operators.size(); ++k) {
      std::string name = names[i];
      if (operators.size() > 1) {
        name += " " + std::to_string(k + 1) + "/" + std::to_string(operators.size());
      }
      event_time_->add(std::move(name), *operators[k], instances_[i].gates[k]);
    }
  }
  if (restore != nullptr) event_time_->restore(*restore);
}

detail::Operator* Job::find_source(const std::string& name) const {
  for (const auto& made : instances_) {
    if (made.node->is_source && made.node->name == name) return made.operators.front().get();
  }
  return nullptr;
}

void Job::no_such_source(const std::string& name) {
  throw InvalidArgument{"the job has no source '" + name + "' of this type of element"};
}

void Job::emit_watermark(const std::string& source, Timestamp watermark) {
  auto* op = find_source(source);
  if (op == nullptr) no_such_source(source);
  op->advance_watermark(watermark);
  if (overdue_) fire_due_timers();
}

void Job::set_idle(const std::string& source, bool idle) {
  auto* op = find_source(source);
  if (op == nullptr) no_such_source(source);
  op->pass_idle(idle);
}

void Job::reset_event_time() {
  if (event_time_ == nullptr) {
    throw IllegalState{"reset_event_time() needs a job with JobOptions::keep_event_time"};
  }
  event_time_->reset();
}

void Job::advance_processing_time(Timestamp now) {
  now_ = std::max(now_, now);
  fire_due_timers();
}

void Job::fire_due_timers() {
  do {
    overdue_ = false;
    for (auto& made : instances_) {
      for (auto& op : made.operators) {
        op->on_processing_time();
        // Not those of `now_` itself: more records of this millisecond may come (TM-23).
        if (!timers_held_) op->fire_processing_timers(now_ - 1);
      }
    }
  } while (overdue_);  // an operator upstream may have got a timer that is due already
}

void Job::hold_timers(bool hold) {
  timers_held_ = hold;
  if (!hold) fire_due_timers();
}

std::optional<Timestamp> Job::next_processing_time() const {
  std::optional<Timestamp> earliest;
  if (timers_held_) return earliest;
  for (const auto& made : instances_) {
    for (const auto& op : made.operators) {
      const auto next = op->next_processing_time();
      if (next && (!earliest || *next < *earliest)) earliest = next;
    }
  }
  return earliest;
}

void Job::snapshot(SnapshotWriter& writer, bool full, std::uint64_t checkpoint_id) {
  for (auto& made : instances_) {
    if (made.node->uid.empty()) continue;  // holds no state
    for (auto& op : made.operators) op->snapshot(writer, full, checkpoint_id);
  }
  if (event_time_ != nullptr) event_time_->write(writer, full);
}

void Job::notify_checkpoint_complete(std::uint64_t checkpoint_id) {
  for (auto& made : instances_) {
    for (auto& op : made.operators) op->notify_checkpoint_complete(checkpoint_id);
  }
}

void Job::finish() {
  for (auto& made : instances_) {
    if (!made.node->is_source) continue;
    for (auto& op : made.operators) op->advance_watermark(kMaxTimestamp);
  }
  for (auto& made : instances_) {
    for (auto& op : made.operators) op->finish();
  }
  close();
}

void Job::close() noexcept {
  if (closed_) return;
  closed_ = true;
  for (std::size_t i = instances_.size(); i-- > 0;) {
    for (auto& op : instances_[i].operators) op->close();
  }
}

}  // namespace sluice
