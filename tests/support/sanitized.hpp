// What a test must know about its build.
#pragma once

#include <string_view>

#include "pipeline/plugin/build_stamp.hpp"

namespace sluice::test {

/// With a sanitizer a process takes several times the memory, and keeps what it has freed: what it
/// takes then says nothing about the program.
inline constexpr bool kSanitized = !std::string_view{kBuildStamp}.ends_with("no sanitizer");

}  // namespace sluice::test
