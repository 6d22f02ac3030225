// A disk that fills up under load, kills while it is full, and space that comes back. Mounted in
// memory where the machine lets us; else the test fills a limit on the size of each file instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "tests/crash/start_watching.hpp"
#include "tests/integration/ledger.hpp"
#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

/// What makes the daemon's disk small, and large again.
class SmallDisk {
 public:
  explicit SmallDisk(const std::filesystem::path& folder) : folder_{folder} {
    std::filesystem::create_directories(folder_);
    // In a world of our own, which ends with the test however that ends.
    mounted_ = ::unshare(CLONE_NEWNS) == 0 &&
               ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               ::mount("none", folder_.c_str(), "tmpfs", 0, "size=1m") == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  /// Nothing fits any more, for the process if there is one.
  void fill(pid_t process) {
    if (!mounted_) return limit(process, 0);
    const std::string block(4096, 'x');
    std::FILE* file = std::fopen((folder_ / "filler").c_str(), "ab");
    ASSERT_NE(file, nullptr);
    while (std::fwrite(block.data(), 1, block.size(), file) == block.size() &&
           std::fflush(file) == 0) {
    }
    std::fclose(file);
  }
  void free(pid_t process) {
    if (!mounted_) return limit(process, RLIM_INFINITY);
    std::filesystem::remove(folder_ / "filler");
  }

 private:
  static void limit(pid_t process, rlim_t bytes) {
    const rlimit soft{bytes, RLIM_INFINITY};
    ASSERT_EQ(::prlimit(process, RLIMIT_FSIZE, &soft, nullptr), 0);
  }

  std::filesystem::path folder_;
  bool mounted_{};
};

class DiskFull : public testing::Test {
 protected:
  void expect_status_says(bool full) {
    site_.wait_for_status([full](const Datum& status) {
      const bool said = at(status, "conditions").to_text().find("not durable") != std::string::npos;
      return said == full && at(status, "journal", "durable") == Datum{!full};
    });
  }

  MosquittoBroker broker_;
  Site site_{broker_,
             {.other_tables = "[checkpoint]\ninterval = \"100ms\"\n"
                              "[journal]\nsegment_size = \"64KiB\"\n"}};
};

TEST_F(DiskFull, UnderLoadLosesNothingAndIsDurableAgainWhenThereIsSpace) {
  SmallDisk disk{site_.data()};
  Ledger ledger{site_};
  start_watching(site_);
  ledger.send_some(200);
  ledger.wait_for_values();
  disk.fill(site_.daemon().pid());
  ledger.send_some(2000);
  expect_status_says(true);
  ledger.wait_for_values();
  disk.free(site_.daemon().pid());
  ledger.send_some(50);
  site_.wait_for_status(
      [](const Datum& status) { return at(status, "journal", "durable") == Datum{true}; });
  expect_status_says(false);
  ledger.send_some(50);
  ledger.expect_all();
}

TEST_F(DiskFull, WithAKillBehindItGoesOnFromWhatTheDiskHasTakenSince) {
  SmallDisk disk{site_.data()};
  Ledger ledger{site_};
  start_watching(site_);
  ledger.send_some(100);
  ledger.wait_for_values();
  disk.fill(site_.daemon().pid());
  ledger.send_some(2000);
  expect_status_says(true);
  disk.free(site_.daemon().pid());
  ledger.send_some(50);
  expect_status_says(false);
  ledger.wait_for_values();
  // The checkpoint has what was watched in memory: from here on a kill costs nothing again.
  site_.wait_for_status([](const Datum& status) {
    return text_at(status, "checkpoint", "last_error").empty() &&
           number_at(status, "checkpoint", "last_sequence") > 2150;
  });
  site_.kill();
  ledger.send_some(50);
  start_watching(site_);
  ledger.send_some(50);
  ledger.expect_all();
}

TEST_F(DiskFull, AndKilledMeanwhileItStartsAndWatches) {
  SmallDisk disk{site_.data()};
  start_watching(site_);
  site_.send("mill", 1);
  site_.wait_for("value/mean/mill");
  disk.fill(site_.daemon().pid());
  for (int round = 0; round < 3; ++round) {
    site_.kill();
    site_.launch();
    ASSERT_TRUE(site_.daemon().wait_for_text("info    ready")) << site_.daemon().errors();
    disk.fill(site_.daemon().pid());
    const double level = 100 * (round + 1);
    site_.send("mill", level);
    site_.wait_for("alert/jump/mill",
                   [&](const Datum& alert) { return number_at(alert, "value") == level; });
    // An orderly end needs no space either.
    if (round == 1) {
      EXPECT_EQ(site_.stop(SIGTERM), (ExitStatus{.code = 0, .signal = {}}));
    }
  }
  disk.free(site_.daemon().pid());
  site_.send("mill", 1000);
  site_.wait_for("alert/jump/mill",
                 [](const Datum& alert) { return number_at(alert, "value") == 1000; });
  expect_status_says(false);
}

}  // namespace
}  // namespace sluice::test
