// One process to a journal.
#pragma once

#include <string>

#include "pipeline/base/result.hpp"
#include "storage/file.hpp"

namespace sluice::storage {

/// Whether the error (errno) is of the disk or its rights, not of the configuration: worth starting
/// without and trying again.
bool may_pass(int error);

/// Held as long as the file is open. kConflict if another process has it.
Result<File> lock_directory(const std::string& dir);

}  // namespace sluice::storage
