#include "tests/parity/harness/script.hpp"

#include <algorithm>
#include <fstream>

namespace sluice::parity {

bool Script::leaves_open(const std::string& order) const {
  return std::find(unordered.begin(), unordered.end(), order) != unordered.end();
}

Result<std::vector<Json>> read_lines(const std::filesystem::path& file) {
  std::ifstream in{file};
  if (!in) return Error{ErrorCode::kNotFound, "cannot read " + file.string()};
  std::vector<Json> values;
  std::string line;
  while (std::getline(in, line)) {
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    auto value = Json::parse(line, nullptr, false);
    if (value.is_discarded()) {
      return Error{ErrorCode::kCorrupt, file.string() + " has a line that is no JSON: " + line};
    }
    values.push_back(std::move(value));
  }
  return values;
}

Result<Script> read_script(const std::filesystem::path& file) {
  auto lines = read_lines(file);
  if (!lines) return lines.error();
  if (lines->empty()) return Error{ErrorCode::kCorrupt, file.string() + " has no header"};
  const Json& header = lines->front();
  Script script;
  script.name = header.value("case", file.stem().string());
  script.job = header.value("job", "");
  script.options = header.value("options", Json::object());
  script.parallelism = header.value("parallelism", 1U);
  script.max_parallelism = header.value("max_parallelism", 128U);
  script.processing_time = header.value("processing_time", std::int64_t{0});
  script.unordered = header.value("unordered", std::vector<std::string>{});
  script.steps.assign(lines->begin() + 1, lines->end());
  return script;
}

}  // namespace sluice::parity
