#include "tests/parity/harness/player.hpp"

#include <algorithm>
#include <stdexcept>

#include "pipeline/state/key_hash.hpp"
#include "tests/parity/harness/trace.hpp"

namespace sluice::parity {

namespace {

std::size_t input_number(const std::string& name) {
  if (name == "main") return 0;
  if (name == "second" || name == "broadcast") return 1;
  throw std::invalid_argument{"unknown input " + name};
}

Timestamp watermark_of(const Json& value) {
  return value.is_string() ? kMaxTimestamp : value.get<Timestamp>();
}

/// Flink's operators take up their timers after the function has been opened.
void forget_timers(detail::Operator& op) {
  if (op.keys() == nullptr) return;
  for (const auto domain : {TimeDomain::kEventTime, TimeDomain::kProcessingTime}) {
    auto& timers = op.timers(domain);
    for (const auto& timer : timers.pending()) timers.remove(timer);
  }
}

void add_subtask_numbers(Json& records, std::size_t subtask) {
  for (auto& record : records) record["subtask"] = subtask;
}

void append(Json& to, Json from) {
  for (auto& item : from) to.push_back(std::move(item));
}

}  // namespace

Player::Player(const Script& script, const Job& job, Snapshots snapshots)
    : script_{script},
      job_{job},
      snapshots_{snapshots},
      options_(script.options),
      parallelism_{script.parallelism},
      now_{script.processing_time} {}

std::vector<Json> Player::play() {
  std::vector<Json> answers;
  answers.push_back(answer({{"start", true}}, [this] { start(); }));
  for (const auto& step : script_.steps) {
    answers.push_back(answer(step, [&] { perform(step); }));
  }
  return answers;
}

template <class F>
Json Player::answer(const Json& step, F&& action) {
  Json result{{"do", step}, {"out", Json::array()}};
  try {
    action();
  } catch (const std::exception& e) {
    result["error"] = e.what();
  }
  add_outputs(result);
  if (!ended_) add_timers(result);
  if (auto fired = Trace::get().take_fired(); !fired.empty()) result["fired"] = std::move(fired);
  if (auto events = Trace::get().take_events(); !events.empty())
    result["trace"] = std::move(events);
  if (step.contains("entries") && !result.contains("error")) {
    result["entries"] = Json::array();
    for (auto& subtask : subtasks_) {
      result["entries"].push_back(subtask->op().keyed_entries() + subtask->empty_entries());
    }
  }
  return result;
}

void Player::perform(const Json& step) {
  if (step.contains("restore")) return restore(step);
  if (subtasks_.empty()) throw std::runtime_error{"nothing was started"};
  if (step.contains("watermark")) return watermark(step);
  if (step.contains("idle")) return idle(step);
  if (step.contains("advance_processing_time")) {
    return advance(step["advance_processing_time"].get<Timestamp>());
  }
  if (step.contains("snapshot")) return snapshot();
  if (step.contains("end_input")) return end_input();
  if (step.contains("notify_complete")) {
    for (auto& subtask : subtasks_) subtask->op().notify_checkpoint_complete(checkpoint_);
    return;
  }
  if (step.contains("entries")) return;
  if (step.contains("value")) return element(step);
  throw std::invalid_argument{"unknown step"};
}

void Player::start() { create_instances(); }

void Player::create_instances() {
  subtasks_.clear();
  next_subtask_ = 0;
  opened_ = storable_ = true;
  constexpr std::uint32_t kMostGroups = 32768;  // KS-08
  if (parallelism_ == 0 || parallelism_ > script_.max_parallelism ||
      script_.max_parallelism > kMostGroups) {
    throw std::invalid_argument{"a parallelism must be 1 to max_parallelism, that 32768 at most"};
  }
  for (std::uint32_t i = 0; i < parallelism_; ++i) {
    auto& subtask = subtasks_.emplace_back(job_.make(options_));
    subtask->use_clock(now_);
    detail::OperatorSetup setup;
    setup.task = {script_.job, script_.job, i, parallelism_, script_.max_parallelism, 0};
    setup.now = &now_;
    setup.is_restored = last_.has_value();
    setup.track_changes = snapshots_ == Snapshots::kIncremental;
    if (last_) {
      for (const auto& part : last_->job().operators) setup.restored.push_back(&part);
    }
    try {
      subtask->op().set_up(std::move(setup));
      subtask->op().start();
    } catch (...) {
      subtasks_.pop_back();  // it never came to be
      throw;
    }
    open(*subtask);
  }
}

// One whose open() fails is there, as in the oracle: all that it cannot do is an error (ORA-03).
void Player::open(Subtask& subtask) {
  try {
    opened_ = false;
    subtask.op().open();
    opened_ = true;
  } catch (const StateMigrationError&) {
    storable_ = false;
    forget_timers(subtask.op());
    throw;
  }
}

std::size_t Player::subtask_for(std::size_t input, const Json& step) {
  if (step.contains("subtask")) return step["subtask"].get<std::size_t>();
  if (const auto hash = subtasks_.front()->key_hash(input, step["value"])) {
    const auto group = key_group_of(*hash, script_.max_parallelism);
    return subtask_of(group, parallelism_, script_.max_parallelism);
  }
  return next_subtask_++ % subtasks_.size();
}

void Player::element(const Json& step) {
  const std::string in = step.value("in", "main");
  const std::size_t input = input_number(in);
  OptionalTimestamp timestamp;
  if (step.contains("ts")) timestamp = step["ts"].get<Timestamp>();
  if (in == "broadcast") {
    for (auto& subtask : subtasks_) subtask->element(input, step["value"], timestamp);
  } else {
    subtasks_.at(subtask_for(input, step))->element(input, step["value"], timestamp);
  }
}

std::vector<std::size_t> Player::inputs_of(const Json& step) const {
  if (step.contains("in")) return {input_number(step["in"])};
  std::vector<std::size_t> all(subtasks_.front()->inputs());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

void Player::watermark(const Json& step) {
  for (const std::size_t input : inputs_of(step)) {
    for (auto& subtask : subtasks_) subtask->watermark(input, watermark_of(step["watermark"]));
  }
}

void Player::idle(const Json& step) {
  for (const std::size_t input : inputs_of(step)) {
    for (auto& subtask : subtasks_) subtask->idle(input, step["idle"].get<bool>());
  }
}

void Player::advance(Timestamp now) {
  now_ = now;
  for (auto& subtask : subtasks_) {
    subtask->op().on_processing_time();
    subtask->op().fire_processing_timers(now_);
  }
}

void Player::snapshot() {
  ++checkpoint_;
  if (!storable_) throw std::runtime_error{"Flink cannot store a state that it refused"};
  const bool full = snapshots_ == Snapshots::kFull || need_full_;
  // Built beside the last one, which stays if a codec refuses a value (BC-03).
  MemorySnapshot next = full ? MemorySnapshot{} : *last_;
  need_full_ = true;
  for (auto& subtask : subtasks_) {
    if (!subtask->storable()) throw std::runtime_error{"Flink cannot store an empty entry"};
    subtask->op().snapshot(next, full, checkpoint_);
  }
  last_ = std::move(next);
  last_parallelism_ = parallelism_;
  need_full_ = false;
}

void Player::restore(const Json& step) {
  for (auto& subtask : subtasks_) subtask->op().close();
  parallelism_ = step.value("parallelism", parallelism_);
  options_ = step.value("options", options_);
  // Increments go on from where the state was stored; after rescaling it lies elsewhere.
  need_full_ = !last_ || parallelism_ != last_parallelism_;
  ended_ = false;
  create_instances();
  for (auto& subtask : subtasks_) subtask->op().fire_processing_timers(now_);
}

void Player::end_input() {
  ended_ = true;
  for (auto& subtask : subtasks_) {
    for (std::size_t i = 0; i < subtask->inputs(); ++i) subtask->watermark(i, kMaxTimestamp);
    subtask->op().finish();
    subtask->op().close();
  }
}

void Player::add_outputs(Json& answer) {
  for (std::size_t i = 0; i < subtasks_.size(); ++i) {
    Json records = subtasks_[i]->output().take();
    if (subtasks_.size() > 1) add_subtask_numbers(records, i);
    append(answer["out"], std::move(records));
    for (auto& [tag, recorder] : subtasks_[i]->side_outputs()) {
      Json all = recorder.take();
      Json elements =
          Json::array();  // watermarks go to all outputs (SO-08), answers leave them out
      for (auto& record : all) {
        if (record.contains("v")) elements.push_back(std::move(record));
      }
      if (elements.empty()) continue;
      if (subtasks_.size() > 1) add_subtask_numbers(elements, i);
      append(answer["side"][tag], std::move(elements));
    }
  }
}

void Player::add_timers(Json& answer) const {
  for (const auto domain : {TimeDomain::kEventTime, TimeDomain::kProcessingTime}) {
    std::vector<std::pair<Timestamp, std::string>> timers;
    for (const auto& subtask : subtasks_) {
      if (!opened_ && subtask == subtasks_.back()) continue;
      for (const auto& [at, key] : subtask->op().pending_timers(domain)) {
        timers.emplace_back(at, *key.get_if<std::string>());
      }
    }
    if (timers.empty()) continue;
    std::sort(timers.begin(), timers.end());
    auto& list = answer["timers"][domain == TimeDomain::kEventTime ? "event" : "proc"];
    for (const auto& [at, key] : timers) list.push_back({at, key});
  }
}

}  // namespace sluice::parity
