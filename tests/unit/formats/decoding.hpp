// How the tests of formats speak: make a decoder from a few options, give it bytes, look at what
// came out.
#pragma once

#include <initializer_list>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/plugin/format.hpp"

namespace sluice::formats {

/// 2026-01-01T00:00:00Z, later than any time in the payloads.
inline constexpr Timestamp kReceived = 1'767'225'600'000;

struct Rejected {
  RejectReason reason{};
  std::string detail;
};

/// Keeps all that a decoder says.
class Decoded final : public DecodeSink {
 public:
  void reading(Reading reading) override { readings.push_back(std::move(reading)); }
  void reject(RejectReason reason, std::string detail) override {
    rejects.push_back({reason, std::move(detail)});
  }

  void numbered(const std::string& sensor, std::int64_t sequence) override {
    numbers.emplace_back(sensor, sequence);
  }

  bool is_silent() const { return readings.empty() && rejects.empty(); }

  std::vector<Reading> readings;
  std::vector<Rejected> rejects;
  std::vector<std::pair<std::string, std::int64_t>> numbers;
};

using OptionList = std::initializer_list<std::pair<std::string_view, OptionValue>>;

/// Checks each option against the format's table, as the configuration reader does.
Result<std::unique_ptr<Decoder>> make_decoder(const Format& format, OptionList options);

/// The decoder of good options.
std::unique_ptr<Decoder> decoder(const Format& format, OptionList options);

/// The sentence that bad options are refused with; fails the test if they are not.
std::string refusal(const Format& format, OptionList options);

Decoded decode(const Decoder& decoder, std::string_view payload,
               std::string_view topic = "site/well-4/level");

/// The words of a reject, or of a reading, for one-line expectations: "not-a-number", "12.5".
/// Several are separated by spaces.
std::string outcome(const Decoded& decoded);

}  // namespace sluice::formats
