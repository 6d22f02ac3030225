// Script: one case: a header and steps. README.md beside main.cpp has the format.
#pragma once

#include <filesystem>
#include <vector>

#include "pipeline/base/result.hpp"
#include "tests/parity/harness/values.hpp"

namespace sluice::parity {

struct Script {
  std::string name;
  std::string job;
  Json options = Json::object();
  std::uint32_t parallelism{1};
  std::uint32_t max_parallelism{128};
  std::int64_t processing_time{0};
  std::vector<std::string> unordered;
  std::vector<Json> steps;

  bool leaves_open(const std::string& order) const;
};

/// One JSON value a line; empty lines and lines that start with # are skipped.
Result<std::vector<Json>> read_lines(const std::filesystem::path& file);
Result<Script> read_script(const std::filesystem::path& file);

}  // namespace sluice::parity
