// Ports: how records, watermarks and idleness travel from operator to operator, by plain calls on
// the engine thread (CX-08).
#pragma once

#include <vector>

#include "pipeline/base/time.hpp"

namespace sluice::detail {

/// The receiving end.
template <class T>
class Input {
 public:
  virtual ~Input() = default;
  virtual void element(const T& value, OptionalTimestamp timestamp) = 0;
  virtual void watermark(Timestamp watermark) = 0;
  /// The sender has nothing for the time being and must not hold event time back (WM-09).
  virtual void idle(bool idle) = 0;
  /// Where elements end up, for an input that only hands them on: spares a call for each.
  virtual Input& elements_to() { return *this; }
};

/// The sending end, as far as it does not depend on the type of record.
class Port {
 public:
  virtual ~Port() = default;
  virtual void watermark(Timestamp watermark) = 0;
  virtual void idle(bool idle) = 0;
};

template <class T>
class OutputPort final : public Port {
 public:
  void connect(Input<T>& target) {
    targets_.push_back(&target);
    receivers_.push_back(&target.elements_to());
  }

  void emit(const T& value, OptionalTimestamp timestamp) {
    for (auto* receiver : receivers_) receiver->element(value, timestamp);
  }
  void watermark(Timestamp watermark) override {
    for (auto* target : targets_) target->watermark(watermark);
  }
  void idle(bool idle) override {
    for (auto* target : targets_) target->idle(idle);
  }

 private:
  std::vector<Input<T>*> targets_;    // for watermarks
  std::vector<Input<T>*> receivers_;  // for elements
};

}  // namespace sluice::detail
