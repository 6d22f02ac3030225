#include "tests/crash/storage_faults/trial.hpp"

#include <filesystem>
#include <stdexcept>

#include "storage/checkpoint_store.hpp"
#include "tests/crash/storage_faults/site_model.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/temp_dir.hpp"

namespace sluice::crash {
namespace {

using storage::CheckpointStore;
using storage::OpenedStore;

class Trial {
 public:
  explicit Trial(const TrialSetup& setup)
      : setup_{setup}, path_{(folder_ / "sluice.db").string()} {}

  TrialResult run() {
    vfs_.forget();
    prepare();
    vfs_.arm(setup_.fault, setup_.nth, setup_.lasting);
    live();
    TrialResult result;
    result.fired = vfs_.disarm();
    if (setup_.fault == test::Fault::kPowerCut) {
      vfs_.power_on(folder_.path(), setup_.unsynced, setup_.seed);
    }
    result.violation = judge();
    return result;
  }

 private:
  void prepare() {
    if (setup_.before == Before::kNothing) return;
    const test::TempDir elsewhere;
    const std::string original = (elsewhere / "sluice.db").string();
    auto opened = CheckpointStore::open(original, log_);
    if (!opened) throw std::runtime_error{opened.error().message()};
    for (int n = 0; n < 4; ++n) {
      write_next(*opened->store);
      // Before the newest: to fall back to the copy must show.
      if (n == 1 && !opened->store->keep_copy()) throw std::runtime_error{"no copy"};
    }
    // As after kill -9: with a log that nobody has put into the database.
    for (const auto& entry : std::filesystem::directory_iterator{elsewhere.path()}) {
      if (entry.path().extension() == ".db-shm") continue;
      std::filesystem::copy_file(entry.path(), folder_.path() / entry.path().filename());
    }
    opened->store.reset();
    if (confirmed_ != 4) throw std::runtime_error{"checkpoints failed before the fault"};
    vfs_.forget();
  }

  /// Two lives of a daemon, as far as its store is concerned.
  void live() {
    for (int start = 0; start < 2; ++start) {
      auto opened = CheckpointStore::open(path_, log_);
      if (!opened) continue;  // a service manager would start it again
      auto loaded = opened->store->load();
      if (!loaded) continue;
      look(*loaded, "during the fault");
      // What was lost by a start without state is for the judge.
      pending_ = {};
      number_ = loaded->meta.journal_sequence;
      for (int n = 0; n < 3; ++n) {
        write_next(*opened->store);
        if (n == 1 && !opened->store->keep_copy()) continue;  // it is tried again an hour later
      }
    }
  }

  void write_next(CheckpointStore& store) {
    ++number_;
    pending_.append(model_delta(number_));
    if (!store.write(model_meta(number_), pending_, model_outbox(number_))) return;
    pending_ = {};
    confirmed_ = number_;
  }

  void look(const storage::LoadedCheckpoint& loaded, const std::string& when) {
    if (const auto wrong = difference_from_model(loaded); !wrong.empty()) note(when + ": " + wrong);
    const std::uint64_t there = loaded.meta.journal_sequence;
    if (there < confirmed_) {
      note(when + ": checkpoint " + std::to_string(confirmed_) + " was confirmed, " +
           std::to_string(there) + " is there");
    }
  }

  std::string judge() {
    auto opened = CheckpointStore::open(path_, log_);
    if (!opened) return "does not open: " + opened.error().message();
    auto loaded = opened->store->load();
    if (!loaded) return "does not load: " + loaded.error().message();
    look(*loaded, "afterwards");
    if (!violation_.empty() && !opened->notice.empty()) violation_ += "; " + opened->notice;
    number_ = loaded->meta.journal_sequence;
    pending_ = {};
    confirmed_ = 0;
    write_next(*opened->store);
    if (confirmed_ != number_) note("cannot be written any more");
    return violation_;
  }

  void note(const std::string& what) {
    if (violation_.empty()) violation_ = what;
  }

  const TrialSetup setup_;
  test::FaultVfs& vfs_{test::FaultVfs::instance()};
  test::TempDir folder_;
  std::string path_;
  test::QuietLog log_;
  std::uint64_t number_{};
  std::uint64_t confirmed_{};
  storage::CheckpointDelta pending_;
  std::string violation_;
};

}  // namespace

TrialResult run_trial(const TrialSetup& setup) { return Trial{setup}.run(); }

}  // namespace sluice::crash
