#include "tests/integration/database.hpp"

#include <stdexcept>

#include "pipeline/base/log.hpp"
#include "storage/journal/reader.hpp"
#include "storage/sqlite/database.hpp"

namespace sluice::test {
namespace {

class NoLog final : public Log {
 public:
  void write(LogLevel, std::string_view, std::initializer_list<LogField>) noexcept override {}
  void write_limited(std::string_view, LogLevel, std::string_view,
                     std::initializer_list<LogField>) noexcept override {}
};

template <class T>
T taken(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  return std::move(result).value();
}

storage::Database open(const std::filesystem::path& path, bool read_only) {
  storage::DatabaseOptions options;
  options.read_only = read_only;
  options.create = false;
  return taken(storage::Database::open(path.string(), options));
}

std::string column(const storage::Statement& row, int number) {
  switch (row.type(number)) {
    case storage::ColumnType::kInteger: return std::to_string(row.integer(number));
    case storage::ColumnType::kReal: return std::to_string(row.real(number));
    case storage::ColumnType::kNull: return {};
    default: return std::string{row.bytes(number)};
  }
}

}  // namespace

std::vector<std::string> query(const std::filesystem::path& database, const std::string& sql) {
  auto file = open(database, true);
  auto statement = taken(file.prepare(sql));
  std::vector<std::string> found;
  while (taken(statement.step())) found.push_back(column(statement, 0));
  return found;
}

std::string query_one(const std::filesystem::path& database, const std::string& sql) {
  auto file = open(database, true);
  auto statement = taken(file.prepare(sql));
  return taken(statement.step()) ? column(statement, 0) : std::string{};
}

void execute(const std::filesystem::path& database, const std::string& sql) {
  if (auto status = open(database, false).execute(sql); !status)
    throw std::runtime_error(status.error().message());
}

std::uint64_t last_message(const std::filesystem::path& journal) {
  NoLog log;
  storage::JournalReader reader{journal.string(), 0, log};
  storage::JournalRecord record;
  std::uint64_t last = 0;
  while (taken(reader.next(record))) {
    if (record.kind == storage::JournalKind::kMessage) last = record.sequence;
  }
  return last;
}

std::vector<std::filesystem::path> files_starting(const std::filesystem::path& folder,
                                                  const std::string& start) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    if (entry.path().filename().string().starts_with(start)) found.push_back(entry.path());
  }
  return found;
}

}  // namespace sluice::test
