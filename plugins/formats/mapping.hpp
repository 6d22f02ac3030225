// Mapping: from values found in one item of a message to one reading, the same for every format.
//
// A format's decoder owns a Mapping, asks for its sources() once, fills in one Value for each of
// them per item, and calls emit(). Immutable once made; engine thread.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/base/result.hpp"
#include "pipeline/plugin/format.hpp"
#include "plugins/formats/selector.hpp"
#include "plugins/formats/time_format.hpp"
#include "plugins/formats/value.hpp"

namespace sluice::formats {

class Mapping {
 public:
  /// From the options of mapping_options.hpp plus `sensor` and `level`. The error names the option.
  static Result<Mapping> make(const Options& options, const SelectorRules& rules);

  /// All places that values are wanted from, each once.
  std::span<const Source> sources() const { return sources_; }

  /// Fills in what does not depend on the format: topic levels, constants, the whole payload.
  /// `found` has one place for each of sources().
  void fill_from_message(const MessageView& message, std::span<Value> found) const;

  /// One item: gives a reading, a reject, or (if `match` does not hold) nothing to the sink; its
  /// number in front of that, if it has one.
  void emit(std::span<const Value> found, const MessageView& message, DecodeSink& sink) const;

 private:
  /// A selector whose parts are indices into sources_.
  struct Field {
    std::string name;  ///< for messages: "level /a/b"
    std::vector<std::size_t> parts;
    bool joined{};
  };
  struct Condition {
    Field field;
    std::string pattern;
  };
  struct Refusal {
    RejectReason reason{};
    std::string detail;
  };

  Status add_field(std::string_view option, std::string_view text, const SelectorRules& rules,
                   Field& out);
  Status add_conditions(const Options& options, std::string_view option, const SelectorRules& rules,
                        std::vector<Condition>& out);
  Status check_topic_levels(const Options& options) const;
  Status read_level_options(const Options& options);
  Status read_time_options(const Options& options, const SelectorRules& rules);

  static bool holds(const Condition& condition, std::span<const Value> found);
  /// The value of a field; a template's joined text is kept in `joined`.
  static Value value_of(const Field& field, std::span<const Value> found, std::string& joined);

  std::optional<Refusal> read(std::span<const Value> found, const MessageView& message,
                              Reading& reading) const;
  std::optional<Refusal> read_sensor(std::span<const Value> found, std::string& sensor) const;
  std::optional<Refusal> read_level(std::span<const Value> found, double& level) const;
  std::optional<Refusal> read_time(std::span<const Value> found, const MessageView& message,
                                   Timestamp& time) const;
  std::optional<double> word_level(const Value& value) const;
  void tell_number(std::span<const Value> found, DecodeSink& sink) const;

  std::vector<Source> sources_;
  Field sensor_;
  Field level_;
  std::optional<Field> time_;
  std::optional<Field> sequence_;
  std::vector<Condition> match_;
  std::vector<Condition> require_;

  std::string unit_;
  double scale_{1};
  double offset_{};
  double valid_min_{-std::numeric_limits<double>::infinity()};
  double valid_max_{std::numeric_limits<double>::infinity()};
  bool decimal_comma_{};
  std::vector<std::pair<std::string, double>> words_;
  std::vector<double> invalid_values_;

  TimeFormat time_format_;
  std::string time_format_name_;
  std::optional<Timestamp> min_time_;
  Timestamp max_future_{};
  bool receipt_on_bad_time_{};
};

}  // namespace sluice::formats
