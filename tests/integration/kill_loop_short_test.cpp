// kill -9 again and again, at moments that a seed chooses: nothing lost, nothing counted twice.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "tests/integration/ledger.hpp"
#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

constexpr int kRounds = 20;

unsigned chosen_seed() {
  if (const char* given = std::getenv("SLUICE_SEED"))
    return static_cast<unsigned>(std::atol(given));
  return std::random_device{}();
}

TEST(KillLoopShort, TwentyKillsLeaveNoTrace) {
  const unsigned seed = chosen_seed();
  std::printf("seed %u (SLUICE_SEED=%u repeats it)\n", seed, seed);
  SCOPED_TRACE("SLUICE_SEED=" + std::to_string(seed));
  std::mt19937 random{seed};
  const auto up_to = [&](unsigned most) { return static_cast<int>(random() % (most + 1)); };

  MosquittoBroker broker;
  // Small segments and frequent checkpoints, so that kills meet them too.
  Site site{broker,
            {.protocol = (seed & 1U) != 0 ? "5" : "3.1.1",
             .other_tables = "[checkpoint]\ninterval = \"100ms\"\n"
                             "[journal]\nsegment_size = \"64KiB\"\n"}};
  Ledger ledger{site, seed};
  site.start();
  for (int round = 0; round < kRounds; ++round) {
    ledger.send_some(up_to(80));
    // Anywhere between in the middle of the last reading and idle again.
    std::this_thread::sleep_for(std::chrono::microseconds{up_to(30'000)});
    site.kill();
    ledger.send_some(up_to(20));
    site.launch();
    // Half of the kills meet it while it starts and catches up.
    if (random() % 2 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds{up_to(150'000)});
    else
      ASSERT_TRUE(site.daemon().wait_for_text("info    ready")) << site.daemon().errors();
  }
  ledger.send_some(10);
  ledger.expect_all();
}

}  // namespace
}  // namespace sluice::test
