// Measuring in a process of its own, whose heap has no holes from what was measured before: with
// millions of keys, where the allocator puts them matters as much as what is done with them.
#pragma once

#include <functional>

#include "tests/bench/table.hpp"

namespace sluice::bench {

/// Runs `work` in a child process; its rows count as `table`'s. Before there are threads. Throws
/// std::runtime_error if the child fails.
void in_own_process(Table& table, const std::function<void()>& work);

}  // namespace sluice::bench
