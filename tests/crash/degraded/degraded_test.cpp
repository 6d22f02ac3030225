// Faults of disk, database and broker, one after the other: each is said in status, log and alert,
// readings are watched meanwhile, and it is over by itself when its cause is gone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <filesystem>

#include "storage/sqlite/database.hpp"
#include "tests/crash/start_watching.hpp"
#include "tests/integration/database.hpp"
#include "tests/integration/ledger.hpp"
#include "tests/integration/site.hpp"

namespace sluice::test {
namespace {

using testing::HasSubstr;

constexpr const char* kOftenSaved = "[checkpoint]\ninterval = \"100ms\"\n";

class Degraded : public testing::Test {
 protected:
  std::filesystem::path database() const { return site_.data() / "sluice.db"; }
  std::map<std::string, std::string> faulty() const {
    return {{"LD_PRELOAD", SLUICE_FAULTY_SYSTEM}, {"SLUICE_FAULTS", faults().string()}};
  }
  std::filesystem::path faults() const { return site_.folder() / "faults"; }
  void fail(const std::string& what) {
    std::filesystem::rename(site_.folder().write("faults.new", what), faults());
  }
  void heal() { std::filesystem::remove(faults()); }

  /// Status and log tell of it, and the alert.
  void expect_told(const std::string& code, const std::string& what) {
    const Told alert = site_.wait_for("alert/sluice/" + code, [&](const Datum& document) {
      return text_at(document, "state") == "active";
    });
    EXPECT_THAT(text_at(alert.document, "text"), HasSubstr(what));
    site_.wait_for_status([&](const Datum& status) {
      return at(status, "condition_codes").to_text().find(code) != std::string::npos &&
             at(status, "conditions").to_text().find(what) != std::string::npos;
    });
    EXPECT_THAT(site_.daemon().errors(), HasSubstr(what));
  }
  void expect_over(const std::string& code) {
    site_.wait_for("alert/sluice/" + code,
                   [](const Datum& document) { return text_at(document, "state") == "cleared"; });
    site_.wait_for_status([](const Datum& status) { return at(status, "healthy") == Datum{true}; });
    EXPECT_THAT(site_.daemon().errors(), HasSubstr("condition=" + code));
  }
  void wait_for_checkpoint() {
    const auto before = number_at(site_.wait_for_status([](const Datum&) { return true; }),
                                  "checkpoint", "written");
    ledger_.send_some(1);
    site_.wait_for_status(
        [&](const Datum& status) { return number_at(status, "checkpoint", "written") > before; });
  }

  MosquittoBroker broker_;
  Site site_{broker_, {.other_tables = kOftenSaved}};
  Ledger ledger_{site_};
};

TEST_F(Degraded, WithADiskThatRefusesToWriteItIsWatchedInMemory) {
  start_watching(site_, faulty());
  ledger_.send_some(50);
  ledger_.wait_for_values();
  fail("write,sync " + std::to_string(EROFS) + " /data/");
  ledger_.send_some(50);
  ledger_.wait_for_values();
  expect_told("journal", "not durable: write");
  expect_told("checkpoint", "no checkpoint: database");
  heal();  // and nothing comes in
  expect_over("journal");
  expect_over("checkpoint");
  ledger_.send_some(50);
  ledger_.expect_all();
}

TEST_F(Degraded, WithADiskThatDoesNotSyncAlertsGoOutAllTheSame) {
  start_watching(site_, faulty());
  fail("sync " + std::to_string(EIO) + " /data/journal");
  ledger_.send_some(100);
  ledger_.expect_all();
  expect_told("journal", "not durable: sync");
  ledger_.send_some(50);  // the disk takes these, which is no reason to call it well
  ledger_.wait_for_values();
  expect_told("journal", "not durable: sync");
  heal();
  expect_over("journal");
}

TEST_F(Degraded, WithoutADatabaseAtTheStartItWatchesAndTakesItUpWhenItIsThere) {
  start_watching(site_, faulty());
  ledger_.send_some(50);
  ledger_.wait_for_values();
  wait_for_checkpoint();
  site_.kill();
  fail("read,write,sync " + std::to_string(EIO) + " /sluice.db");
  site_.launch(faulty());
  ASSERT_TRUE(site_.daemon().wait_for_text("watching without it until it can"));
  ASSERT_TRUE(site_.daemon().wait_for_text("info    ready"));
  site_.send("lone", 1000);
  site_.wait_for("alert/flood/lone");
  expect_told("checkpoint", "no checkpoint: database");
  heal();
  ASSERT_TRUE(site_.daemon().wait_for_text("starting anew from it and the journal"));
  expect_over("checkpoint");
  ledger_.send_some(50);
  ledger_.wait_for_values();  // all that were there before, and all since
}

TEST_F(Degraded, WithADatabaseThatIsLockedAtTheStartItGoesOnFromTheCopyAndTheJournal) {
  start_watching(site_);
  ledger_.send_some(50);
  ledger_.wait_for_values();
  wait_for_checkpoint();
  site_.kill();
  {
    auto other = storage::Database::open(database().string(), {});
    ASSERT_TRUE(other);
    ASSERT_TRUE(
        other->execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; "
                       "UPDATE checkpoint SET taken_at = taken_at"));
    site_.launch();
    ASSERT_TRUE(site_.daemon().wait_for_text("info    ready"));
    ledger_.send_some(50);
    ledger_.wait_for_values();
    expect_told("checkpoint", "another program holds it");
    ASSERT_TRUE(other->execute("ROLLBACK"));
  }
  ASSERT_TRUE(site_.daemon().wait_for_text("starting anew from it and the journal"));
  expect_over("checkpoint");
  ledger_.send_some(50);
  ledger_.expect_all();
}

TEST_F(Degraded, WithADatabaseThatIsLockedMeanwhileTheJournalHasAll) {
  start_watching(site_);
  auto other = storage::Database::open(database().string(), {});
  ASSERT_TRUE(other && other->execute("BEGIN IMMEDIATE"));
  ledger_.send_some(50);
  expect_told("checkpoint", "another program holds it");
  ASSERT_TRUE(other->execute("ROLLBACK"));
  expect_over("checkpoint");
  ledger_.send_some(50);
  ledger_.expect_all();
}

TEST_F(Degraded, WithADatabaseThatIsWrittenOverMeanwhileItIsWrittenAnew) {
  start_watching(site_);
  ledger_.send_some(50);
  ledger_.wait_for_values();
  wait_for_checkpoint();
  {
    // What is in the log only is safe from this; so first into the file with it.
    auto other = storage::Database::open(database().string(), {});
    ASSERT_TRUE(other && other->execute("PRAGMA wal_checkpoint(TRUNCATE)"));
  }
  site_.folder().write("data/sluice.db", std::string(20'000, 'x'));
  ledger_.send_some(50);
  expect_told("database", "was damaged");
  EXPECT_GE(files_starting(site_.data(), "sluice.db.damaged-").size(), 1U);
  site_.kill();
  start_watching(site_);
  ledger_.send_some(50);
  ledger_.expect_all();
  expect_over("database");
}

TEST_F(Degraded, WithADatabaseThatIsRemovedMeanwhileItIsWrittenAnew) {
  start_watching(site_);
  ledger_.send_some(50);
  ledger_.wait_for_values();
  for (const char* suffix : {"", "-wal", "-shm"}) {
    std::filesystem::remove(database().string() + suffix);
  }
  ledger_.send_some(50);
  expect_told("database", "was removed");
  EXPECT_TRUE(std::filesystem::exists(database()));
  expect_over("database");
  site_.kill();
  std::filesystem::remove(database().string() + ".previous");  // the new one is whole
  start_watching(site_);
  ledger_.send_some(50);
  ledger_.expect_all();
}

TEST_F(Degraded, WithAJournalThatIsRemovedMeanwhileItBeginsAnotherAndLosesNothing) {
  start_watching(site_);
  ledger_.send_some(50);
  ledger_.wait_for_values();
  std::filesystem::remove_all(site_.data() / "journal");
  expect_told("journal-files", "were removed, moved or replaced while sluice was using them");
  EXPECT_FALSE(files_starting(site_.data() / "journal", "0000").empty());
  expect_over("journal-files");
  ledger_.send_some(50);
  ledger_.wait_for_values();
  site_.kill();
  start_watching(site_);
  ledger_.send_some(50);
  ledger_.expect_all();
}

TEST_F(Degraded, WithAllItsFilesRemovedMeanwhileItMakesThemAnewBeforeTheNextCheckpointIsDue) {
  Site site{broker_};
  Ledger ledger{site};
  start_watching(site);
  ledger.send_some(50);
  ledger.wait_for_values();
  std::filesystem::remove_all(site.data());  // and nothing comes in
  site.wait_for("alert/sluice/journal-files");
  site.wait_for("alert/sluice/database");
  EXPECT_THAT(site.daemon().errors(), HasSubstr("sluice.db was removed"));
  site.wait_for_status([](const Datum& status) {
    return number_at(status, "checkpoint", "rebuilt") == 1 &&
           at(status, "journal", "durable") == Datum{true};
  });
  site.kill();
  start_watching(site);
  ledger.send_some(50);
  ledger.expect_all();
}

TEST_F(Degraded, WhenCheckpointsFailForLongTheJournalIsBoundedAndSaysSoBefore) {
  Site site{broker_,
            {.other_tables = "[checkpoint]\ninterval = \"100ms\"\n"
                             "[journal]\nsegment_size = \"64KiB\"\nmax_size = \"1MiB\"\n"}};
  start_watching(site);
  auto other = storage::Database::open((site.data() / "sluice.db").string(), {});
  ASSERT_TRUE(other && other->execute("BEGIN IMMEDIATE"));
  const std::string fill(20'000, 'x');
  const auto codes = [](const Datum& status) { return at(status, "condition_codes").to_text(); };
  for (int n = 0; n < 42; ++n)
    site.send_raw(R"({"sensor":"big","level":5,"fill":")" + fill + "\"}");
  site.wait_for_status([&](const Datum& status) {
    return codes(status).find("journal-size") != std::string::npos &&
           at(status, "journal", "durable") == Datum{true};
  });
  for (int n = 0; n < 20; ++n)
    site.send_raw(R"({"sensor":"big","level":5,"fill":")" + fill + "\"}");
  const Datum status = site.wait_for_status(
      [](const Datum& all) { return at(all, "journal", "durable") == Datum{false}; });
  EXPECT_THAT(at(status, "conditions").to_text(), HasSubstr("journal.max_size"));
  EXPECT_LE(number_at(status, "journal", "bytes"), 1 << 20);
  site.send("mill", 1000);
  site.wait_for("alert/flood/mill");
  ASSERT_TRUE(other->execute("ROLLBACK"));
  site.wait_for_status([](const Datum& all) {
    return at(all, "journal", "durable") == Datum{true} && at(all, "healthy") == Datum{true};
  });
}

/// With no name service the broker at "localhost" is not found.
TEST(DegradedBroker, WhoseNameCannotBeLookedUpIsTriedUntilItCan) {
  MosquittoBroker broker;
  Site site{
      broker,
      {.server = "mqtt://localhost:" + std::to_string(broker.port()), .other_tables = kOftenSaved}};
  const auto faults = site.folder().write("faults", "dns 1");
  site.probe();
  site.launch({{"LD_PRELOAD", SLUICE_FAULTY_SYSTEM}, {"SLUICE_FAULTS", faults.string()}});
  ASSERT_TRUE(site.daemon().wait_for_text("host name localhost cannot be looked up"));
  ASSERT_TRUE(site.daemon().wait_for_text("condition=receiving"));
  std::filesystem::remove(faults);
  const Told over = site.wait_for("alert/sluice/receiving", [](const Datum& document) {
    return text_at(document, "state") == "cleared";
  });
  EXPECT_THAT(text_at(over.document, "text"), HasSubstr("check 'servers' and the name service"));
  site.send("mill", 1000);
  site.wait_for("alert/flood/mill");
}

TEST(DegradedBroker, WhoseCertificateHasExpiredIsTriedUntilItHasANewOne) {
  const std::string tls = std::string{SLUICE_SOURCE_DIR} + "/tests/unit/mqtt/tls/";
  TempDir certificates;
  const auto install = [&](const std::string& name) {
    for (const char* kind : {".crt", ".key"}) {
      certificates.write(std::string{"broker"} + kind, read_file(tls + name + kind));
    }
  };
  install("expired");
  const std::string here = certificates.path().string();
  const std::uint16_t port = free_port();
  BrokerSetup setup;
  setup.global_lines = "listener " + std::to_string(port) + " 127.0.0.1\ncafile " + tls +
                       "ca.crt\ncertfile " + here + "/broker.crt\nkeyfile " + here +
                       "/broker.key\n";
  MosquittoBroker broker{setup};
  Site site{broker,
            {.mqtt_lines = "tls_ca = \"" + tls + "ca.crt\"\n",
             .server = "mqtts://localhost:" + std::to_string(port)}};
  site.probe();
  site.launch();
  ASSERT_TRUE(site.daemon().wait_for_text("has expired: it was good until 2020-01-31"))
      << site.daemon().errors();
  ASSERT_TRUE(site.daemon().wait_for_text("condition=receiving"));
  EXPECT_THAT(site.daemon().errors(), HasSubstr("renew it at the broker"));
  install("localhost");
  broker.restart();
  site.reconnect_probe();
  const Told over = site.wait_for("alert/sluice/receiving", [](const Datum& document) {
    return text_at(document, "state") == "cleared";
  });
  EXPECT_THAT(text_at(over.document, "text"), HasSubstr("over: not receiving"));
}

}  // namespace
}  // namespace sluice::test
