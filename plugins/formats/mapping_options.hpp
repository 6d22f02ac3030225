// The options that all formats share: the words of a mapping, declared once.
#pragma once

#include <array>
#include <cstddef>

#include "pipeline/plugin/options.hpp"

namespace sluice::formats {

inline constexpr OptionSpec kSensorOption{
    .name = "sensor",
    .type = OptionType::kText,
    .help = "selector of the sensor's name",
    .required = true,
};

inline constexpr OptionSpec kLevelOption{
    .name = "level",
    .type = OptionType::kText,
    .help = "selector of the level; numbers in quotes are numbers too",
    .required = true,
};

inline constexpr OptionSpec kDecimalCommaOption{
    .name = "decimal_comma",
    .type = OptionType::kBoolean,
    .help = "the decimal sign is a comma, as in 2,32",
    .fallback = "false",
};

inline constexpr std::array<OptionSpec, 15> kMappingOptions{{
    {.name = "time",
     .type = OptionType::kText,
     .help = "selector of the reading's time; without it the time of arrival counts"},
    {.name = "time_format",
     .type = OptionType::kText,
     .help = "iso8601, iso8601-local:ZONE, epoch_s, epoch_ms, epoch_us, epoch_ns, "
             "strptime:FORMAT UTC, or none; iso8601 if `time` is set"},
    {.name = "sequence",
     .type = OptionType::kText,
     .help = "selector of a number that the sensor counts up with each message, such as LoRaWAN's "
             "/fCnt; numbers that never come are noticed as a gap"},
    {.name = "unit", .type = OptionType::kText, .help = "unit of the level after scale and offset"},
    {.name = "scale",
     .type = OptionType::kNumber,
     .help = "the level in the payload is multiplied by this",
     .fallback = "1"},
    {.name = "offset",
     .type = OptionType::kNumber,
     .help = "added to the level after scaling",
     .fallback = "0",
     .unit = "the sensor's unit"},
    {.name = "valid_min",
     .type = OptionType::kNumber,
     .help = "levels below this are rejected as out-of-range: what the sensor cannot measure",
     .unit = "the sensor's unit"},
    {.name = "valid_max",
     .type = OptionType::kNumber,
     .help = "levels above this are rejected as out-of-range",
     .unit = "the sensor's unit"},
    {.name = "bool",
     .type = OptionType::kTextList,
     .help =
         "words that stand for a level, as in [\"ON=1\", \"OFF=0\"]; a JSON boolean is the word "
         "true or false"},
    {.name = "invalid_values",
     .type = OptionType::kTextList,
     .help = "numbers in the payload that mean: no reading, as in [\"65533\", \"-999999\"]"},
    {.name = "match",
     .type = OptionType::kTextList,
     .help = "only take what fits all of these, as in [\"/model=Oil-Sonic*\"]; the rest is none of "
             "our business and passed over in silence"},
    {.name = "require",
     .type = OptionType::kTextList,
     .help = "reject what does not fit all of these, as in [\"/error=no error\"]"},
    {.name = "min_time",
     .type = OptionType::kText,
     .help = "times before this (ISO 8601) are bad: clocks that start in 1970 or 2000"},
    {.name = "max_future",
     .type = OptionType::kDuration,
     .help = "times further ahead of the time of arrival than this are bad",
     .fallback = "1h",
     .minimum = 0},
    {.name = "on_bad_time",
     .type = OptionType::kText,
     .help = "what becomes of a reading whose time is bad: rejected (skip), or taken with the time "
             "of arrival (receipt)",
     .fallback = "skip",
     .choices = "skip|receipt"},
}};

/// A format's own options in front of the shared ones.
template <std::size_t N>
constexpr std::array<OptionSpec, N + kMappingOptions.size()> with_mapping_options(
    const std::array<OptionSpec, N>& own) {
  std::array<OptionSpec, N + kMappingOptions.size()> all{};
  for (std::size_t i = 0; i < N; ++i) all[i] = own[i];
  for (std::size_t i = 0; i < kMappingOptions.size(); ++i) all[N + i] = kMappingOptions[i];
  return all;
}

}  // namespace sluice::formats
