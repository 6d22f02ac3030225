// Real records as files: which one it is, what is in it, and how a technician would watch it.
#pragma once

#include <filesystem>

#include "tests/demo/record.hpp"

namespace sluice::demo {

/// Told apart by what the file begins with. Throws std::runtime_error for a file that cannot be
/// read or is none of the kinds that are known; the message names these.
Record read_record(const std::filesystem::path& file);

}  // namespace sluice::demo
