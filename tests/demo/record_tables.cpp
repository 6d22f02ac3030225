// Records that are plain tables: NOAA, USGS, CORMP. Each row, or cell, is sent as a line of CSV.
#include <algorithm>
#include <stdexcept>

#include "tests/demo/lines.hpp"
#include "tests/demo/records.hpp"

namespace sluice::demo {

Record tide_gauge(std::string_view text) {
  Record record;
  record.title = "a NOAA tide gauge every 6 minutes, February to May 2024";
  record.unit = "m";
  record.topic = "noaa/+/level";
  record.source =
      "format = \"csv\"\nsensor = \"topic:1\"\nlevel = \"col:1\"\ntime = \"col:0\"\n"
      "time_format = \"strptime:%Y-%m-%d %H:%M UTC\"\nunit = \"m\"\n";
  record.sensors = {"gauge"};
  record.flood = 1.0;
  record.deadband = 0.2;
  auto lines = lines_of(text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto column = columns_of(lines[i]);
    if (column.size() < 2 || column[1].empty()) continue;
    record.samples.push_back({.topic = "noaa/gauge/level",
                              .payload = std::string{lines[i]},
                              .sensor = "gauge",
                              .level = number_of(column[1]),
                              .time = time_of(column[0], "UTC")});
  }
  record.pushes = {{record.samples.size() / 2, "gauge", 0.9, "spring tides ahead: warn earlier"}};
  return record;
}

Record two_rivers(std::string_view text) {
  Record record;
  record.title = "two USGS rivers every 30 minutes, February and March 2019";
  record.unit = "ft";
  record.topic = "usgs/+/+";
  // 00065 is gage height in feet; flow, wind and heights on another datum go by.
  record.source =
      "format = \"csv\"\nsensor = \"col:0\"\nlevel = \"col:4\"\ntime = \"col:1\"\n"
      "match = [\"col:2=00065\"]\nunit = \"ft\"\n";
  record.sensors = {"02489500", "02492000"};
  record.deadband = 0.1;
  auto lines = lines_of(text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto column = columns_of(lines[i]);
    if (column.size() < 5) continue;
    record.samples.push_back(
        {.topic = "usgs/" + std::string{column[0]} + "/" + std::string{column[2]},
         .payload = std::string{lines[i]},
         .sensor = std::string{column[0]},
         .level = number_of(column[4]),
         .time = time_of(column[1], "UTC"),
         .fate = column[2] == "00065" ? Fate::kReading : Fate::kIgnored});
  }
  // The file has one series after the other; the rivers flow side by side.
  std::stable_sort(record.samples.begin(), record.samples.end(),
                   [](const Sample& a, const Sample& b) { return a.time < b.time; });
  record.pushes = {
      {0, "02489500", 20.5, "Pearl River: flood stage"},
      {0, "02492000", 10, "Bogue Chitto: flood stage"},
      {record.samples.size() / 2, "02489500", 20.3, "Pearl River: it stays high, warn earlier"}};
  return record;
}

Record four_stations(std::string_view text) {
  Record record;
  record.title = "four CORMP stations, May 2024 to March 2026";
  record.unit = "m";
  record.zone = "America/New_York";
  record.topic = "cormp/+/level";
  // "good" and "not evaluated" have an o; "suspect" and "bad" have none.
  record.source =
      "format = \"csv\"\nsensor = \"topic:1\"\nlevel = \"col:1\"\ntime = \"col:0\"\n"
      "time_format = \"iso8601-local:America/New_York\"\nmatch = [\"col:2=*o*\"]\nunit = \"m\"\n";
  std::vector<std::string> names;
  for (const std::string_view line : lines_of(text)) {
    if (line.starts_with("%")) continue;
    const auto column = columns_of(line);
    if (column.size() < 2) continue;
    if (line.starts_with("Time")) {
      for (std::size_t i = 1; i < column.size(); i += 2)
        names.emplace_back(column[i].substr(0, column[i].find(' ')));
      continue;
    }
    for (std::size_t i = 0; i < names.size() && 2 * i + 2 < column.size(); ++i) {
      const std::string_view level = column[2 * i + 1];
      const std::string_view quality = column[2 * i + 2];
      if (level.empty()) continue;
      const bool sound = quality.find('o') != std::string_view::npos;
      record.samples.push_back({.topic = "cormp/" + names[i] + "/level",
                                .payload = std::string{column[0]} + "," + std::string{level} + "," +
                                           std::string{quality},
                                .sensor = names[i],
                                .level = number_of(level),
                                .time = time_of(column[0], record.zone),
                                .fate = sound ? Fate::kReading : Fate::kIgnored});
    }
  }
  if (names.empty()) throw std::runtime_error("there is no line that names the stations");
  record.sensors = std::move(names);
  record.flood = 1.25;
  record.deadband = 0.2;
  record.pushes = {{record.samples.size() / 2, "", 1.3, "king tides every month: warn later"}};
  return record;
}

}  // namespace sluice::demo
