// A queue of journal records whose buffers are used again and again. Not thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "storage/journal/record.hpp"

namespace sluice::storage {

class RecordRing {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return bytes_; }
  /// What keeping a record costs, roughly.
  template <class Record>
  static std::size_t bytes_of(const Record& record) {
    return sizeof(JournalRecord) + record.source.size() + record.topic.size() +
           record.payload.size();
  }

  void push(const JournalRecordView& record) {
    if (size_ == slots_.size()) grow();
    slots_[(head_ + size_) % slots_.size()].assign(record);
    ++size_;
    bytes_ += bytes_of(record);
  }

  const JournalRecord& front() const { return slots_[head_]; }

  /// Swaps the front with `record`, whose buffers serve a later push.
  void pop(JournalRecord& record) {
    JournalRecord& slot = slots_[head_];
    std::swap(slot, record);
    bytes_ -= bytes_of(record);
    if (slot.payload.capacity() > kKeepCapacity) std::string{}.swap(slot.payload);
    head_ = (head_ + 1) % slots_.size();
    --size_;
  }

 private:
  static constexpr std::size_t kKeepCapacity = 4096;  ///< one large payload must not stay for ever

  void grow() {
    std::vector<JournalRecord> larger(slots_.empty() ? 64 : slots_.size() * 2);
    for (std::size_t n = 0; n < size_; ++n) {
      std::swap(larger[n], slots_[(head_ + n) % slots_.size()]);
    }
    slots_.swap(larger);
    head_ = 0;
  }

  std::vector<JournalRecord> slots_;
  std::size_t head_{};
  std::size_t size_{};
  std::size_t bytes_{};
};

}  // namespace sluice::storage
