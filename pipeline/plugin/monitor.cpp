#include "pipeline/plugin/monitor.hpp"

namespace sluice {

Result<Datum> MonitorKind::check_setting(const Datum&, const Options&) const {
  return Error{ErrorCode::kInvalid,
               "monitors of kind '" + std::string{name()} + "' take no settings"};
}

}  // namespace sluice
