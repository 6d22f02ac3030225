// What is different by choice, and what has no meaning in C++: a table, printed with every run.
// docs/differences-from-flink.md has the reasons at length.
#pragma once

#include <string>
#include <vector>

#include "tests/parity/harness/values.hpp"

namespace sluice::parity {

/// In this step of this case our answer is another one, and exactly this one.
struct ByChoice {
  const char* script;
  std::size_t step;
  const char* where;  ///< JSON pointer into the answer
  const char* ours;   ///< JSON
  const char* statement;
  const char* why;
};
const std::vector<ByChoice>& by_choice();

/// A case that cannot be played at all.
struct NotApplicable {
  const char* script;
  const char* statement;
  const char* why;
};
const std::vector<NotApplicable>& not_applicable();

/// Puts our own answers in the place of Flink's where the table says so, and tells which.
std::vector<const ByChoice*> apply_choices(const std::string& script, std::size_t step,
                                           Json& expected);

/// Null maps do not exist in C++: an operation on one is refused, also where Flink ignores it
/// (MS-09). True if something was changed.
bool refuse_null_maps(Json& expected);

}  // namespace sluice::parity
