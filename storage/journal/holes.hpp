// What is missing in a journal.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::storage {

/// Numbers that were given to records which the disk took, and that are in none of its files: one
/// was removed, or damaged.
struct JournalHoles {
  std::uint64_t count{};    ///< of holes
  std::uint64_t records{};  ///< missing in all of them together
  // The first hole.
  std::uint64_t from{};
  std::uint64_t to{};
  std::string before;  ///< path of the segment that holds the record behind it
};

/// "records 5 to 9 of the journal are missing: ...", with the cure.
std::string describe(const JournalHoles& holes);

}  // namespace sluice::storage
