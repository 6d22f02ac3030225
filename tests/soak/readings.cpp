#include "tests/soak/readings.hpp"

#include <chrono>
#include <cmath>

namespace sluice::soak {
namespace {

constexpr std::uint64_t kBins = 50;
constexpr double kHigh = 1e9;
constexpr std::size_t kBatch = 5;
constexpr int kGroup = 60;

bool is_tank(const std::string& sensor) { return sensor.starts_with("tank-"); }

std::string text(double level) { return std::to_string(static_cast<std::int64_t>(level)); }

std::string now_ms() {
  using namespace std::chrono;
  return std::to_string(
      duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count());
}

Letter json_letter(const ReadingId& id) {
  return {"json/" + id.sensor,
          R"({"device": {"id": ")" + id.sensor + R"(", "battery": 87}, "time": )" + now_ms() +
              R"(, "level": )" + text(level_of(id)) + "}",
          {id}};
}

Letter text_letter(const ReadingId& id) { return {"text/" + id.sensor, text(level_of(id)), {id}}; }

}  // namespace

double level_of(const ReadingId& id) {
  const auto k = static_cast<double>(id.k);
  // A tank is full and empty in turn.
  if (is_tank(id.sensor)) return id.k % 2 == 1 ? kHigh + k : -1 - k;
  return static_cast<double>(id.k % kBins) * kBinWidth + k;
}

std::int64_t bin_of(const ReadingId& id) {
  return static_cast<std::int64_t>(std::floor(level_of(id) / kBinWidth));
}

bool find_reading(const std::string& sensor, double level, ReadingId& id) {
  double k = std::fmod(level, kBinWidth);
  if (is_tank(sensor)) k = level > 0 ? level - kHigh : -1 - level;
  if (!(k >= 0)) return false;
  id = {sensor, static_cast<std::uint64_t>(std::llround(k))};
  return level_of(id) == level;
}

bool raises_alerts(const std::string& sensor) {
  return sensor.starts_with("a-") || is_tank(sensor) || sensor == kMarker;
}

Letter letter_of_marker(std::uint64_t k) { return text_letter({kMarker, k}); }

ReadingId Gauges::Group::take() {
  ReadingId& id = next[turn++ % next.size()];
  const ReadingId taken = id;
  ++id.k;
  return taken;
}

Gauges::Group Gauges::group(const std::string& name, int count) {
  Group group;
  for (int i = 0; i < count; ++i)
    group.next.push_back({(i % 10 == 0 ? "a-" : "") + name + "-" + std::to_string(i), 0});
  return group;
}

Gauges::Gauges(std::uint64_t seed)
    : random_{seed},
      json_{group("json", kGroup)},
      text_{group("text", kGroup)},
      csv_{group("csv", kGroup)},
      batch_{group("batch", kGroup)} {
  tanks_.next = {{"tank-north", 0}, {"tank-south", 0}};
  shy_.next = {{"shy", 0}};
}

Letter Gauges::next() {
  const auto chance = random_() % 2000;
  if (chance == 0) return text_letter(shy_.take());
  if (chance < 40) return json_letter(tanks_.take());
  if (chance < 900) return json_letter(json_.take());
  if (chance < 1400) return text_letter(text_.take());
  Letter letter;
  if (chance < 1700) {
    letter.topic = "csv/logger";
    for (std::size_t i = 0; i < kBatch; ++i) {
      letter.readings.push_back(csv_.take());
      const ReadingId& id = letter.readings.back();
      letter.payload += id.sensor + ";" + now_ms() + ";" + text(level_of(id)) + "\n";
    }
    return letter;
  }
  letter.topic = "batch/gateway";
  for (std::size_t i = 0; i < kBatch; ++i) {
    letter.readings.push_back(batch_.take());
    const ReadingId& id = letter.readings.back();
    letter.payload += (i == 0 ? R"({"gateway": 7, "readings": [)" : ", ") +
                      (R"({"s": ")" + id.sensor) + R"(", "v": ")" + text(level_of(id)) + "\"}";
  }
  letter.payload += "]}";
  return letter;
}

Letter rubbish(std::mt19937_64& random) {
  static const std::array<Letter, 8> kinds{{
      {"text/junk", "rebooting, please wait", {}},
      {"text/junk", std::string("\0\xff\xfe", 3), {}},
      {"text/junk", "", {}},
      {"json/junk", R"({"device": {"id": "junk"}, "level": null})", {}},
      {"json/junk", R"({"device": {"id": )", {}},
      {"json/junk", R"({"device": {"id": "junk"}, "time": "never", "level": 1})", {}},
      {"csv/logger", "junk;;---\njunk", {}},
      {"batch/gateway", R"({"readings": "none"})", {}},
  }};
  return kinds[random() % kinds.size()];
}

std::string sources_and_monitors() {
  return R"(
[[source]]
name = "json"
topic = "json/+"
format = "json"
sensor = "/device/id"
level = "/level"
time = "/time"
time_format = "epoch_ms"
[[source]]
name = "text"
topic = "text/+"
format = "text"
sensor = "topic:1"
[[source]]
name = "csv"
topic = "csv/+"
format = "csv"
separator = ";"
sensor = "col:0"
time = "col:1"
time_format = "epoch_ms"
level = "col:2"
[[source]]
name = "batch"
topic = "batch/+"
format = "json"
each = ["/readings"]
sensor = "/s"
level = "/v"
[[monitor]]
name = "seen"
kind = "count"
bin = 1e7
[[monitor]]
name = "rise"
kind = "delta"
limit = 0.5
sensors = ["a-*", "mark"]
[[monitor]]
name = "flood"
kind = "threshold"
above = 500
sensors = ["tank-*"]
[[monitor]]
name = "quiet"
kind = "silence"
after = "3s"
sensors = ["shy"]
[[monitor]]
name = "mean"
kind = "average"
sources = ["json", "csv"]
[[monitor]]
name = "peaks"
kind = "top"
sources = ["batch"]
[[monitor]]
name = "last"
kind = "last"
sources = ["text"]
)";
}

}  // namespace sluice::soak
