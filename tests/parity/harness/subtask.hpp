// Subtask: one operator instance, driven by hand and without a Job: what Flink's operator test
// harness is to Flink. Elements come as JSON; what leaves the operator is recorded.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "pipeline/operators/keying.hpp"
#include "pipeline/operators/operator.hpp"
#include "tests/parity/harness/emulation.hpp"
#include "tests/parity/harness/recorder.hpp"

namespace sluice::parity {

class Subtask {
 public:
  virtual ~Subtask() = default;

  virtual detail::Operator& op() = 0;
  virtual std::size_t inputs() const = 0;
  virtual void element(std::size_t input, const Json& value, OptionalTimestamp timestamp) = 0;
  virtual void watermark(std::size_t input, Timestamp watermark) = 0;
  virtual void idle(std::size_t input, bool idle) = 0;
  /// The hash code of the element's key (KS-08); nothing where that input has no key.
  virtual std::optional<std::int32_t> key_hash(std::size_t input, const Json& value) const = 0;

  Recorder& output() { return output_; }
  std::map<std::string, Recorder>& side_outputs() { return sides_; }
  void record_side(const OutputTag<std::string>& tag) {
    op().side_port(tag).connect(sides_[tag.id()]);
  }
  void emulate(std::unique_ptr<Emulation> emulation) { emulation_ = std::move(emulation); }
  void use_clock(Timestamp& now) {
    if (emulation_) emulation_->use_clock(now);
  }
  /// Entries without a value, which only Flink has.
  std::size_t empty_entries() const { return emulation_ ? emulation_->empty_entries() : 0; }
  /// Flink's checkpoints fail at these.
  bool storable() const { return !emulation_ || emulation_->storable(); }

 private:
  Recorder output_;
  std::map<std::string, Recorder> sides_;
  std::unique_ptr<Emulation> emulation_;
};

/// How an input's JSON becomes elements, and what their key hashes to; `hash` may be empty.
template <class T>
struct Side {
  std::function<T(const Json&)> parse;
  std::function<std::int32_t(const T&)> hash;

  std::optional<std::int32_t> hash_of(const Json& value) const {
    if (!hash) return std::nullopt;
    return hash(parse(value));
  }
};

template <class T, class K>
Side<T> keyed_side(std::function<T(const Json&)> parse, const detail::KeyingFactory<T, K>& keying) {
  std::shared_ptr<detail::Keying<T>> hasher = keying(nullptr);
  return {std::move(parse), [hasher](const T& value) { return hasher->hash_code(value); }};
}

template <class Op, class T>
class OneInputSubtask final : public Subtask {
 public:
  OneInputSubtask(std::unique_ptr<Op> op, Side<T> side)
      : op_{std::move(op)}, side_{std::move(side)} {
    op_->output().connect(output());
  }
  detail::Operator& op() override { return *op_; }
  std::size_t inputs() const override { return 1; }
  void element(std::size_t, const Json& value, OptionalTimestamp timestamp) override {
    op_->element(side_.parse(value), timestamp);
  }
  void watermark(std::size_t, Timestamp watermark) override { op_->watermark(watermark); }
  void idle(std::size_t, bool idle) override { op_->idle(idle); }
  std::optional<std::int32_t> key_hash(std::size_t, const Json& value) const override {
    return side_.hash_of(value);
  }

 private:
  std::unique_ptr<Op> op_;
  Side<T> side_;
};

template <class Op, class A, class B>
class TwoInputSubtask final : public Subtask {
 public:
  TwoInputSubtask(std::unique_ptr<Op> op, Side<A> first, Side<B> second)
      : op_{std::move(op)}, first_{std::move(first)}, second_{std::move(second)} {
    op_->output().connect(output());
  }
  detail::Operator& op() override { return *op_; }
  std::size_t inputs() const override { return 2; }
  void element(std::size_t input, const Json& value, OptionalTimestamp timestamp) override {
    if (input == 0) {
      op_->first().element(first_.parse(value), timestamp);
    } else {
      op_->second().element(second_.parse(value), timestamp);
    }
  }
  void watermark(std::size_t input, Timestamp watermark) override {
    input == 0 ? op_->first().watermark(watermark) : op_->second().watermark(watermark);
  }
  void idle(std::size_t input, bool idle) override {
    input == 0 ? op_->first().idle(idle) : op_->second().idle(idle);
  }
  std::optional<std::int32_t> key_hash(std::size_t input, const Json& value) const override {
    return input == 0 ? first_.hash_of(value) : second_.hash_of(value);
  }

 private:
  std::unique_ptr<Op> op_;
  Side<A> first_;
  Side<B> second_;
};

}  // namespace sluice::parity
