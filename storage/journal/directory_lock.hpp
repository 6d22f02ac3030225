// One process to a journal.
#pragma once

#include <string>

#include "pipeline/base/result.hpp"
#include "storage/file.hpp"

namespace sluice::storage {

/// Makes the directory if there is none. Held as long as the file is open. kConflict if another
/// process has it; other errors are named with_cure().
Result<File> lock_directory(const std::string& dir);
/// What is wrong with the directory, with what a person must do about it, if only a person can.
Error with_cure(Error error, const std::string& dir);
/// Whether it is this file that locks the directory now: not another one of its name, nor of a
/// directory that took the place of the one before. True where that cannot be found out.
bool locks(const File& lock, const std::string& dir);

}  // namespace sluice::storage
