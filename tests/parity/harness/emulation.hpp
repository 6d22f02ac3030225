// Emulation: what Flink does where our answer is another one by choice.
//
// A probe's operation that is answered otherwise here says so: its record keeps our answer, and has
// Flink's beside it under "by_choice", with the statement. Then the probe does through public calls
// what Flink's call leaves behind, so that every later answer can be compared as it stands. Entries
// without any value, which only Flink has, are counted here.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "pipeline/operators/operator.hpp"
#include "pipeline/state/typed_key_space.hpp"
#include "tests/parity/harness/by_choice.hpp"
#include "tests/parity/harness/values.hpp"

namespace sluice::parity {

class Emulation {
 public:
  /// Of probes: their keys are texts. `op` outlives this.
  void attach(detail::Operator& op) { op_ = &op; }
  /// The clock that `op` is driven by.
  void use_clock(Timestamp& now) { now_ = &now; }
  detail::Operator& op() const { return *op_; }

  // --- for the operation at hand ---
  /// `theirs` is {"r": …} or {"err": …}; null where only what is left behind differs. Throws
  /// std::logic_error if the table of choices does not have it.
  void differs(const std::string& statement, const std::string& op, Json theirs = {});
  /// What goes into its record: {"statement", "why", "flink"}; null if nothing differs.
  Json take();
  /// What an operation answers with `key` as the current one, where there is none.
  template <class F>
  Json as_with_key(const std::string& key, F&& operation);

  /// Runs `write` at an earlier time: what it writes is as old as that.
  template <class F>
  void write_at(Timestamp then, F&& write);

  // --- what there is of the current key ---
  detail::StateColumn& column(const std::string& state) const;
  bool present(const std::string& state) const;

  // --- entries without a value ---
  /// `storable`: checkpoints leave it out, and do not fail at it.
  void leave_empty_entry(const std::string& state, bool storable = false) {
    empty_[place(state)] = storable;
  }
  void drop_empty_entry(const std::string& state) { empty_.erase(place(state)); }
  std::size_t empty_entries() const { return empty_.size(); }
  bool storable() const {
    return std::all_of(empty_.begin(), empty_.end(), [](const auto& each) { return each.second; });
  }

 private:
  std::pair<std::string, std::string> place(const std::string& state) const;

  detail::Operator* op_{};
  Timestamp* now_{};
  Json pending_;
  std::map<std::pair<std::string, std::string>, bool> empty_;
};

template <class F>
Json Emulation::as_with_key(const std::string& key, F&& operation) {
  struct Selected {
    detail::KeySpace& keys;
    ~Selected() { keys.set_current(detail::kNoKey); }
  } const selected{*op_->keys()};
  static_cast<detail::TypedKeySpace<std::string>&>(selected.keys).select(key);
  Json answer = Json::object();
  try {
    answer["r"] = operation();
  } catch (const std::exception& e) {
    answer["err"] = e.what();
  }
  const Json inner = take();
  return inner.is_null() || inner["flink"].is_null() ? answer : inner["flink"];
}

template <class F>
void Emulation::write_at(Timestamp then, F&& write) {
  const Timestamp now = std::exchange(*now_, then);
  write();
  *now_ = now;
}

/// The size of a java.util.HashMap's table, which goes by how the map was filled.
class JavaTable {
 public:
  std::size_t buckets() const { return buckets_; }
  /// Entries came one by one, and there are `size` now.
  void hold(std::size_t size);
  /// putAll() of `given` entries made it `size`.
  void put_all(std::size_t given, std::size_t size);

 private:
  std::size_t buckets_{0};  ///< none before the first entry; they stay when entries go
};

/// The keys in the order in which java.util.HashMap has them; keys of one bucket as they come.
std::vector<NullableText> java_hash_order(std::vector<NullableText> keys, JavaTable table = {});

}  // namespace sluice::parity
