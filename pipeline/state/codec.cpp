#include "pipeline/state/codec.hpp"

namespace sluice::detail {

void bad_datum(const char* wanted, const Datum& got) {
  throw StateMigrationError{std::string{"stored state is damaged: expected "} + wanted +
                            ", found " + got.to_text().substr(0, 80)};
}

}  // namespace sluice::detail
