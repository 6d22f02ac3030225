// How the engine goes on after a monitor threw: back to the checkpoint, through the journal again,
// and if it fails on the same message once more, without showing it that message.
#include <algorithm>
#include <stdexcept>
#include <thread>

#include "daemon/engine/engine.hpp"
#include "storage/journal/marks.hpp"
#include "storage/journal/reader.hpp"

namespace sluice::daemon {

using storage::JournalKind;
using storage::JournalReader;
using storage::JournalRecord;

namespace {
constexpr int kFailuresBeforeSettingAside = 2;
/// Where no message is to blame (a timer), or none was shown any more.
constexpr int kFailuresBeforeSuspending = 5;
/// Where no monitor is to blame.
constexpr int kFailuresBeforeGivingUp = 10;
}  // namespace

Result<storage::LoadedCheckpoint> Engine::load_machine() {
  auto loaded = parts_.checkpointer.load();
  if (!loaded) return std::move(loaded).error();
  MachineStart start;
  start.snapshot = loaded->exists ? &loaded->job : nullptr;
  start.extras = loaded->meta.extras;
  start.attempt = attempt_;
  machine_.reset();  // its operators are closed before the new ones open
  const auto suspended = parts_.counters.suspended();
  std::erase_if(config_.monitors,
                [&](const MonitorConfig& monitor) { return suspended.contains(monitor.name); });
  auto machine = Machine::start(config_, parts_.registry, start, parts_.counters, parts_.log);
  if (!machine) return std::move(machine).error();
  machine_ = std::move(*machine);
  position_ = loaded->meta.journal_sequence;
  loaded->job = {};  // the machine has it; twice would be too much
  return loaded;
}

// Marks come behind what they are about, so a replay must know them before it begins: an alert that
// was delivered must not go out again while its mark is still to come.
Engine::Foreknown Engine::read_ahead(std::uint64_t after, bool complete) const {
  Foreknown found;
  JournalReader reader{parts_.journal.dir(), complete ? after + 1 : 0, parts_.log};
  JournalRecord record;
  while (true) {
    const auto more = reader.next(record);
    if (!more) parts_.log.error(more.error().message());
    if (!more || !*more) {
      found.holes = reader.holes();
      return found;
    }
    ++parts_.counters.progress;
    if (record.kind == JournalKind::kSetAside) {
      if (auto mark = storage::decode_set_aside(record.payload)) {
        found.set_aside.push_back(std::move(*mark));
      }
    } else if (record.kind == JournalKind::kDelivered) {
      if (const auto ids = storage::decode_delivered(record.payload)) {
        found.delivered.insert(found.delivered.end(), ids->begin(), ids->end());
      }
    }
  }
}

Status Engine::replay_through(std::uint64_t through) {
  JournalReader reader{parts_.journal.dir(), position_ + 1, parts_.log};
  JournalRecord record;
  std::vector<Publication> known;  // all of it went to the outbox when it was processed first
  while (position_ < through) {
    const auto more = reader.next(record);
    if (!more) return more.error();
    if (!*more || record.sequence > through) return {};
    known.clear();
    machine_->process(record, true, known);
    machine_->take_commands();
    position_ = record.sequence;
    ++parts_.counters.progress;
  }
  return {};
}

void Engine::back_off() const {
  // Short: readings wait meanwhile, and the watchdog must not bite.
  const int doublings = std::min(failures_, 6);
  std::this_thread::sleep_for(std::chrono::milliseconds{20LL << doublings});
}

void Engine::recover_from(const JournalRecord& record, const OperatorFailure& failure) {
  const std::string monitor = machine_->monitor_of(failure.uid());
  const bool again = failing_sequence_ == record.sequence && failing_monitor_ == monitor;
  failures_ = again ? failures_ + 1 : 1;
  failing_sequence_ = record.sequence;
  failing_monitor_ = monitor;
  ++parts_.counters.restarts;
  parts_.log.write(LogLevel::kError,
                   "a monitor failed; going back to the last checkpoint: " + failure.cause(),
                   {{"monitor", monitor},
                    {"operator", failure.uid()},
                    {"key", excerpt(failure.key())},
                    {"sequence", std::to_string(record.sequence)},
                    {"source", record.source},
                    {"topic", excerpt(record.topic)}});
  const bool hopeless = !monitor.empty() && failures_ >= kFailuresBeforeSuspending;
  if (monitor.empty() && failures_ >= kFailuresBeforeGivingUp) throw failure;
  if (hopeless) suspend(monitor);
  back_off();

  const std::uint64_t last_good = position_;
  parts_.checkpointer.discard_unwritten();
  ++attempt_;
  auto loaded = load_machine();
  Status status = loaded ? Status{} : Status{std::move(loaded).error()};
  if (status) {
    const auto ahead = read_ahead(position_);
    for (const auto& mark : ahead.set_aside) machine_->set_aside(mark.sequence, mark.monitor);
    status = replay_through(last_good);
  }
  if (!status) throw std::runtime_error{status.error().message()};
  position_ = last_good;
  checkpoint_position_ = 0;  // whatever was submitted meanwhile is void
  const bool blame_message = record.kind == JournalKind::kMessage && !monitor.empty();
  if (blame_message && failures_ == kFailuresBeforeSettingAside) set_aside(record, monitor);
}

void Engine::set_aside(const JournalRecord& record, const std::string& monitor) {
  ++parts_.counters.set_aside;
  parts_.log.write(LogLevel::kError,
                   "the monitor failed on this message again: it is set aside for this monitor, "
                   "the others see it",
                   {{"monitor", monitor}, {"sequence", std::to_string(record.sequence)}});
  parts_.journal.append(JournalKind::kSetAside, parts_.clock.now(),
                        storage::encode_set_aside({record.sequence, monitor}));
  machine_->set_aside(record.sequence, monitor);
}

/// Its state stays in the database, for a version of it that does not fail.
void Engine::suspend(const std::string& monitor) {
  const std::string text = "monitor '" + monitor +
                           "' fails again and again and is suspended until the next start; "
                           "the others go on";
  parts_.log.error(text);
  parts_.counters.suspend(monitor);
  MessageView notice;
  notice.source = kNoticeSource;
  notice.topic = "monitor";
  notice.payload = text;
  notice.received = parts_.clock.now();
  parts_.journal.append_message(notice);
}

}  // namespace sluice::daemon
