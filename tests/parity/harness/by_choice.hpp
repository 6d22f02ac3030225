// What is different by choice, and what has no meaning in C++: tables, printed with every run.
// docs/differences-from-flink.md has the reasons at length.
#pragma once

#include <string>
#include <vector>

namespace sluice::parity {

/// An operation that we answer otherwise than Flink, in whatever script it occurs. Only the probes'
/// operations are compared with such a difference (see Emulation), and nothing else.
struct ByChoice {
  const char* statement;
  const char* op;  ///< nullptr: every operation on keyed state
  const char* why;
};
const std::vector<ByChoice>& by_choice();

/// Throws std::logic_error if it is not in the table.
const ByChoice& choice(const std::string& statement, const std::string& op);

/// A case that cannot be played at all.
struct NotApplicable {
  const char* script;
  const char* statement;
  const char* why;
};
const std::vector<NotApplicable>& not_applicable();

}  // namespace sluice::parity
