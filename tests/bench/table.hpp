// The table that the program prints, row by row as figures come in.
#pragma once

#include <optional>
#include <string>

namespace sluice::bench {

/// A bound that a figure should keep. Printed, never enforced.
struct Goal {
  double limit{};
  bool at_least{true};
  bool kept(double value) const { return at_least ? value >= limit : value <= limit; }
};

struct Row {
  std::string figure;
  std::string ours;
  std::string baseline{"-"};
  std::optional<double> ratio{};
  std::optional<Goal> goal{};  ///< on `measured`, or on the ratio where that is not set
  std::optional<double> measured{};
};

class Table {
 public:
  void section(const std::string& title);
  void print(const Row& row);

  struct Counts {
    int rows{0};
    int missed{0};  ///< goals
  };
  const Counts& counts() const { return counts_; }
  void set_counts(const Counts& counts) { counts_ = counts; }

 private:
  Counts counts_;
};

std::string number(double value, int digits = 1);
/// "71.4 ns" for so many operations in so many seconds.
std::string nanoseconds(double seconds, std::size_t operations);
std::string per_second(double seconds, std::size_t operations, const std::string& what);

}  // namespace sluice::bench
