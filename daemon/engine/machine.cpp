#include "daemon/engine/machine.hpp"

#include <cmath>

#include "daemon/engine/datum_member.hpp"
#include "pipeline/base/thrown.hpp"
#include "pipeline/plugin/option_text.hpp"
#include "storage/journal/marks.hpp"

namespace sluice::daemon {

using storage::JournalKind;
using storage::JournalRecord;

namespace {

/// Collects what a decoder finds: readings must not go into the job while the payload is still
/// being taken apart, since a failing monitor would leave the rest of it half counted.
class Findings final : public DecodeSink {
 public:
  struct Reject {
    RejectReason reason;
    std::string detail;
  };
  void reading(Reading reading) override { readings.push_back(std::move(reading)); }
  void reject(RejectReason reason, std::string detail) override {
    rejects.push_back({reason, std::move(detail)});
  }
  void numbered(const std::string& sensor, std::int64_t sequence) override {
    numbers.push_back({sensor, sequence});
  }
  std::vector<Reading> readings;
  std::vector<Reject> rejects;
  std::vector<SequenceNumber> numbers;
};

/// The wall around a format: the message stays in the journal, so what is thrown here would end the
/// engine at every start.
Findings decode(const Decoder& decoder, const std::string& format, const MessageView& message) {
  try {
    Findings findings;
    decoder.decode(message, findings);
    return findings;
  } catch (...) {
    Findings refusal;
    refusal.reject(RejectReason::kMalformed, "the format '" + format + "' failed on it (" +
                                                 printable(thrown_words()) +
                                                 "); this is a bug of the format");
    return refusal;
  }
}

}  // namespace

Machine::Machine(const Config& config, const Registry& registry, Counters& counters, Log& log)
    : config_{config},
      registry_{registry},
      counters_{counters},
      log_{log},
      announcer_{Topics{config.site.prefix}},
      settings_{config, registry, announcer_, counters, log},
      rejects_{announcer_, counters, log},
      gaps_{config, counters, log} {}

Result<std::unique_ptr<Machine>> Machine::start(const Config& config, const Registry& registry,
                                                const MachineStart& start, Counters& counters,
                                                Log& log) {
  std::unique_ptr<Machine> machine{new Machine{config, registry, counters, log}};
  SLUICE_RETURN_IF_ERROR(machine->make_decoders());
  auto owners = build_site_graph(
      machine->environment_, config, registry, machine->skipped_, machine->tally_.late,
      [m = machine.get()](const MonitorConfig& monitor, const Output& output) {
        m->announce(monitor, output);
      });
  if (!owners) return std::move(owners).error();
  machine->owners_ = std::move(*owners);
  build_gap_watch(machine->environment_, config,
                  [m = machine.get()](const Gap& gap) { m->gaps_.note(gap, m->now_); });
  machine->restore_extras(start.extras);
  JobOptions options;
  options.restore = start.snapshot;
  // A monitor that was taken out of the file leaves its state behind; that is no mistake.
  options.allow_non_restored_state = true;
  options.track_changes = true;
  options.keep_event_time = true;  // what is late must not depend on when the daemon was killed
  options.attempt = start.attempt;
  auto job = Job::start(machine->environment_, options);
  if (!job) return std::move(job).error();
  machine->job_ = std::move(*job);
  machine->job_->hold_timers(machine->held_);
  machine->take_settings_out_of_event_time();
  return machine;
}

// Settings are rare and have no event time: they must not hold it back (BC-13).
void Machine::take_settings_out_of_event_time() {
  for (const auto& monitor : config_.monitors) {
    job_->set_idle(settings_source(monitor.name), true);
  }
}

Status Machine::make_decoders() {
  for (const auto& source : config_.sources) {
    auto decoder = registry_.format(source.format)->make_decoder(source.options);
    if (!decoder) return std::move(decoder).error().with_context("source '" + source.name + "'");
    sources_[source.name] = {&source, std::move(*decoder), readings_source(source.name),
                             is_numbered(source) ? numbers_source(source.name) : std::string{}};
  }
  return {};
}

void Machine::process(const JournalRecord& record, bool quiet, std::vector<Publication>& out) {
  announcer_.begin(record.sequence);
  record_ = record.sequence;
  out_ = &out;
  now_ = record.time;
  tally_ = {};
  const auto aside = set_aside_.find(record.sequence);
  skipped_.now(aside == set_aside_.end() ? nullptr : &aside->second);
  if (record.kind == JournalKind::kClockStep) move_clock(record);
  if (record.kind == JournalKind::kHold) hold(storage::decode_hold(record.payload));
  job_->advance_processing_time(processing_time(record.time));
  if (record.kind == JournalKind::kMessage) process_message(record, quiet, out);
  if (aside != set_aside_.end()) set_aside_.erase(aside);
  if (!quiet) count();
}

// Only now: had a monitor failed, the record would be processed once more.
void Machine::count() {
  counters_.messages += tally_.messages;
  counters_.readings += tally_.readings;
  counters_.late += tally_.late;
  counters_.alerts += tally_.alerts;
  counters_.values += tally_.values;
  counters_.retained_ignored += tally_.retained_ignored;
}

void Machine::process_message(const JournalRecord& record, bool quiet,
                              std::vector<Publication>& out) {
  ++tally_.messages;
  if (record.source == kConfigSource) {
    const auto setting = settings_.handle(record, skipped_, quiet, out);
    if (setting) job_->emit(settings_source(setting->monitor), *setting);
  } else if (record.source == kCommandSource) {
    commands_.push_back(announcer_.topics().parse_command(record.topic));
  } else if (record.source == kNoticeSource) {
    ++tally_.alerts;
    announcer_.announce_notice(record.topic, record.payload, AlarmState::kEvent, record.time, out);
  } else if (record.source == kFaultSource || record.source == kFaultOverSource) {
    ++tally_.alerts;
    const bool over = record.source == kFaultOverSource;
    if (over) {
      faults_.erase(record.topic);
    } else {
      faults_[record.topic] = record.payload;
    }
    announcer_.announce_notice(record.topic, record.payload,
                               over ? AlarmState::kCleared : AlarmState::kActive, record.time, out);
  } else {
    process_readings(record, quiet, out);
  }
}

void Machine::process_readings(const JournalRecord& record, bool quiet,
                               std::vector<Publication>& out) {
  const auto source = sources_.find(record.source);
  // A source that was taken out of the file meanwhile: its last messages are nobody's.
  if (source == sources_.end()) return;
  // On every connect a broker sends retained messages again: old news, seen or outdated.
  if (record.retained()) {
    ++tally_.retained_ignored;
    return;
  }
  const MessageView message{record.source,    record.topic,       record.payload,   record.time,
                            record.packet_id, record.duplicate(), record.retained()};
  Findings findings;
  if (record.cut()) {
    findings.reject(RejectReason::kTooLarge,
                    "the payload is larger than limits.payload_size allows");
  } else if (record.payload.size() > static_cast<std::uint64_t>(config_.limits.payload_size)) {
    findings.reject(RejectReason::kTooLarge, "the payload has " +
                                                 std::to_string(record.payload.size()) +
                                                 " bytes; limits.payload_size allows " +
                                                 std::to_string(config_.limits.payload_size));
  } else {
    findings = decode(*source->second.decoder, source->second.config->format, message);
  }
  const Timestamp latest = saturating_add(record.time, config_.time.future.count());
  for (const auto& reading : findings.readings) {
    if (!(std::abs(reading.level) <= kLargestLevel)) {  // nor a NaN from a plugin
      findings.reject(
          std::isfinite(reading.level) ? RejectReason::kOutOfRange : RejectReason::kNotFinite,
          "the level " + format_number(reading.level) + " of sensor '" + printable(reading.sensor) +
              "' can be no level: at most " + format_number(kLargestLevel) +
              " are taken; valid_min and valid_max of the source narrow it to what "
              "the sensor can measure");
      continue;
    }
    if (reading.time > latest) {
      // It would carry the watermark with it and make every later reading late.
      findings.reject(RejectReason::kBadTime, "the time of sensor '" + printable(reading.sensor) +
                                                  "' is too far in the future (see time.future)");
      continue;
    }
    ++tally_.readings;
    job_->emit(source->second.job_source, reading, reading.time);
  }
  emit_numbers(source->second, findings.numbers);
  if (!quiet && !source->second.job_numbers.empty() && findings.numbers.empty() &&
      !findings.readings.empty()) {
    counters_.count_unnumbered(record.source);
  }
  // Behind the readings: if a monitor fails on one of them, these are not counted twice.
  for (const auto& found : findings.rejects) {
    rejects_.reject(record, found.reason, found.detail, quiet, out);
  }
}

void Machine::emit_numbers(const Source& source, const std::vector<SequenceNumber>& numbers) {
  if (source.job_numbers.empty()) return;
  for (const auto& number : numbers) job_->emit(source.job_numbers, number);
}

void Machine::move_clock(const JournalRecord& record) {
  const auto step = storage::decode_clock_step(record.payload);
  if (!step) return;
  clock_offset_ += *step;
  if (*step >= -config_.time.future.count()) return;
  // The clock was ahead by more than a reading may be. Those that it gave their time would make
  // late whatever comes now, until that time is there.
  job_->reset_event_time();
  take_settings_out_of_event_time();
}

void Machine::hold(bool hold) {
  held_ = hold;
  job_->hold_timers(hold);
}

std::optional<Timestamp> Machine::next_tick() const {
  const auto next = job_->next_processing_time();
  if (!next) return std::nullopt;
  return saturating_add(saturating_add(*next, clock_offset_), 1);
}

Datum Machine::extras() const {
  Datum::Struct faults;
  for (const auto& [code, text] : faults_) faults.emplace_back(code, text);
  return Datum::Struct{{"settings", settings_.save()},
                       {"clock_offset_ms", clock_offset_},
                       {"delays_held", held_},
                       {"gaps", gaps_.save()},
                       {"faults", std::move(faults)}};
}

void Machine::restore_extras(const Datum& extras) {
  if (const Datum* settings = extras.member("settings")) settings_.restore(*settings);
  if (const Datum* gaps = extras.member("gaps")) gaps_.restore(*gaps);
  const auto number = [&](const char* name) -> Timestamp {
    const auto* value = member_if<std::int64_t>(extras, name);
    return value == nullptr ? 0 : *value;
  };
  clock_offset_ = number("clock_offset_ms");
  const auto* held = member_if<bool>(extras, "delays_held");
  held_ = held != nullptr && *held;
  const auto* codes = member_if<Datum::Struct>(extras, "faults");
  if (codes == nullptr) return;
  for (const auto& [code, text] : *codes) {
    if (const auto* words = text.get_if<std::string>()) faults_[code] = *words;
  }
}

void Machine::announce(const MonitorConfig& monitor, const Output& output) {
  bound_.count(record_, monitor.name, output.sensor);
  ++(output.kind == OutputKind::kAlert ? tally_.alerts : tally_.values);
  announcer_.announce(monitor, output, *out_);
  OutputBound::check(out_->back());
}

std::string Machine::monitor_of(const std::string& failed) const {
  const auto owner = owners_.find(failed);
  return owner == owners_.end() ? std::string{} : owner->second;
}

}  // namespace sluice::daemon
