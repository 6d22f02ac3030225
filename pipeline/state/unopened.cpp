#include "pipeline/state/unopened.hpp"

#include "pipeline/base/errors.hpp"

namespace sluice::detail {

namespace {

class UnopenedKeys final : public KeySpace {
 public:
  Datum encode(KeyIndex) const override { unopened_handle(); }
  std::string schema() const override { return {}; }
  KeyIndex intern(const Datum&) override { unopened_handle(); }
  void prefetch(KeyIndex) const override {}
  std::uint32_t rank(KeyIndex) const override { unopened_handle(); }
  std::int32_t hash_code(KeyIndex) const override { unopened_handle(); }

 private:
  void no_key_set() const override { unopened_handle(); }
  std::uint32_t& uses_of(KeyIndex) override { unopened_handle(); }
  bool& waits(KeyIndex) override { unopened_handle(); }
  void forget(KeyIndex) override {}
};

}  // namespace

void unopened_handle() {
  throw IllegalState{
      "a state handle was used that no runtime context gave: get it in open(), and see that "
      "open() did not fail before (KS-11)"};
}

KeySpace& unopened_keys() {
  static UnopenedKeys keys;
  return keys;
}

const TtlPolicy& unopened_ttl() {
  static const Timestamp kNever{0};
  static const TtlPolicy kPolicy{TtlConfig{.update = TtlConfig::Update::kDisabled}, &kNever};
  return kPolicy;
}

}  // namespace sluice::detail
