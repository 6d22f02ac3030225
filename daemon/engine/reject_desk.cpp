#include "daemon/engine/reject_desk.hpp"

#include "daemon/json.hpp"

namespace sluice::daemon {

namespace {
constexpr Timestamp kMinute = 60'000;
constexpr int kPublishedPerMinute = 60;
}  // namespace

bool RejectDesk::may_publish(Recent& recent, Timestamp now) const {
  if (now >= saturating_add(recent.minute, kMinute)) {
    recent.minute = now;
    recent.published = 0;
  }
  return recent.published < kPublishedPerMinute;
}

void RejectDesk::reject(const storage::JournalRecord& record, RejectReason reason,
                        const std::string& detail, bool quiet, std::vector<Publication>& out) {
  if (quiet) return;
  counters_.count_rejected(record.source, reason);
  const std::string payload = excerpt(record.payload);
  log_.write_limited("rejected." + record.source + "." + std::string{to_string(reason)},
                     LogLevel::kWarning, "no reading: " + detail,
                     {{"source", record.source},
                      {"reason", std::string{to_string(reason)}},
                      {"topic", excerpt(record.topic)},
                      {"payload", payload}});
  Recent& recent = recent_[record.source];
  if (!may_publish(recent, record.time)) {
    ++recent.unpublished;
    return;
  }
  announcer_.announce_rejected(
      record.source,
      Datum::Struct{{"source", record.source},
                    {"reason", to_string(reason)},
                    {"detail", detail},
                    {"topic", excerpt(record.topic)},
                    {"payload", payload},
                    {"time", format_time(record.time)},
                    {"unpublished_before", static_cast<std::int64_t>(recent.unpublished)}},
      out);
  ++recent.published;
  recent.unpublished = 0;
}

}  // namespace sluice::daemon
