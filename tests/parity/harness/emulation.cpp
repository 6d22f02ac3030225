#include "tests/parity/harness/emulation.hpp"

#include <algorithm>

#include "pipeline/state/key_hash.hpp"

namespace sluice::parity {

void Emulation::differs(const std::string& statement, const std::string& op, Json theirs) {
  const ByChoice& row = choice(statement, op);
  pending_ = {{"statement", row.statement}, {"why", row.why}, {"flink", std::move(theirs)}};
}

Json Emulation::take() { return std::exchange(pending_, Json{}); }

detail::StateColumn& Emulation::column(const std::string& state) const {
  return *op_->keyed()->find(state);
}

bool Emulation::present(const std::string& state) const {
  return column(state).present(op_->keys()->current());
}

std::pair<std::string, std::string> Emulation::place(const std::string& state) const {
  return {state, op_->keys()->encode(op_->keys()->current()).to_text()};
}

void JavaTable::put_all(std::size_t given, std::size_t size) {
  if (given == 0) return;
  if (buckets_ == 0) {
    buckets_ = 1;  // just large enough for them
    while (buckets_ < given * 4 / 3 + 1) buckets_ *= 2;
  }
  hold(given);
  hold(size);
}

void JavaTable::hold(std::size_t size) {
  if (size == 0) return;
  if (buckets_ == 0) buckets_ = 16;
  while (size * 4 > buckets_ * 3) buckets_ *= 2;
}

std::vector<NullableText> java_hash_order(std::vector<NullableText> keys, JavaTable table) {
  table.hold(keys.size());
  const auto bucket = [&table](const NullableText& key) {
    const auto hash = key ? static_cast<std::uint32_t>(detail::java_string_hash(*key)) : 0U;
    return (hash ^ (hash >> 16)) & (table.buckets() - 1);
  };
  std::stable_sort(keys.begin(), keys.end(), [&](const NullableText& a, const NullableText& b) {
    return bucket(a) < bucket(b);
  });
  return keys;
}

}  // namespace sluice::parity
