#include "daemon/engine/engine.hpp"

#include <algorithm>

#include "storage/crash_point.hpp"
#include "storage/journal/marks.hpp"

namespace sluice::daemon {

using storage::Intake;
using storage::JournalKind;
using storage::JournalRecord;
using SteadyClock = std::chrono::steady_clock;

namespace {
/// The longest the engine sleeps, so that checkpoints and the watchdog get their turn.
constexpr Duration kLongestWait{500};
/// How long it waits for the publisher before it looks around.
constexpr Duration kTurnOfWaiting{100};
/// How often it looks whether a checkpoint is due.
constexpr Duration kLookEvery{10};
/// How long stop() may take for what is waiting: systemd allows five seconds for all of it.
constexpr std::chrono::seconds kLastWork{1};
/// More records than can ever have been watched without being in the journal.
constexpr std::uint64_t kFarAhead = 1'000'000'000;
}  // namespace

Engine::~Engine() { stop(); }

Status Engine::restore() {
  restoring_since_ = SteadyClock::now();
  auto loaded = load_machine();
  if (!loaded) return std::move(loaded).error();
  restored_from_ = position_;
  parts_.journal.continue_after(position_);
  caught_up_at_ = parts_.journal.last_sequence();
  // The journal's own beginning is all there is to go by where nothing was loaded and no database
  // can be asked.
  const bool complete = parts_.checkpointer.has_store() || position_ != 0;
  auto ahead = read_ahead(position_, complete);
  tell_what_is_missing(ahead.holes);
  // Nobody knows up to which number the checkpoint goes that cannot be read now, or the journal:
  // none of it may be given away a second time, or the record would count as part of it.
  const bool fresh = position_ == 0 && parts_.journal.health().durable;
  const bool unknown = parts_.journal.numbers_unknown() && !fresh;
  if (unknown || !parts_.checkpointer.has_store()) {
    parts_.journal.continue_after(caught_up_at_ + kFarAhead);
  }
  parts_.outbox.expect_again(std::move(ahead.delivered));
  for (auto& publication : loaded->outbox) parts_.outbox.add(std::move(publication));
  for (const auto& mark : ahead.set_aside) machine_->set_aside(mark.sequence, mark.monitor);
  parts_.intake.resume(position_, caught_up_at_);
  checkpoint_position_ = position_;
  hold_delays();
  return {};
}

void Engine::tell_what_is_missing(const storage::JournalHoles& holes) {
  const bool begins_late = position_ == 0 && holes.from == 1;
  if (begins_late) {
    // Dropped, because a checkpoint had them.
    parts_.journal.note_loss(
        "there is no checkpoint, and the journal begins with record " +
            std::to_string(holes.to + 1) +
            ": the database was removed, and its copy, and what came in before "
            "is not in the state; put back sluice.db from a backup if there "
            "is one",
        holes.records);
  } else if (holes.count != 0) {
    parts_.journal.note_loss(describe(holes), holes.records);
  }
  const auto health = parts_.journal.health();
  if (position_ == 0 || health.segments != 0 || !parts_.journal.numbers_unknown()) return;
  parts_.journal.note_loss(
      "nothing was found in the journal " + parts_.journal.dir() +
          ", although there is a checkpoint (up to record " + std::to_string(position_) +
          "): what came in behind it is not in the state, if anything did; see who removes files "
          "there, and check the disk",
      0);
}

// Whatever ran out while we were down must wait: the broker may hold readings from that time.
void Engine::hold_delays() {
  if (parts_.journal.last_sequence() == 0) return;  // the very first start
  parts_.journal.append(JournalKind::kHold, parts_.clock.now(), storage::encode_hold(true));
}

void Engine::release_hold_if_told() {
  if (!release_hold_ || !caught_up_ || end_after_ != 0) return;
  release_hold_ = false;
  if (!machine_->held()) return;
  parts_.journal.append(JournalKind::kHold, parts_.clock.now(), storage::encode_hold(false));
}

void Engine::start() {
  note_caught_up();
  thread_ = std::thread{[this] { run(); }};
}

void Engine::stop() {
  if (thread_.joinable() && !failed_ && end_after_ == 0) {
    end_by_ = SteadyClock::now() + kLastWork;
    // A tick wakes the engine, and marks the end of what was in front of it.
    const auto now = parts_.clock.now();
    end_after_ = parts_.journal.append(JournalKind::kTick, now, {}).sequence;
  }
  if (thread_.joinable()) thread_.join();
  parts_.intake.close();
}

void Engine::run() noexcept {
  try {
    loop();
    storage::crash_point("engine.stop.before-checkpoint");
    take_checkpoint();
    parts_.checkpointer.wait_until_idle();
    if (parts_.checkpointer.wants_full()) {
      take_checkpoint();
      parts_.checkpointer.wait_until_idle();
    }
    storage::crash_point("engine.stop.after-checkpoint");
  } catch (const std::exception& e) {
    parts_.log.error(std::string{"the engine stopped: "} + e.what());
    failed_ = true;
  }
}

void Engine::loop() {
  JournalRecord record;
  while (true) {
    ++parts_.counters.progress;
    if (!must_wait_for_publisher()) {
      const auto next = parts_.intake.next(record, patience());
      if (next == Intake::Next::kClosed) return;
      if (next == Intake::Next::kRecord) handle(record);
      if (next == Intake::Next::kTimeout) note_nothing_waits();
    }
    if (may_end()) return;
    release_hold_if_told();
    tick_if_due();
    checkpoint_if_due();
  }
}

/// Alerts that are made faster than the broker takes them must not push each other out: what would
/// make more waits in the journal. Not where the disk refuses: then readings would be lost instead.
bool Engine::must_wait_for_publisher() {
  if (!alerted_) return false;
  alerted_ = !parts_.outbox.wait_for_room(Duration{0});
  if (!alerted_ || !parts_.journal.health().durable) return false;
  alerted_ = !parts_.outbox.wait_for_room(kTurnOfWaiting);
  return alerted_;
}

bool Engine::may_end() const {
  const std::uint64_t last = end_after_;
  return last != 0 && (position_ >= last || SteadyClock::now() >= end_by_);
}

/// Records that neither memory nor disk could keep never come: nothing may wait for them.
void Engine::note_nothing_waits() {
  tick_sequence_ = 0;
  if (!caught_up_) position_ = std::max(position_, caught_up_at_);
  note_caught_up();
}

Duration Engine::patience() const {
  const auto due = machine_->next_tick();
  if (!due || tick_sequence_ != 0) return kLongestWait;
  const Timestamp wait = *due - parts_.clock.now();
  return Duration{std::clamp<Timestamp>(wait, 0, kLongestWait.count())};
}

void Engine::handle(const JournalRecord& record) {
  if (record.sequence >= tick_sequence_) tick_sequence_ = 0;
  while (true) {
    try {
      apply(record);
      return;
    } catch (const OperatorFailure& failure) {
      recover_from(record, failure);
    }
  }
}

void Engine::apply(const JournalRecord& record) {
  const bool replay = record.sequence <= caught_up_at_;
  out_.clear();
  storage::crash_point("engine.before-apply");
  machine_->process(record, replay, out_);
  storage::crash_point("engine.after-apply");
  bool alert = false;
  for (auto& publication : out_) {
    alert = alert || publication.urgency == Urgency::kAlert;
    parts_.outbox.add(std::move(publication));
  }
  alerted_ = alerted_ || alert;
  if (alert && parts_.syncer != nullptr) parts_.syncer->request();
  position_ = record.sequence;
  const auto commands = machine_->take_commands();
  if (!replay) carry_out(commands);
  if (!replay) return;
  ++replayed_;
  note_caught_up();
}

void Engine::note_caught_up() {
  if (caught_up_ || position_ < caught_up_at_) return;
  storage::crash_point("engine.caught-up.before-open");
  faults_found_ = machine_->faults();
  caught_up_ = true;
  const auto took =
      std::chrono::duration_cast<Duration>(SteadyClock::now() - restoring_since_).count();
  parts_.log.info("restored checkpoint " + std::to_string(restored_from_) + ", " +
                  std::to_string(replayed_) + " records replayed in " + std::to_string(took) +
                  " ms");
  parts_.outbox.open_gate();
  if (parts_.syncer != nullptr) parts_.syncer->request();
}

void Engine::tick_if_due() {
  if (tick_sequence_ != 0 || !caught_up_ || end_after_ != 0) return;
  const auto due = machine_->next_tick();
  const Timestamp now = parts_.clock.now();
  if (!due || *due > now) return;
  // Through the journal, not directly: a replay must see the same time at the same place.
  tick_sequence_ = parts_.journal.append(JournalKind::kTick, now, {}).sequence;
}

void Engine::checkpoint_if_due() {
  // Not with each record: it takes the journal's lock, for which a sender would have to wait.
  const auto now = SteadyClock::now();
  if (now < next_look_) return;
  next_look_ = now + kLookEvery;
  machine_->tend(parts_.clock.now());
  if (const auto done = parts_.checkpointer.take_completed()) {
    machine_->notify_checkpoint_complete(*done);
  }
  if (!caught_up_) return;
  const bool wants_full = parts_.checkpointer.wants_full();
  const auto journal = parts_.journal.health();
  const bool makes_up = makes_up_for(journal);
  if (position_ == checkpoint_position_ && !wants_full && !makes_up) return;
  const auto& config = parts_.config.checkpoint;
  const bool due =
      checkpoint_wanted_ || wants_full || makes_up || now - checkpoint_at_ >= config.interval ||
      journal.written_bytes - checkpoint_bytes_ >= static_cast<std::uint64_t>(config.journal_size);
  if (due && !parts_.checkpointer.busy()) take_checkpoint();
}

/// What the journal has lost, or could not take, is safe once it is in a checkpoint.
bool Engine::makes_up_for(const storage::JournalHealth& journal) const {
  const bool lost = journal.losses != losses_made_up_ && position_ >= journal.loss_through;
  const bool unstored = parts_.config.journal.write && journal.unstored != checkpoint_unstored_;
  return lost || (unstored && journal.durable);
}

void Engine::take_checkpoint() {
  if (!parts_.checkpointer.has_store()) return;
  parts_.checkpointer.wait_until_idle();
  const bool full = parts_.checkpointer.wants_full();
  const auto journal = parts_.journal.health();
  if (position_ == checkpoint_position_ && !full && !makes_up_for(journal)) return;
  storage::CheckpointDelta delta;
  machine_->snapshot(delta, full, ++checkpoint_id_);
  auto outbox = parts_.outbox.snapshot();
  // What was made outside the engine (status) has no cause in the journal and is made anew.
  std::erase_if(outbox, [](const Publication& p) { return p.id.sequence == 0; });
  parts_.checkpointer.submit(checkpoint_id_, {position_, parts_.clock.now(), machine_->extras()},
                             std::move(delta), std::move(outbox), full);
  checkpoint_position_ = position_;
  checkpoint_bytes_ = journal.written_bytes;
  checkpoint_unstored_ = journal.unstored;
  if (position_ >= journal.loss_through) losses_made_up_ = journal.losses;
  checkpoint_at_ = SteadyClock::now();
  checkpoint_wanted_ = false;
}

void Engine::carry_out(const std::vector<std::string>& commands) {
  for (const auto& command : commands) {
    if (command == "checkpoint") {
      checkpoint_wanted_ = true;
    } else if (command == "status") {
      status_wanted_ = true;
    } else {
      parts_.log.write_limited("unknown-command", LogLevel::kWarning,
                               "unknown command: there are 'checkpoint' and 'status'",
                               {{"command", excerpt(command)}});
    }
  }
}

}  // namespace sluice::daemon
