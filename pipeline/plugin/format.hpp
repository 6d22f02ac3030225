// A payload format (json, text, …): from a message's bytes to readings.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/base/result.hpp"
#include "pipeline/plugin/options.hpp"
#include "pipeline/records/message.hpp"
#include "pipeline/records/reading.hpp"

namespace sluice {

/// Why a message, or one item of it, gave no reading. The words are metric labels: never renamed.
enum class RejectReason : std::uint8_t {
  kMalformed,      ///< not of this format at all, or not UTF-8
  kMissingSensor,  ///< no sensor where the mapping says
  kMissingLevel,   ///< no level where the mapping says (absent field, empty payload)
  kNotANumber,     ///< the level is a text, null, an object, …
  kNotFinite,      ///< NaN or infinity
  kInvalidValue,   ///< a number that the mapping says means "no reading"
  kBadTime,        ///< a time that cannot be read, or out of the allowed range
  kTooLarge,       ///< payload larger or deeper than we are willing to parse
  kOutOfRange,     ///< a level that the mapping, or kLargestLevel, says no sensor can have
};

/// "malformed", "missing-sensor", … as used in metrics, logs and `<prefix>/rejected/…`.
std::string_view to_string(RejectReason reason);

/// Takes what a decoder finds, in the order of the payload.
class DecodeSink {
 public:
  virtual ~DecodeSink() = default;
  virtual void reading(Reading reading) = 0;
  /// `detail` is a sentence with the offending part in it, already printable().
  virtual void reject(RejectReason reason, std::string detail) = 0;
  /// The item has this number in the sensor's own count of what it sends, whether it gave a reading
  /// or not. From 0; only where the mapping says where the number is.
  virtual void numbered(const std::string& /*sensor*/, std::int64_t /*sequence*/) {}
};

/// One configured mapping. Stateless between messages: the same message gives the same readings.
/// Engine thread only. Never throws on any bytes.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual void decode(const MessageView& message, DecodeSink& sink) const = 0;
};

/// A format by name; immutable, any thread.
class Format {
 public:
  virtual ~Format() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view help() const = 0;
  /// Beside the options that every source has (topic, qos, format).
  virtual std::span<const OptionSpec> options() const = 0;
  /// Fails with a sentence if options contradict each other or a path in them is malformed.
  virtual Result<std::unique_ptr<Decoder>> make_decoder(const Options& options) const = 0;
};

}  // namespace sluice
