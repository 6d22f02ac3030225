// The benchmarks: each measures one subject and prints its rows.
#pragma once

#include <span>

#include "tests/bench/measure.hpp"
#include "tests/bench/table.hpp"

namespace sluice::bench {

void pipeline(const Effort& effort, Table& table);   ///< delta, top three and mean in one operator
void states(const Effort& effort, Table& table);     ///< each state kind, without and with TTL
void timers(const Effort& effort, Table& table);     ///< register, fire, delete
void streams(const Effort& effort, Table& table);    ///< broadcast, side output, two inputs
void snapshots(const Effort& effort, Table& table);  ///< snapshot, checkpoint pause, restart
void journal(const Effort& effort, Table& table);    ///< append and replay
void mqtt(const Effort& effort, Table& table);       ///< from the broker to the decision
void process(const Effort& effort, Table& table);    ///< the daemon at rest, and its start
void latency(const Effort& effort, Table& table);    ///< from a reading to its alert
void recovery(const Effort& effort, Table& table);   ///< the daemon's start on what it left
void away(const Effort& effort, Table& table);       ///< memory while the broker is away
void disk(const Effort& effort, Table& table);       ///< what the daemon writes

struct Benchmark {
  const char* name;
  void (*run)(const Effort& effort, Table& table);
};
std::span<const Benchmark> all_benchmarks();

}  // namespace sluice::bench
