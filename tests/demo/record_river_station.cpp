// The Environment Agency's telemetry of one tidal river station, each reading sent as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/demo/lines.hpp"
#include "tests/demo/records.hpp"

namespace sluice::demo {

Record river_station(std::string_view text) {
  Record record;
  record.title = "a tidal river every 15 minutes, October 2020";
  record.unit = "m";
  record.zone = "Europe/London";
  record.topic = "river/+/telemetry";
  record.source =
      "format = \"json\"\nsensor = \"topic:1\"\nlevel = \"/_\"\ntime = \"/ts\"\nunit = \"m\"\n"
      "require = [\"/err=false\"]\n";
  record.sensors = {"station"};
  record.flood = 1.3;
  record.deadband = 0.1;
  record.outlier = 10;
  for (const auto& item : nlohmann::json::parse(text)) {
    record.samples.push_back(
        {.topic = "river/station/telemetry",
         .payload = item.dump(),
         .sensor = "station",
         .level = item.at("_").get<double>(),
         .time = time_of(item.at("ts").get<std::string>(), "UTC"),
         .fate = item.at("err").get<bool>() ? Fate::kRejected : Fate::kReading});
  }
  // The file has the newest first.
  std::reverse(record.samples.begin(), record.samples.end());
  record.pushes = {
      {record.samples.size() / 2, "station", 0.8, "building site at the bank: warn earlier"}};
  return record;
}

}  // namespace sluice::demo
