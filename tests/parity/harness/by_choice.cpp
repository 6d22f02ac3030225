#include "tests/parity/harness/by_choice.hpp"

namespace sluice::parity {

namespace {

constexpr const char* kOneKey = "the broadcast side has no key: keyed state is an error there";
constexpr const char* kConst = "nothing is written through a read-only view";

}  // namespace

const std::vector<ByChoice>& by_choice() {
  static const std::vector<ByChoice> kTable = {
      {"list_state_partial_addall", 2, "/out/2/v/r", "[0]", "LS-07",
       "add_all stores all elements or none"},
      {"map_state_putall_null", 2, "/entries", "[0]", "MS-09",
       "there are no null maps, and nothing is left behind by one"},
      {"bc_read_only", 3, "/out/0/v", R"({"op": "bc.entry_set", "err": ""})", "BC-08", kConst},
      {"bc_read_only", 3, "/out/1/v/r", "1", "BC-08", kConst},
      {"bc_read_only", 4, "/out/0/v", R"({"op": "bc.cast_put", "err": ""})", "BC-08", kConst},
      {"bc_read_only", 4, "/out/1/v/r", "null", "BC-08", kConst},
      {"bc_keyed_state_on_broadcast_side", 3, "/out/0/v", R"({"op": "value.get", "err": ""})",
       "BC-11", kOneKey},
      {"bc_keyed_state_on_broadcast_side", 3, "/out/1/v", R"({"op": "value.update", "err": ""})",
       "BC-11", kOneKey},
      {"bc_keyed_state_on_broadcast_side", 4, "/out/0/v/r", "1", "BC-11", kOneKey},
  };
  return kTable;
}

const std::vector<NotApplicable>& not_applicable() {
  static const std::vector<NotApplicable> kTable = {};
  return kTable;
}

std::vector<const ByChoice*> apply_choices(const std::string& script, std::size_t step,
                                           Json& expected) {
  std::vector<const ByChoice*> applied;
  for (const auto& choice : by_choice()) {
    if (script != choice.script || step != choice.step) continue;
    expected[Json::json_pointer{choice.where}] = Json::parse(choice.ours);
    applied.push_back(&choice);
  }
  return applied;
}

bool refuse_null_maps(Json& expected) {
  const Json& ops = member(member(member(expected, "do"), "value"), "ops");
  bool changed = false;
  for (std::size_t i = 0; i < ops.size() && i < expected["out"].size(); ++i) {
    Json& answer = expected["out"][i]["v"];
    const std::string op = as_text(ops[i], "op");
    if (op != "map.putAll" && op != "bc.putAll") continue;
    if (!member(ops[i], "arg").is_null() || answer.contains("err")) continue;
    answer = {{"op", op}, {"err", ""}};
    changed = true;
  }
  return changed;
}

}  // namespace sluice::parity
