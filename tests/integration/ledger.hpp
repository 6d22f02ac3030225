// Ledger: sends numbered readings and keeps the books on what must come of them: each mean, top
// three and alert, computed here by hand. Whatever happens to the daemon meanwhile, they must
// agree.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/integration/site.hpp"

namespace sluice::test {

class Ledger {
 public:
  /// The site has the usual monitors. The same seed gives the same readings.
  explicit Ledger(Site& site, unsigned seed = 1) : site_{site}, state_{seed} {}

  /// The next readings, of several sensors in turn; each level occurs once. Only the broker has
  /// them when this returns.
  void send_some(int count);

  /// Until the newest mean and top three of each sensor are published, exactly.
  void wait_for_values();
  /// That, and: each alert has come, none that should not, and repeats have the id of the first.
  void expect_all();

 private:
  struct Sensor {
    int count{0};
    double mean{0};
    double last{0};
    std::vector<double> highest;
  };
  unsigned random();
  void note(const std::string& sensor, double level);

  Site& site_;
  unsigned state_;
  int number_{0};
  std::map<std::string, Sensor> sensors_;
  std::set<double> alerts_;  ///< the levels that raised one
};

}  // namespace sluice::test
