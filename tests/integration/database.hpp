// A look into the daemon's database and journal, as a person with the sqlite3 program has it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sluice::test {

/// The first column of each row, as text ("" for null). Throws std::runtime_error if the file or
/// the query is no good.
std::vector<std::string> query(const std::filesystem::path& database, const std::string& sql);
/// That of the first row.
std::string query_one(const std::filesystem::path& database, const std::string& sql);
/// Statements that change it. Throws likewise.
void execute(const std::filesystem::path& database, const std::string& sql);

/// Sequence of the last message in a journal; 0 if it has none.
std::uint64_t last_message(const std::filesystem::path& journal);

/// Files of a folder whose names begin with this.
std::vector<std::filesystem::path> files_starting(const std::filesystem::path& folder,
                                                  const std::string& start);

}  // namespace sluice::test
