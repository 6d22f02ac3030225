#include "storage/store_files.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <ctime>

#include "storage/crash_point.hpp"
#include "storage/file.hpp"
#include "storage/schema.hpp"

namespace sluice::storage {
namespace {

std::string utc_stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
  return {text, size};
}

}  // namespace

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

bool path_exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

Result<Database> open_checked(const std::string& path, const DatabaseOptions& options) {
  auto database = Database::open(path, options);
  if (!database) return database;
  auto id = database->integer("PRAGMA application_id");
  auto tables = database->integer("SELECT count(*) FROM sqlite_schema");
  if (!id) return std::move(id).error();
  if (!tables) return std::move(tables).error();
  const bool empty = *tables == 0 && *id == 0;  // killed while it was being created
  if (*id != kApplicationId && !empty) {
    return Error{ErrorCode::kCorrupt, "database " + path +
                                          " is not one of sluice's (application id " +
                                          std::to_string(*id) + ")"};
  }
  SLUICE_RETURN_IF_ERROR(database->quick_check());
  return database;
}

Result<std::uint64_t> sequence_of(Database& database) {
  auto sequence = database.integer("SELECT ifnull(max(journal_sequence), 0) FROM checkpoint");
  if (!sequence) return std::move(sequence).error();
  return static_cast<std::uint64_t>(*sequence);
}

Result<std::string> set_database_aside(const std::string& path) {
  const std::string aside = path + ".damaged-" + utc_stamp();
  crash_point("quarantine.before-rename");
  std::string kept;
  // The database first: without it, the other two are nothing that SQLite would believe.
  for (const char* suffix : {"", "-wal", "-shm"}) {
    if (!path_exists(path + suffix)) continue;
    auto renamed = rename_aside(path + suffix, aside + suffix);
    if (!renamed) return std::move(renamed).error();
    if (*suffix == '\0') {
      kept = *renamed;
      crash_point("quarantine.half-renamed");
    }
  }
  return kept;
}

FileMark mark_of(const std::string& path) {
  struct stat status {};
  FileMark mark;
  if (::stat(path.c_str(), &status) != 0) {
    mark.error = errno;
    return mark;
  }
  mark.device = status.st_dev;
  mark.inode = status.st_ino;
  mark.size = status.st_size;
  mark.written_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  return mark;
}

}  // namespace sluice::storage
