// The kinds of record, one function each. `text` is the whole file.
#pragma once

#include <string_view>

#include "tests/demo/record.hpp"

namespace sluice::demo {

/// Open Water Level: distances to the water by five home-made sensors, with all their accidents.
Record open_water_level(std::string_view text);
/// NOAA CO-OPS: a tide gauge, every six minutes.
Record tide_gauge(std::string_view text);
/// Environment Agency: one tidal river station, JSON.
Record river_station(std::string_view text);
/// USGS: two rivers, several parameters.
Record two_rivers(std::string_view text);
/// CORMP: four stations side by side, most cells empty.
Record four_stations(std::string_view text);

}  // namespace sluice::demo
