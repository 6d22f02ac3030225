// Reading records: lines, columns, times. Throws std::runtime_error where a number or time is none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::demo {

std::vector<std::string_view> lines_of(std::string_view text);

/// No quotes: none of the records has any.
std::vector<std::string_view> columns_of(std::string_view line);

double number_of(std::string_view text);

/// "2024-08-08 12:00", "…T12:00Z", "…T12:00:00.000-06:00" → seconds since 1970. Without offset, the
/// time is on the clocks of `zone`.
std::int64_t time_of(std::string_view text, const std::string& zone);

/// "2024-08-08" and "12:00" on the clocks of `zone`.
std::string day_text(std::int64_t time, const std::string& zone);
std::string clock_text(std::int64_t time, const std::string& zone);

}  // namespace sluice::demo
