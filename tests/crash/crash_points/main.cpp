// crash-points: lets the daemon die once at each point of a table and compares what it makes of it.
//
//   crash-points [--only TEXT]
//
// Exit status 0 if the recovery was right everywhere; 1 if not, or if a point was never reached.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "tests/crash/crash_points/rig.hpp"

int main(int argc, char** argv) {
  std::string only;
  std::string sluice = std::string{SLUICE_BIN_DIR} + "/sluice";
  CLI::App app{"Lets the daemon die at each named point and compares what is left"};
  app.add_option("--only", only, "Points whose name has this in it");
  app.add_option("--sluice", sluice, "The program under test, built with SLUICE_CRASH_POINTS");
  CLI11_PARSE(app, argc, argv);
  int tried = 0;
  int wrong = 0;
  try {
    sluice::crash::PointsRig rig{sluice};
    for (const auto& point : sluice::crash::crash_points()) {
      if (std::string{point.at}.find(only) == std::string::npos) continue;
      const std::string finding = rig.try_point(point);
      std::printf("%-34s %s: %s\n", point.at, finding.empty() ? "ok" : "WRONG",
                  finding.empty() ? point.recovery : finding.c_str());
      std::fflush(stdout);
      ++tried;
      if (!finding.empty()) ++wrong;
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "crash-points: %s\n", e.what());
    return 2;
  }
  std::printf("%d points, %d wrong\n", tried, wrong);
  return tried > 0 && wrong == 0 ? 0 : 1;
}
