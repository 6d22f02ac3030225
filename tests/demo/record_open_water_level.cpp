// Open Water Level's publish log, each line sent as it stands:
// device, local time of publishing, sensor, event, measured at (epoch), distance in cm, V, %
#include "tests/demo/lines.hpp"
#include "tests/demo/records.hpp"

namespace sluice::demo {
namespace {

// The sensors look down at the water: the nearer, the higher. So the level is counted from 5 m
// below the sensor.
constexpr double kOffset = 500;
constexpr std::string_view kStation2 = "waterLevel_0002";
constexpr std::string_view kStation3 = "waterLevel_0003";

// A clock without battery starts on 1 January 2000; nothing of this network is that old.
constexpr std::string_view kOldest = "2023-01-01T00:00:00Z";

// Both stations were on their piles by then. What they sent before was the workshop.
constexpr std::string_view kCommissioned = "2024-04-06 00:00";

std::size_t first_since(const std::vector<Sample>& samples, std::int64_t time) {
  std::size_t at = 0;
  while (at < samples.size() && samples[at].time < time) ++at;
  return at;
}

}  // namespace

Record open_water_level(std::string_view text) {
  Record record;
  record.title = "distances to the water, February to December 2024";
  record.unit = "cm";
  record.zone = "America/New_York";
  record.topic = "openwl/+/log";
  record.source =
      "format = \"csv\"\nsensor = \"col:2\"\nlevel = \"col:5\"\ntime = \"col:4\"\n"
      "time_format = \"epoch_s\"\nunit = \"cm\"\nscale = -1\noffset = 500\n"
      "min_time = \"" +
      std::string{kOldest} + "\"\non_bad_time = \"skip\"\n";
  record.sensors = {std::string{kStation2}, std::string{kStation3}};
  record.deadband = 15;

  const std::int64_t oldest = time_of(kOldest, "UTC");
  for (const std::string_view line : lines_of(text)) {
    const auto column = columns_of(line);
    if (column.size() < 6) continue;
    Sample sample{.topic = "openwl/" + std::string{column[0]} + "/log",
                  .payload = std::string{line},
                  .sensor = std::string{column[2]},
                  .level = number_of(column[5]) * -1 + kOffset,
                  .time = static_cast<std::int64_t>(number_of(column[4]))};
    if (sample.time < oldest) sample.fate = Fate::kRejected;
    record.samples.push_back(std::move(sample));
  }

  const std::size_t start = first_since(record.samples, time_of(kCommissioned, record.zone));
  const std::size_t middle = record.samples.size() / 2;
  record.rows_from = start;
  record.pushes = {
      {start, std::string{kStation2}, 268, "in place: warn at 232 cm below the sensor"},
      {start, std::string{kStation3}, 435, "in place: warn at 65 cm below the sensor"},
      {middle, std::string{kStation2}, 280, "the road stayed dry: warn later"},
      {middle, std::string{kStation3}, 440, "the road stayed dry: warn later"}};
  record.alert_days = {"2024-08-08", "2024-09-16"};
  return record;
}

}  // namespace sluice::demo
