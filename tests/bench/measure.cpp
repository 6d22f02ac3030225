#include "tests/bench/measure.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace sluice::bench {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(share * last + 0.5)];
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Comparison compare(int repetitions, const std::function<void()>& baseline,
                   const std::function<void()>& ours) {
  std::vector<double> theirs;
  std::vector<double> own;
  std::vector<double> ratios;
  for (int i = 0; i < repetitions; ++i) {
    theirs.push_back(seconds_of(baseline));
    own.push_back(seconds_of(ours));
    ratios.push_back(theirs.back() / own.back());
  }
  return {median(theirs), median(own), median(ratios)};
}

void plain_read(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::vector<char> buffer(65536);
  double sum = 0;
  for (ssize_t got = 1; got > 0;) {
    got = ::read(fd, buffer.data(), buffer.size());
    for (ssize_t i = 0; i < got; ++i) sum += buffer[static_cast<std::size_t>(i)];
  }
  ::close(fd);
  keep(sum);
}

}  // namespace sluice::bench
