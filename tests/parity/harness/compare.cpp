#include "tests/parity/harness/compare.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace sluice::parity {

namespace {

constexpr const char* kParts[] = {"out", "side", "fired", "timers", "trace", "entries", "error"};

bool is_map_view(const std::string& op) {
  return op == "map.entries" || op == "map.keys" || op == "map.values" || op == "bc.entries";
}

/// "id为:s1,key:5,value:1,key:1,value:2": the pairs in order of their text (JOB-03).
std::string with_sorted_pairs(const std::string& text) {
  const std::string mark = ",key:";
  std::vector<std::string> pairs;
  auto at = text.find(mark);
  const std::string head = text.substr(0, at);
  while (at != std::string::npos) {
    const auto next = text.find(mark, at + 1);
    pairs.push_back(text.substr(at, next == std::string::npos ? next : next - at));
    at = next;
  }
  std::sort(pairs.begin(), pairs.end());
  std::string result = head;
  for (const auto& pair : pairs) result += pair;
  return result;
}

Json normal_text(const std::string& text) {
  const std::string sees = "timer sees ";
  if (text.starts_with(sees)) {
    Json entries = Json::parse(text.substr(sees.size()), nullptr, false);
    if (entries.is_array()) std::sort(entries.begin(), entries.end());
    return sees + entries.dump();
  }
  if (text.starts_with("{")) {
    Json parsed = Json::parse(text, nullptr, false);
    if (!parsed.is_discarded()) return parsed;
  }
  return with_sorted_pairs(text);
}

/// Flink's answer, where the record tells that ours is another one by choice.
Json without_choice(Json value) {
  const auto choice = value.find("by_choice");
  if (choice == value.end()) return value;
  const Json theirs = choice->at("flink");
  value.erase(choice);
  if (theirs.is_null()) return value;
  Json changed{{"op", value["op"]}};
  changed.update(theirs);
  return changed;
}

Json normal_value(const Json& raw) {
  Json value = raw.is_string() ? normal_text(raw.get<std::string>()) : raw;
  if (!value.is_object() || !value.contains("op")) return value;
  value = without_choice(std::move(value));
  if (value.contains("err")) value["err"] = true;
  if (is_map_view(value["op"]) && value.contains("r") && value["r"].is_array()) {
    std::sort(value["r"].begin(), value["r"].end());
  }
  return value;
}

/// Sorts each longest run of neighbours of which `same(a, b)` holds.
template <class Same>
void sort_runs(Json& list, Same same) {
  for (auto begin = list.begin(); begin != list.end();) {
    auto end = std::next(begin);
    while (end != list.end() && same(*begin, *end)) ++end;
    std::sort(begin, end);
    begin = end;
  }
}

bool is_apply(const Json& record) {
  return record.contains("v") && record["v"].is_string() &&
         record["v"].get_ref<const std::string&>().starts_with("apply ");
}

/// Sorts each run of records that timers of one time can have brought about in any order. With
/// `nested`, a timer that one of them set for an earlier time belongs to it: such a timer fires
/// right after the one that set it (TM-09), wherever among its equals that one came.
void sort_fired(Json& list, bool nested, const std::function<bool(const Json&)>& timed) {
  std::optional<Json> latest;  // the time of the run
  auto begin = list.begin();
  for (auto it = list.begin(); it != list.end(); ++it) {
    const bool joins =
        timed(*it) && latest && (nested ? (*it)["ts"] <= *latest : (*it)["ts"] == *latest);
    if (joins) continue;
    std::sort(begin, it);
    begin = it;
    latest = timed(*it) ? std::optional<Json>{(*it)["ts"]} : std::nullopt;
  }
  std::sort(begin, list.end());
}

void sort_what_is_open(Json& records, const Script& script, bool timers_fired) {
  sort_runs(records, [](const Json& a, const Json& b) { return is_apply(a) && is_apply(b); });
  const bool map_jobs = script.job == "level_rules" || script.job == "color_shape";
  if (map_jobs && script.leaves_open("map")) {
    sort_runs(records, [](const Json& a, const Json& b) {
      return a.contains("v") && b.contains("v") && a["ts"] == b["ts"];
    });
  }
  if (!timers_fired) return;
  // Processing-time timers' records have no time to tell them apart by.
  const bool open = script.leaves_open("fired");
  sort_fired(records, open, [open](const Json& record) {
    return record.contains("v") && (open || !record["ts"].is_null());
  });
}

Json normal_records(Json records, const Script& script, bool timers_fired) {
  for (auto& record : records) {
    if (record.contains("v")) record["v"] = normal_value(record["v"]);
  }
  std::stable_sort(records.begin(), records.end(), [](const Json& a, const Json& b) {
    return a.value("subtask", 0) < b.value("subtask", 0);
  });
  sort_what_is_open(records, script, timers_fired);
  return records;
}

void normal_fired(Json& fired, bool several_subtasks, bool open) {
  // There is no order between subtasks.
  if (several_subtasks) {
    std::sort(fired.begin(), fired.end());
    return;
  }
  sort_fired(fired, open, [](const Json&) { return true; });
}

}  // namespace

Json normal_form(const Json& answer, const Script& script) {
  Json result = Json::object();
  for (const char* part : kParts) {
    if (answer.contains(part)) result[part] = answer[part];
  }
  const bool fired = result.contains("fired");
  if (fired) {
    const bool several = answer["out"].dump().find("\"subtask\"") != std::string::npos;
    normal_fired(result["fired"], several, script.leaves_open("fired"));
  }
  result["out"] = normal_records(answer.value("out", Json::array()), script, fired);
  if (result.contains("side")) {
    for (auto& records : result["side"]) records = normal_records(records, script, fired);
  }
  if (result.contains("timers")) {
    for (auto& timers : result["timers"]) std::sort(timers.begin(), timers.end());
  }
  if (result.contains("error")) result["error"] = "it throws";
  return result;
}

std::vector<std::string> differences(const Json& expected, const Json& got) {
  std::vector<std::string> found;
  for (const char* part : kParts) {
    const Json& e = member(expected, part);
    const Json& g = member(got, part);
    if (e == g) continue;
    found.push_back(std::string{part} + ": expected " + e.dump() + ", got " + g.dump());
  }
  return found;
}

}  // namespace sluice::parity
