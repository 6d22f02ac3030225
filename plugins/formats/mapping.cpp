#include "plugins/formats/mapping.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pipeline/base/log.hpp"
#include "pipeline/base/text.hpp"
#include "pipeline/plugin/option_text.hpp"
#include "plugins/formats/bytes.hpp"
#include "plugins/formats/limits.hpp"
#include "plugins/formats/number.hpp"

namespace sluice::formats {

namespace {

Value topic_level(std::string_view topic, std::size_t level) {
  for (; level > 0; --level) {
    const std::size_t slash = topic.find('/');
    if (slash == std::string_view::npos) return {};
    topic.remove_prefix(slash + 1);
  }
  return Value::of_text(topic.substr(0, topic.find('/')));
}

const char* why(RejectReason reason) {
  switch (reason) {
    case RejectReason::kMissingLevel: return ", not a level";
    case RejectReason::kNotFinite: return ", not a finite number";
    default: return ", not a number";
  }
}

}  // namespace

void Mapping::fill_from_message(const MessageView& message, std::span<Value> found) const {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    if (source.kind == SourceKind::kTopic) found[i] = topic_level(message.topic, source.index);
    if (source.kind == SourceKind::kConst) found[i] = Value::of_text(source.text);
    if (source.kind == SourceKind::kPayload) {
      found[i] = Value::of_text(without_accidents(message.payload));
    }
  }
}

void Mapping::emit(std::span<const Value> found, const MessageView& message,
                   DecodeSink& sink) const {
  // Even of what is passed over or rejected: the sensor has counted it, so it is not missing.
  if (sequence_) tell_number(found, sink);
  for (const Condition& condition : match_) {
    if (!holds(condition, found)) return;
  }
  Reading reading;
  if (auto refusal = read(found, message, reading)) {
    sink.reject(refusal->reason, std::move(refusal->detail));
  } else {
    sink.reading(std::move(reading));
  }
}

void Mapping::tell_number(std::span<const Value> found, DecodeSink& sink) const {
  std::string joined;
  const auto number = as_count(value_of(*sequence_, found, joined));
  std::string sensor;
  if (number && !read_sensor(found, sensor)) sink.numbered(sensor, *number);
}

bool Mapping::holds(const Condition& condition, std::span<const Value> found) {
  std::string joined;
  const Value value = value_of(condition.field, found, joined);
  WordBuffer buffer;
  const auto word = as_word(value, buffer);
  return word && glob_matches(condition.pattern, *word);
}

Value Mapping::value_of(const Field& field, std::span<const Value> found, std::string& joined) {
  if (!field.joined) return found[field.parts.front()];
  for (const std::size_t part : field.parts) {
    WordBuffer buffer;
    const auto word = as_word(found[part], buffer);
    if (!word || word->empty())
      return found[part].kind == ValueKind::kTwice ? found[part] : Value{};
    joined += *word;
  }
  return Value::of_text(joined);
}

std::optional<Mapping::Refusal> Mapping::read(std::span<const Value> found,
                                              const MessageView& message, Reading& reading) const {
  for (const Condition& condition : require_) {
    if (holds(condition, found)) continue;
    std::string joined;
    return Refusal{RejectReason::kInvalidValue,
                   condition.field.name + " is " +
                       describe(value_of(condition.field, found, joined)) + ", required is \"" +
                       printable(condition.pattern) + "\""};
  }
  if (auto refusal = read_level(found, reading.level)) return refusal;
  if (auto refusal = read_sensor(found, reading.sensor)) return refusal;
  if (auto refusal = read_time(found, message, reading.time)) return refusal;
  reading.unit = unit_;
  return std::nullopt;
}

std::optional<Mapping::Refusal> Mapping::read_sensor(std::span<const Value> found,
                                                     std::string& sensor) const {
  std::string joined;
  const Value value = value_of(sensor_, found, joined);
  WordBuffer buffer;
  const auto word = as_word(value, buffer);
  if (value.kind == ValueKind::kTwice) {
    return Refusal{RejectReason::kMalformed, sensor_.name + " is there twice"};
  }
  if (!word || word->empty() || value.kind == ValueKind::kBoolean) {
    return Refusal{RejectReason::kMissingSensor,
                   sensor_.name + " is " + describe(value) + ", not a name"};
  }
  if (word->size() > kMaxSensorName) {
    return Refusal{RejectReason::kTooLarge,
                   sensor_.name + " is longer than " + std::to_string(kMaxSensorName) + " bytes"};
  }
  sensor = *word;
  return std::nullopt;
}

std::optional<double> Mapping::word_level(const Value& value) const {
  WordBuffer buffer;
  const bool is_word = value.kind == ValueKind::kBoolean || value.kind == ValueKind::kText;
  const auto word = is_word ? as_word(value, buffer) : std::nullopt;
  if (!word) return std::nullopt;
  const std::string_view wanted = trimmed(*word);
  for (const auto& [text, number] : words_) {
    if (text == wanted) return number;
  }
  return std::nullopt;
}

std::optional<Mapping::Refusal> Mapping::read_level(std::span<const Value> found,
                                                    double& level) const {
  std::string joined;
  const Value value = value_of(level_, found, joined);
  NumberOrReason read{std::nullopt, RejectReason::kNotANumber};
  switch (value.kind) {
    case ValueKind::kInteger: read.number = static_cast<double>(value.integer); break;
    case ValueKind::kNumber: read.number = value.number; break;
    case ValueKind::kMissing: read.reason = RejectReason::kMissingLevel; break;
    case ValueKind::kTwice: read.reason = RejectReason::kMalformed; break;
    case ValueKind::kBoolean: read.number = word_level(value); break;
    case ValueKind::kText:
      read.number = word_level(value);
      if (!read.number) read = parse_number(value.text, decimal_comma_);
      break;
    default: break;
  }
  if (read.number && !std::isfinite(*read.number)) read = {{}, RejectReason::kNotFinite};
  if (!read.number) {
    return Refusal{read.reason, level_.name + " is " + describe(value) +
                                    (value.kind == ValueKind::kMissing ? "" : why(read.reason))};
  }
  if (std::find(invalid_values_.begin(), invalid_values_.end(), *read.number) !=
      invalid_values_.end()) {
    return Refusal{RejectReason::kInvalidValue,
                   level_.name + " is " + describe(value) + ", which is listed in invalid_values"};
  }
  level = *read.number * scale_ + offset_;
  if (!std::isfinite(level)) {
    return Refusal{RejectReason::kNotFinite,
                   level_.name + " is " + describe(value) + ", too large after scale and offset"};
  }
  const bool too_low = level < valid_min_;
  if (!too_low && level <= valid_max_) return std::nullopt;
  const bool as_sent = scale_ == 1 && offset_ == 0;
  return Refusal{RejectReason::kOutOfRange,
                 level_.name + " is " + describe(value) +
                     (as_sent ? "" : ", after scale and offset " + format_number(level)) +
                     (too_low ? ", below valid_min " + format_number(valid_min_)
                              : ", above valid_max " + format_number(valid_max_))};
}

std::optional<Mapping::Refusal> Mapping::read_time(std::span<const Value> found,
                                                   const MessageView& message,
                                                   Timestamp& time) const {
  time = message.received;
  if (!time_) return std::nullopt;
  std::string joined;
  const Value value = value_of(*time_, found, joined);
  const auto read = time_format_.read(value, message.received);
  std::string trouble;
  if (!read) {
    trouble = " cannot be read as " + printable(time_format_name_);
  } else if (min_time_ && *read < *min_time_) {
    trouble = " lies before min_time";
  } else if (*read > saturating_add(message.received, max_future_)) {
    trouble = " lies further in the future than max_future";
  } else {
    time = *read;
    return std::nullopt;
  }
  if (receipt_on_bad_time_) return std::nullopt;
  if (value.kind == ValueKind::kMissing) trouble.clear();
  return Refusal{RejectReason::kBadTime, time_->name + " is " + describe(value) +
                                             (trouble.empty() ? "" : ": it" + trouble)};
}

}  // namespace sluice::formats
