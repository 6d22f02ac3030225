// Record: what the demonstration plays, and how a technician would configure Sluice for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::demo {

/// What Sluice should make of a payload.
enum class Fate : std::uint8_t {
  kReading,
  kRejected,  ///< no reading: counted and reported
  kIgnored,   ///< none of its business: the source's `match` does not hold
};

/// One message, and what it means.
struct Sample {
  std::string topic;
  std::string payload;
  std::string sensor;
  double level{};       ///< after scale and offset, in the record's unit
  std::int64_t time{};  ///< seconds since 1970, UTC
  Fate fate{Fate::kReading};
};

/// A limit that the operator sends over the config topic.
struct Push {
  std::size_t before{};  ///< the sample in front of which it is sent
  std::string sensor;    ///< empty: all of them
  double above{};
  std::string why;
};

struct Record {
  std::string title;
  std::string unit;
  std::string zone{"UTC"};  ///< days and hours are shown on clocks of this zone

  // The configuration.
  std::string source;  ///< what stands in the [[source]] table, but for name and topic
  std::string topic;   ///< its filter
  std::vector<std::string> sensors;  ///< that `flood` watches and the table has a column for
  std::optional<double> flood;       ///< limit in the file; without, it waits for a setting
  double deadband{};
  std::optional<double> jump;     ///< largest change between two readings
  std::optional<double> outlier;  ///< single levels above this are reported
  std::string quiet;              ///< a sensor that is silent for so long is reported

  std::vector<Sample> samples;
  std::vector<Push> pushes;  ///< by `before`, ascending

  // While the samples from outage_begin to outage_end are sent, the daemon is dead.
  std::size_t outage_begin{};
  std::size_t outage_end{};

  std::size_t row_every{1};  ///< samples between two lines of the table
  std::size_t rows_from{0};  ///< the first sample that the table shows
  int pause_us{};            ///< from one sample to the next

  std::vector<std::string>
      alert_days;  ///< "2024-08-08": flood alerts must be dated so, among others
  std::optional<std::size_t> quiet_until;  ///< by this sample, a silence must have been reported
};

/// Sets outage, table lines and pace for a record of which only the samples are known.
void lay_out(Record& record);

}  // namespace sluice::demo
