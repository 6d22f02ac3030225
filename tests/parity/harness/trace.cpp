#include "tests/parity/harness/trace.hpp"

namespace sluice::parity {

Trace& Trace::get() {
  static Trace trace;
  return trace;
}

void Trace::fired(TimeDomain domain, const std::string& key, Timestamp at) {
  fired_.push_back(
      {{"domain", domain == TimeDomain::kEventTime ? "event" : "proc"}, {"key", key}, {"ts", at}});
}

}  // namespace sluice::parity
