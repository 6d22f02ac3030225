// Schema texts of state types ("f64", "list<text>", "struct Mean{count:i64,mean:f64}") and the
// question whether state written under one schema may be read under another (SE-01, SE-02).
#pragma once

#include <string>
#include <string_view>

#include "pipeline/base/result.hpp"

namespace sluice {

/// Ok if `stored` can be read as `current`: equal, or structs of one name whose common fields are
/// compatible (fields may come and go). Otherwise a sentence that names the place and both types.
Status check_schema(std::string_view stored, std::string_view current);

}  // namespace sluice
