// Keying: makes an element's key the current one, whatever the type of key.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "pipeline/state/typed_key_space.hpp"

namespace sluice::detail {

template <class In>
class Keying {
 public:
  virtual ~Keying() = default;
  virtual void select(const In& value) = 0;
  /// The key's hash code, to choose an instance by (KS-08).
  virtual std::int32_t hash_code(const In& value) const = 0;
};

/// `Projection` is anything std::invoke takes: a pointer to member, a function, a lambda. One that
/// gives a reference costs no copy of the key.
template <class In, KeyType K, class Projection>
class TypedKeying final : public Keying<In> {
 public:
  TypedKeying(TypedKeySpace<K>* keys, Projection projection)
      : keys_{keys}, projection_{std::move(projection)} {}
  void select(const In& value) override { keys_->select(std::invoke(projection_, value)); }
  std::int32_t hash_code(const In& value) const override {
    const K& key = std::invoke(projection_, value);
    if (is_null(key)) throw InvalidArgument{"a key must not be null (KS-07)"};
    return key_hash_code(key);
  }

 private:
  TypedKeySpace<K>* keys_;
  Projection projection_;
};

/// Makes a Keying over a key space; kept by keyed streams until operators are built. With no key
/// space the result can only hash.
template <class In, class K>
using KeyingFactory = std::function<std::unique_ptr<Keying<In>>(TypedKeySpace<K>*)>;

}  // namespace sluice::detail
