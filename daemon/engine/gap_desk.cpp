#include "daemon/engine/gap_desk.hpp"

#include <utility>

#include "daemon/engine/datum_member.hpp"

namespace sluice::daemon {

namespace {

Datum document(const GapTotals& totals) {
  return Datum::Struct{{"gaps", static_cast<std::int64_t>(totals.gaps)},
                       {"missing", static_cast<std::int64_t>(totals.missing)},
                       {"noticed", totals.noticed},
                       {"sensor", totals.sensor},
                       {"from", totals.from},
                       {"to", totals.to}};
}

GapTotals totals_of(const Datum& document) {
  const auto number = [&](const char* name) -> std::int64_t {
    const auto* value = member_if<std::int64_t>(document, name);
    return value == nullptr ? 0 : *value;
  };
  GapTotals totals;
  totals.gaps = static_cast<std::uint64_t>(number("gaps"));
  totals.missing = static_cast<std::uint64_t>(number("missing"));
  totals.noticed = number("noticed");
  totals.from = number("from");
  totals.to = number("to");
  if (const auto* sensor = member_if<std::string>(document, "sensor")) totals.sensor = *sensor;
  return totals;
}

}  // namespace

std::string describe_gap(const std::string& sensor, std::int64_t from, std::int64_t to) {
  const std::string whose = " of sensor '" + printable(sensor, 80) + "' never came";
  if (from == to) return "number " + std::to_string(from) + whose;
  return "numbers " + std::to_string(from) + " to " + std::to_string(to) + whose;
}

GapDesk::GapDesk(const Config& config, Counters& counters, Log& log)
    : counters_{counters}, log_{log} {
  for (const auto& source : config.sources) {
    if (is_numbered(source)) counters_.show_gaps(source.name, totals_[source.name]);
  }
}

// In a replay as well: what is new in it was told to nobody yet, and a line too many in the log
// does no harm.
void GapDesk::note(const Gap& gap, Timestamp now) {
  const auto missing = static_cast<std::uint64_t>(gap.to - gap.from + 1);
  GapTotals& totals = totals_[gap.source];
  ++totals.gaps;
  totals.missing += missing;
  totals.noticed = now;
  totals.sensor = gap.sensor;
  totals.from = gap.from;
  totals.to = gap.to;
  counters_.show_gaps(gap.source, totals);
  log_.write_limited("gap." + gap.source, LogLevel::kWarning,
                     "readings are missing: " + describe_gap(gap.sensor, gap.from, gap.to) + "; " +
                         std::string{kGapCure},
                     {{"source", gap.source},
                      {"sensor", excerpt(gap.sensor)},
                      {"from", std::to_string(gap.from)},
                      {"to", std::to_string(gap.to)},
                      {"missing", std::to_string(missing)}});
}

Datum GapDesk::save() const {
  Datum::Struct saved;
  for (const auto& [source, totals] : totals_) saved.emplace_back(source, document(totals));
  return saved;
}

void GapDesk::restore(const Datum& saved) {
  const auto* sources = saved.get_if<Datum::Struct>();
  if (sources == nullptr) return;
  for (const auto& [source, document] : *sources) {
    totals_[source] = totals_of(document);
    counters_.show_gaps(source, totals_[source]);
  }
}

}  // namespace sluice::daemon
