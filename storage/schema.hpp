// The tables of sluice.db and the steps from one version of them to the next.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "pipeline/base/result.hpp"
#include "storage/sqlite/database.hpp"

namespace sluice::storage {

/// "SLCE": says in the file's header that it is ours (`PRAGMA application_id`). Never changes.
inline constexpr std::int64_t kApplicationId = 0x534C4345;

/// One step: from the version before to `to_version`.
struct Migration {
  int to_version;
  const char* sql;
};

/// All steps, from an empty file on. Append only: a step that was released never changes.
std::span<const Migration> migrations();

/// The newest version, which this program writes.
int schema_version();

/// Runs the steps that `database` lacks, each in a transaction of its own. Nothing happens where
/// it is up to date. kVersion if it is newer than the last step, with what to do about it.
Status migrate(Database& database, std::span<const Migration> steps);

}  // namespace sluice::storage
