// demo_player: the program behind scripts/demo.
#include <cstdio>
#include <ctime>
#include <exception>
#include <string>
#include <string_view>

#include "tests/demo/data_file.hpp"
#include "tests/demo/generator.hpp"
#include "tests/demo/show.hpp"
#include "tests/demo/site.hpp"

namespace {

constexpr int kNotAsExpected = 1;
constexpr int kCannotRun = 2;
constexpr int kInterrupted = 130;
constexpr int kUsage = 64;

int play(const std::string& sluice, const std::string& data) {
  const auto record = data.empty() ? sluice::demo::made_up_record(std::time(nullptr))
                                   : sluice::demo::read_record(data);
  return sluice::demo::show(sluice, record) ? 0 : kNotAsExpected;
}

}  // namespace

int main(int argc, char** argv) {
  std::string sluice;
  std::string data;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option{argv[i]};
    if (option == "--sluice") sluice = argv[i + 1];
    if (option == "--data") data = argv[i + 1];
  }
  if (sluice.empty() || argc % 2 == 0) {
    std::fputs("usage: demo_player --sluice PROGRAM [--data FILE]\n", stderr);
    return kUsage;
  }
  sluice::demo::catch_signals();
  try {
    return play(sluice, data);
  } catch (const sluice::demo::Interrupted&) {
    return kInterrupted;
  } catch (const std::exception& error) {
    // Ctrl-C reaches the broker too, so what fails first may be a connection.
    if (sluice::demo::was_interrupted()) return kInterrupted;
    std::fprintf(stderr, "demo: %s\n", error.what());
    return kCannotRun;
  }
}
