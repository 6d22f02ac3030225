#include "pipeline/state/list_column.hpp"

#include "pipeline/base/errors.hpp"

namespace sluice::detail {

void null_element(const std::string& state) {
  throw InvalidArgument{"a null element cannot be added to list state '" + state + "' (LS-02)"};
}

}  // namespace sluice::detail
