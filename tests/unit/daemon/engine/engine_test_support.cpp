#include "tests/unit/daemon/engine/engine_test_support.hpp"

#include <stdexcept>

#include "daemon/json.hpp"
#include "tests/unit/daemon/engine/misfit.hpp"

namespace sluice::daemon {
namespace {

class Fragile final : public KeyedProcessFunction<std::string, Reading, Output> {
 public:
  explicit Fragile(std::string monitor) : monitor_{std::move(monitor)} {}
  void open(RuntimeContext& context) override {
    count_ = context.value_state<std::int64_t>({.name = "count"});
  }
  void process_element(const Reading& reading, Context& context, Collector<Output>& out) override {
    const std::int64_t count = count_.value().value_or(0) + 1;
    count_.update(count);
    if (reading.level == 666 && fragile_failures() > 0) {
      --fragile_failures();
      throw std::runtime_error{"the level of the beast"};
    }
    TimerService& timers = context.timer_service();
    if (reading.level == 777) {
      timers.register_processing_time_timer(timers.current_processing_time() + 1);
    }
    Output output;
    output.monitor = monitor_;
    output.sensor = reading.sensor;
    output.time = reading.time;
    output.value = count;
    out.collect(output);
  }
  void on_timer(Timestamp, OnTimerContext&, Collector<Output>&) override {
    if (fragile_failures() == 0) return;
    --fragile_failures();
    throw std::runtime_error{"no time for this"};
  }

 private:
  std::string monitor_;
  ValueState<std::int64_t> count_;
};

class FragileKind final : public MonitorKind {
 public:
  std::string_view name() const override { return "fragile"; }
  std::string_view help() const override { return "Counts readings and fails on demand"; }
  std::span<const OptionSpec> options() const override { return {}; }
  Result<Datum> check_setting(const Datum& value, const Options& options) const override {
    if (value == Datum{666}) throw std::runtime_error{"the setting of the beast"};
    return MonitorKind::check_setting(value, options);
  }
  Stream<Output> build(const MonitorInputs& inputs, const Options&) const override {
    return inputs.readings.key_by(&Reading::sensor).process<Fragile>(inputs.name).uid(inputs.name);
  }
};

const FragileKind kFragile;

class FragileDecoder final : public Decoder {
 public:
  void decode(const MessageView& message, DecodeSink& sink) const override {
    sink.reading({"mill", 101, "cm", message.received});
    if (message.payload == "666") throw std::runtime_error{"the payload of the beast"};
  }
};

class FragileFormat final : public Format {
 public:
  std::string_view name() const override { return "fragile"; }
  std::string_view help() const override { return "A level of 101 for each message but one"; }
  std::span<const OptionSpec> options() const override { return {}; }
  Result<std::unique_ptr<Decoder>> make_decoder(const Options&) const override {
    return std::unique_ptr<Decoder>{std::make_unique<FragileDecoder>()};
  }
};

const FragileFormat kFragileFormat;

}  // namespace

std::atomic<int>& fragile_failures() {
  static std::atomic<int> failures{0};
  return failures;
}

TestSite::TestSite(const std::string& monitors, const std::string& more)
    : kinds{load_kinds("", log)} {
  if (!kinds->registry.add(kFragile, "test")) throw std::logic_error{"no kind 'fragile'"};
  if (!kinds->registry.add(misfit(), "test")) throw std::logic_error{"no kind 'misfit'"};
  if (!kinds->registry.add(kFragileFormat, "test")) throw std::logic_error{"no format 'fragile'"};
  const std::string text =
      "[site]\nid = \"t\"\n[[source]]\nname = \"levels\"\ntopic = \"site/+\"\nformat = \"json\"\n"
      "sensor = \"/sensor\"\nlevel = \"/level\"\n" +
      monitors + more;
  LoadedConfig loaded = load_config_text(text, "test.toml", *kinds->catalog);
  if (!loaded.ok()) throw std::logic_error{loaded.rendered()};
  config = std::move(loaded.config);
}

storage::JournalRecord message(std::uint64_t sequence, const std::string& source,
                               const std::string& topic, const std::string& payload) {
  storage::JournalRecord record;
  record.sequence = sequence;
  record.time = kStart + static_cast<Timestamp>(sequence) * 1000;
  record.kind = storage::JournalKind::kMessage;
  record.source = source;
  record.topic = topic;
  record.payload = payload;
  return record;
}

storage::JournalRecord reading(std::uint64_t sequence, const std::string& sensor, double level) {
  return message(sequence, "levels", "site/x",
                 to_json(Datum::Struct{{"sensor", sensor}, {"level", level}}));
}

storage::JournalRecord setting(std::uint64_t sequence, const std::string& target,
                               const std::string& payload, bool retained) {
  auto record = message(sequence, "$config", "sluice/t/config/" + target, payload);
  if (retained) record.flags = storage::kFlagRetained;
  return record;
}

std::vector<std::string> topics_of(const std::vector<Publication>& publications) {
  std::vector<std::string> topics;
  for (const auto& publication : publications) topics.push_back(publication.topic);
  return topics;
}

std::vector<Publication> those_on(const std::vector<Publication>& publications,
                                  const std::string& start) {
  std::vector<Publication> found;
  for (const auto& publication : publications) {
    if (publication.topic.starts_with(start)) found.push_back(publication);
  }
  return found;
}

Datum member_of(const Publication& publication, const std::string& name) {
  const auto document = parse_json(publication.payload);
  const Datum* member = document ? document->member(name) : nullptr;
  return member == nullptr ? Datum{} : *member;
}

}  // namespace sluice::daemon
