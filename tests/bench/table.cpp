#include "tests/bench/table.hpp"

#include <cstdio>

namespace sluice::bench {

std::string number(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string nanoseconds(double seconds, std::size_t operations) {
  return number(seconds * 1e9 / static_cast<double>(operations)) + " ns";
}

std::string per_second(double seconds, std::size_t operations, const std::string& what) {
  return number(static_cast<double>(operations) / seconds, 0) + " " + what + "/s";
}

void Table::section(const std::string& title) {
  std::printf("\n%s\n%-46s %20s %20s %7s  %s\n", title.c_str(), "", "sluice", "baseline", "ratio",
              "goal");
}

void Table::print(const Row& row) {
  ++counts_.rows;
  std::string goal;
  if (row.goal) {
    const double value = row.measured ? *row.measured : row.ratio.value_or(0);
    const bool kept = row.goal->kept(value);
    if (!kept) ++counts_.missed;
    goal = std::string{row.goal->at_least ? ">= " : "<= "} +
           number(row.goal->limit, row.goal->limit < 10 ? 1 : 0) + (kept ? "" : "  MISSED");
  }
  std::printf("%-46s %20s %20s %7s  %s\n", row.figure.c_str(), row.ours.c_str(),
              row.baseline.c_str(), row.ratio ? number(*row.ratio, 2).c_str() : "-", goal.c_str());
  std::fflush(stdout);
}

}  // namespace sluice::bench
