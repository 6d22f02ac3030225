#include "tests/demo/data_file.hpp"

#include <stdexcept>

#include "tests/demo/records.hpp"
#include "tests/support/temp_dir.hpp"

namespace sluice::demo {
namespace {

Record read_any(const std::string& text) {
  const std::string_view head = std::string_view{text}.substr(0, text.find('\n'));
  if (head.starts_with("Date Time,Water Level")) return tide_gauge(text);
  if (head.starts_with("site_no,dateTime,parameter_cd")) return two_rivers(text);
  if (head.starts_with("[")) return river_station(text);
  if (head.starts_with("%")) return four_stations(text);
  if (head.find(",waterLevel,") != std::string_view::npos) return open_water_level(text);
  throw std::runtime_error(
      "this is no record that the demonstration can play; it knows the publish log of Open Water "
      "Level (CSV), NOAA CO-OPS water levels (CSV), CORMP (CSV), USGS instantaneous values (CSV) "
      "and readings of the Environment Agency (JSON)");
}

}  // namespace

Record read_record(const std::filesystem::path& file) {
  const std::string text = test::read_file(file);
  if (text.empty()) throw std::runtime_error(file.string() + ": is empty or cannot be read");
  try {
    Record record = read_any(text);
    if (record.samples.size() < 100)
      throw std::runtime_error("fewer than 100 readings are too few for a demonstration");
    record.title = file.filename().string() + ": " + record.title;
    lay_out(record);
    return record;
  } catch (const std::exception& error) {
    throw std::runtime_error(file.string() + ": " + error.what());
  }
}

}  // namespace sluice::demo
