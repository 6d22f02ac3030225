#include "plugins/water/reset.hpp"

#include "pipeline/base/log.hpp"

namespace sluice::water {

Result<Datum> check_reset_setting(const Datum& value) {
  const auto* members = value.get_if<Datum::Struct>();
  const Datum* reset = value.member("reset");
  if (members != nullptr && members->size() == 1 && reset != nullptr && *reset == Datum{true}) {
    return value;
  }
  return Error{ErrorCode::kInvalid,
               "all that can be sent here is {\"reset\": true}, to begin anew, not " +
                   printable(value.to_text(), 40)};
}

}  // namespace sluice::water
