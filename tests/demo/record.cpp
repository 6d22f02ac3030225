#include "tests/demo/record.hpp"

#include <algorithm>

namespace sluice::demo {

void lay_out(Record& record) {
  const std::size_t count = record.samples.size();
  constexpr std::size_t kLines = 24;
  record.row_every = std::max<std::size_t>(1, count / kLines);
  constexpr int kMicroseconds = 15'000'000;  // long enough to watch
  record.pause_us = kMicroseconds / static_cast<int>(count);
  record.outage_begin = count * 6 / 10;
  record.outage_end = std::min(count, record.outage_begin + std::max<std::size_t>(4, count / 40));
}

}  // namespace sluice::demo
