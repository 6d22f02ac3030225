#include "tests/bench/own_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <stdexcept>

namespace sluice::bench {

void in_own_process(Table& table, const std::function<void()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    int code = 0;
    try {
      work();
    } catch (const std::exception& e) {
      std::printf("failed: %s\n", e.what());
      code = 1;
    }
    const Table::Counts counts = table.counts();
    if (::write(ends[1], &counts, sizeof counts) != static_cast<ssize_t>(sizeof counts)) code = 1;
    std::fflush(stdout);
    ::_exit(code);
  }
  ::close(ends[1]);
  Table::Counts counts{};
  const ssize_t got = ::read(ends[0], &counts, sizeof counts);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (got != static_cast<ssize_t>(sizeof counts) || status != 0) {
    throw std::runtime_error("the child process failed");
  }
  table.set_counts(counts);
}

}  // namespace sluice::bench
