// Times: the first byte chooses what the rest is: a time in one of the forms, a format and a time
// with a NUL between them, a selector, or a time zone file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "plugins/formats/selector.hpp"
#include "plugins/formats/time_format.hpp"

namespace {

using sluice::formats::TimeFormat;
using sluice::formats::TimeZone;
using sluice::formats::Value;

constexpr sluice::Timestamp kReceived = 1'767'225'600'000;

void read_all_forms(std::string_view text) {
  static const auto formats = [] {
    std::vector<TimeFormat> parsed;
    for (const auto* spec :
         {"iso8601", "iso8601-local:Europe/Berlin", "epoch_s", "epoch_ns", "strptime:%a UTC",
          "strptime:%d %b %Y %I:%M %p UTC", "strptime:%Y-%j %T.%f%z"}) {
      auto format = TimeFormat::parse(spec);
      if (format) parsed.push_back(std::move(format).value());
    }
    return parsed;
  }();
  for (const TimeFormat& format : formats) {
    const auto time = format.read(Value::of_text(text), kReceived);
    // The years 1 to 9999, as promised.
    if (time && (*time < -62'135'596'800'000 || *time > 253'402'300'799'999)) std::abort();
  }
}

void read_with_format(std::string_view text) {
  const std::size_t nul = text.find('\0');
  if (nul == std::string_view::npos) return;
  if (!sluice::formats::check_time_format(text.substr(0, nul))) return;
  const auto time = sluice::formats::parse_with_format(text.substr(nul + 1), text.substr(0, nul));
  if (time) (void)time->local_seconds();
}

void read_zone(std::string_view bytes) {
  const auto zone = TimeZone::parse(bytes);
  if (!zone) return;
  for (const std::int64_t seconds : {-62'135'596'800, std::int64_t{0}, 253'402'300'799}) {
    (void)zone.value().offset_at(seconds);
    (void)zone.value().to_utc(seconds, kReceived / 1000);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text{reinterpret_cast<const char*>(data) + 1, size - 1};
  switch (data[0] % 4) {
    case 0: read_all_forms(text); break;
    case 1: read_with_format(text); break;
    case 2: read_zone(text); break;
    default:
      (void)sluice::formats::parse_selector(text, {.format = "json", .pointers = true});
      (void)TimeFormat::parse(text);
  }
  return 0;
}
