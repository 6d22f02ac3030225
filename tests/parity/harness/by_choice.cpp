#include "tests/parity/harness/by_choice.hpp"

#include <stdexcept>

namespace sluice::parity {

namespace {

constexpr const char* kOneKey = "the broadcast side has no key: keyed state is an error there";
constexpr const char* kConst = "nothing is written through a read-only view";
constexpr const char* kCopy =
    "with TTL a view of a list may be a copy: what is done to the list meanwhile neither shows in "
    "it nor disturbs it";

}  // namespace

const std::vector<ByChoice>& by_choice() {
  static const std::vector<ByChoice> kTable = {
      {"LS-07", "list.addAll", "add_all stores all elements or none, and leaves no entry behind"},
      {"LS-08", "list.live", kCopy},
      {"LS-08", "list.iter_add", kCopy},
      {"LS-08", "list.iter_update", kCopy},
      {"TTL-11", "list.is_null", "reading a list drops it at once if all of it has expired"},
      {"MS-09", "map.putAll", "there are no null maps, and putting nothing leaves no entry behind"},
      {"MS-10", "map.iter_put", "a new key fails the next step of an iteration, the last one too"},
      {"TTL-12", "map.iter_remove", "an expired entry may be removed by the iteration that saw it"},
      {"TTL-12", "map.iter_set", "an expired entry may be removed by the iteration that saw it"},
      {"TTL-10", "reducing.add", "a null that takes an expired value's place expires too"},
      {"BC-08", "bc.entry_set", kConst},
      {"BC-08", "bc.cast_put", kConst},
      {"BC-11", nullptr, kOneKey},
  };
  return kTable;
}

const ByChoice& choice(const std::string& statement, const std::string& op) {
  for (const auto& row : by_choice()) {
    if (statement == row.statement && (row.op == nullptr || op == row.op)) return row;
  }
  throw std::logic_error{"not in the table of what is different by choice: " + statement + ", " +
                         op};
}

const std::vector<NotApplicable>& not_applicable() {
  static const std::vector<NotApplicable> kTable = {};
  return kTable;
}

}  // namespace sluice::parity
