#include "plugins/water/limits.hpp"

#include <cmath>

#include "pipeline/base/log.hpp"
#include "plugins/water/wording.hpp"

namespace sluice::water {

namespace {

constexpr std::string_view kForms =
    "send a number such as 4.2, or an object such as {\"above\": 4.2, \"below\": 0.5}, or nothing "
    "at all to go back to the configuration file";

Error invalid(std::string message) { return {ErrorCode::kInvalid, std::move(message)}; }

std::string shown(const Datum& value) { return printable(value.to_text(), 40); }

/// Null is no limit; anything but a finite number is an error.
Result<std::optional<double>> number_of(std::string_view name, const Datum& value) {
  if (value.is_null()) return std::optional<double>{};
  double number = 0;
  if (!value.as_number(number)) {
    return invalid("\"" + std::string{name} + "\" must be a number, not " + shown(value));
  }
  if (!std::isfinite(number)) {
    return invalid("\"" + std::string{name} + "\" must be a finite number");
  }
  return std::optional{number};
}

/// Which side a bare number is for.
Status set_limit(const std::optional<double>& limit, const Limits& file, Limits& out) {
  if (file.above && file.below) {
    return invalid(
        "this monitor has an upper and a lower limit, and a single number does not say "
        "which: send an object such as {\"above\": 4.2}");
  }
  auto& side = file.below ? out.below : out.above;
  if (limit && side)
    return invalid("\"limit\" and \"" + std::string{file.below ? "below" : "above"} +
                   "\" mean the same limit here: send one of them");
  if (limit) side = limit;
  return Status::ok();
}

Status read_members(const Datum::Struct& members, const Limits& file, Limits& out) {
  std::optional<double> limit;
  bool has_limit = false;
  for (const auto& [name, value] : members) {
    auto number = number_of(name, value);
    if (name == "limit") {
      has_limit = true;
    } else if (name != "above" && name != "below") {
      return invalid("there is no \"" + printable(name, 40) + "\" here: " + std::string{kForms});
    }
    if (!number) return std::move(number).error();
    (name == "limit" ? limit : name == "above" ? out.above : out.below) = *number;
  }
  return has_limit ? set_limit(limit, file, out) : Status::ok();
}

/// The file's other side counts as well: a level must be possible that is within both.
Status check_sides(const Limits& setting, const Limits& file) {
  const bool both = setting.above && setting.below;
  const Limits limits{setting.above ? setting.above : file.above,
                      setting.below ? setting.below : file.below};
  if (!limits.above || !limits.below || *limits.below < *limits.above) return Status::ok();
  return invalid("\"above\" (" + number_text(*limits.above) + ") must be greater than \"below\" (" +
                 number_text(*limits.below) + ")" +
                 (both ? ""
                       : std::string{": the "} + (setting.above ? "latter" : "former") +
                             " is the configuration file's; send both to change both"));
}

}  // namespace

Limits limits_of(const Options& options) {
  Limits limits;
  if (options.has("above")) limits.above = options.number("above");
  if (options.has("below")) limits.below = options.number("below");
  return limits;
}

Status check_limits(const Limits& limits) {
  if (!limits.above || !limits.below || *limits.below < *limits.above) return Status::ok();
  return invalid("'below' (" + number_text(*limits.below) + ") must be less than 'above' (" +
                 number_text(*limits.above) + "), or every level would be beyond a limit");
}

Result<Datum> check_limit_setting(const Datum& value, const Limits& file) {
  if (value.is_null()) return Datum{};
  Limits setting;
  if (const auto* members = value.get_if<Datum::Struct>()) {
    if (members->empty()) return invalid("the object is empty: " + std::string{kForms});
    SLUICE_RETURN_IF_ERROR(read_members(*members, file, setting));
  } else if (double number = 0; value.as_number(number)) {
    if (!std::isfinite(number)) return invalid("the limit must be a finite number");
    SLUICE_RETURN_IF_ERROR(set_limit(number, file, setting));
  } else {
    return invalid(shown(value) + " is no limit: " + std::string{kForms});
  }
  if (!setting.above && !setting.below) return Datum{};
  SLUICE_RETURN_IF_ERROR(check_sides(setting, file));
  Datum::Struct normal;
  if (setting.above) normal.emplace_back("above", Datum{*setting.above});
  if (setting.below) normal.emplace_back("below", Datum{*setting.below});
  return Datum{std::move(normal)};
}

LimitSetting to_limit_setting(const Setting& setting) {
  const auto side = [&](std::string_view name) -> std::optional<double> {
    double number = 0;
    const Datum* member = setting.value.member(name);
    if (member == nullptr || !member->as_number(number)) return std::nullopt;
    return number;
  };
  return {.version = setting.version, .above = side("above"), .below = side("below")};
}

}  // namespace sluice::water
