// Show: plays a record to a real daemon, tells what happens, and checks that it was right.
#pragma once

#include <filesystem>

#include "tests/demo/record.hpp"

namespace sluice::demo {

/// True if everything came that should, and nothing else. `sluice` is the program. Throws
/// std::runtime_error if something cannot be run at all, Interrupted on Ctrl-C.
bool show(const std::filesystem::path& sluice, const Record& record);

}  // namespace sluice::demo
