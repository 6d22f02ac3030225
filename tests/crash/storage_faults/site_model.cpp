#include "tests/crash/storage_faults/site_model.hpp"

#include <algorithm>

namespace sluice::crash {
namespace {

constexpr std::uint64_t kKeys = 60;
constexpr std::uint64_t kChangedEach = 20;
constexpr std::uint64_t kWaiting = 5;

OperatorInfo operator_info() { return {"mean", 0, 1, 128}; }
StateInfo state_info() { return {"levels", StateKind::kValue, "text", "text", false}; }
std::string key_of(std::uint64_t n) { return "sensor-" + std::to_string(n); }

/// Long, so that the rows fill several pages; each key changes with every third checkpoint.
std::string value_of(std::uint64_t key, std::uint64_t number) {
  return "as of " + std::to_string(number) + std::string(100 + key, '.');
}

bool changes(std::uint64_t key, std::uint64_t number) {
  return key % (kKeys / kChangedEach) == number % (kKeys / kChangedEach);
}

/// The newest checkpoint up to `number` that changed this key; 0 if none did.
std::uint64_t last_change(std::uint64_t key, std::uint64_t number) {
  while (number > 0 && !changes(key, number)) --number;
  return number;
}

}  // namespace

storage::CheckpointMeta model_meta(std::uint64_t number) {
  return {number, static_cast<Timestamp>(1000 * number), Datum{"extras " + std::to_string(number)}};
}

storage::CheckpointDelta model_delta(std::uint64_t number) {
  storage::CheckpointDelta delta;
  delta.begin_operator(operator_info());
  delta.begin_state(state_info(), false);
  for (std::uint64_t key = 0; key < kKeys; ++key) {
    if (changes(key, number)) delta.put(Datum{key_of(key)}, Datum{value_of(key, number)});
  }
  // One row that comes and goes.
  if (number % 2 == 0) {
    delta.erase(Datum{"sometimes"});
  } else {
    delta.put(Datum{"sometimes"}, Datum{static_cast<std::int64_t>(number)});
  }
  return delta;
}

std::vector<Publication> model_outbox(std::uint64_t number) {
  std::vector<Publication> outbox;
  for (std::uint64_t n = number; n < number + kWaiting; ++n) {
    outbox.push_back({{n, 1},
                      Urgency::kAlert,
                      "alert/" + std::to_string(n),
                      "alert " + std::to_string(n) + std::string(1500, '!'),
                      1,
                      false});
  }
  return outbox;
}

std::string difference_from_model(const storage::LoadedCheckpoint& loaded) {
  if (!loaded.exists) {
    return loaded.job.operators.empty() && loaded.outbox.empty() ? "" : "rows without a checkpoint";
  }
  const std::uint64_t number = loaded.meta.journal_sequence;
  const storage::CheckpointMeta meta = model_meta(number);
  if (loaded.meta.taken_at != meta.taken_at || loaded.meta.extras != meta.extras) {
    return "the checkpoint's own row is mixed";
  }
  if (loaded.outbox != model_outbox(number)) return "the outbox is of another checkpoint";
  if (loaded.job.operators.size() != 1 || loaded.job.operators.front().states.size() != 1) {
    return "operators or states are missing";
  }
  std::vector<std::pair<Datum, Datum>> wanted;
  for (std::uint64_t key = 0; key < kKeys; ++key) {
    const std::uint64_t from = last_change(key, number);
    if (from != 0) wanted.emplace_back(key_of(key), value_of(key, from));
  }
  if (number % 2 == 1) wanted.emplace_back("sometimes", static_cast<std::int64_t>(number));
  const auto& rows = loaded.job.operators.front().states.front().rows;
  return rows.size() == wanted.size() &&
                 std::is_permutation(rows.begin(), rows.end(), wanted.begin())
             ? ""
             : "the rows are not those of checkpoint " + std::to_string(number);
}

}  // namespace sluice::crash
