// SlotColumn<T>: the storage of a column: a slot for each key, with room for a T, its flags, and a
// write stamp for states with TTL.
#pragma once

#include <map>
#include <new>
#include <utility>

#include "pipeline/state/codec.hpp"
#include "pipeline/state/column.hpp"
#include "pipeline/state/paged_array.hpp"

namespace sluice::detail {

template <class T>
class SlotColumn : public StateColumn {
 protected:
  /// Raw room for a T: a default-constructed T for every key would be waste, and may not exist.
  struct Slot {
    union {
      T value;
    };
    // The stamp is in its upper 48 bits, good for 4,000 years either way: so a slot is no larger,
    // and a read soon after a write finds both in one word. A stamp that is further off is kept
    // aside, and kFarStamp stands here.
    Flags flags{0};
    Slot() {}   // NOLINT(modernize-use-equals-default): a union member needs it
    ~Slot() {}  // NOLINT(modernize-use-equals-default): the column destroys present values
  };

 public:
  using StateColumn::StateColumn;
  ~SlotColumn() override {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if ((slots_[i].flags & kPresent) != 0) slots_[i].value.~T();
    }
  }

  void grow(std::size_t slots) override { slots_.grow(slots); }
  void prefetch(KeyIndex index) const override { slots_.prefetch(index); }

  void drop(KeyIndex index) override {
    Slot& slot = slots_[index];
    if ((slot.flags & kPresent) == 0) return;
    slot.value.~T();
    now_absent(index, slot.flags);
  }

  /// Where a key's entry is, or would be; stays there as long as the column.
  class Place {
   public:
    Place() = default;  ///< of no key: only to be assigned to
    /// The entry, or nullptr. No TTL rule is applied.
    const T* get() const { return (slot_->flags & kPresent) != 0 ? &slot_->value : nullptr; }

   private:
    friend class SlotColumn;
    explicit Place(const Slot& slot) : slot_{&slot} {}
    const Slot* slot_{};
  };
  Place place(KeyIndex index) const { return Place{slots_[index]}; }

 protected:
  /// For kinds that look at it more than once; stays where it is.
  Slot& slot(KeyIndex index) { return slots_[index]; }
  /// The entry, or nullptr. No TTL rule is applied.
  T* find(KeyIndex index) {
    Slot& slot = slots_[index];
    return (slot.flags & kPresent) != 0 ? &slot.value : nullptr;
  }
  const T* find(KeyIndex index) const {
    const Slot& slot = slots_[index];
    return (slot.flags & kPresent) != 0 ? &slot.value : nullptr;
  }

  void store(KeyIndex index, T value) {
    Slot& slot = slots_[index];
    if ((slot.flags & kPresent) != 0) {
      slot.value = std::move(value);
    } else {
      ::new (static_cast<void*>(&slot.value)) T(std::move(value));
      now_present(index, slot.flags);
    }
    if (ttl().enabled()) put_stamp(index, slot, ttl().now());
    mark_changed(index, slot.flags);
  }
  /// After a change made through find().
  void touch(KeyIndex index) { mark_changed(index, slots_[index].flags); }
  /// A restored entry: present, but nothing new.
  T& put_back(KeyIndex index, T value) {
    Slot& slot = slots_[index];
    ::new (static_cast<void*>(&slot.value)) T(std::move(value));
    now_present(index, slot.flags);
    return slot.value;
  }

  Timestamp stamp(KeyIndex index) const {
    const Timestamp kept = static_cast<Timestamp>(slots_[index].flags) >> kFlagBits;
    return kept != kFarStamp ? kept : far_stamp(index);
  }
  void set_stamp(KeyIndex index, Timestamp stamp) { put_stamp(index, slots_[index], stamp); }
  void put_stamp(KeyIndex index, Slot& slot, Timestamp stamp) {
    note_stamp(stamp);
    const bool near = stamp > kFarStamp && stamp < -kFarStamp;
    const Timestamp kept = near ? stamp : put_aside(index, stamp);
    slot.flags = (static_cast<Flags>(kept) << kFlagBits) | (slot.flags & kOnlyFlags);
  }

  Flags flags(KeyIndex index) const final { return slots_[index].flags; }
  Flags& flags(KeyIndex index) final { return slots_[index].flags; }

 private:
  static constexpr int kFlagBits = 16;
  static constexpr Flags kOnlyFlags = (Flags{1} << kFlagBits) - 1;
  static constexpr Timestamp kFarStamp = -(Timestamp{1} << 47);

  [[gnu::noinline]] Timestamp far_stamp(KeyIndex index) const { return far_stamps_.at(index); }
  [[gnu::noinline]] Timestamp put_aside(KeyIndex index, Timestamp stamp) {
    far_stamps_.insert_or_assign(index, stamp);
    return kFarStamp;
  }

  PagedArray<Slot> slots_;
  std::map<KeyIndex, Timestamp> far_stamps_;  ///< also of slots that have a near one by now
};

/// A SlotColumn whose entry lives and expires as one (value, reducing, aggregating): TTL-02.
/// On disk an entry with TTL is {"value": …, "written": ms}.
template <Storable T>
class SingleColumn : public SlotColumn<T> {
 public:
  using SlotColumn<T>::SlotColumn;
  using SlotColumn<T>::ttl;

 protected:
  void renew(KeyIndex index) {
    this->set_stamp(index, ttl().now());
    this->touch(index);
  }
  /// The entry as a read may see it, after TTL-05/06/07: expired ones are removed on the way.
  std::optional<T> read(KeyIndex index) {
    T* value = this->find(index);
    if (value == nullptr) return std::nullopt;
    if (ttl().enabled()) return read_with_ttl(index, *value);
    return *value;
  }
  /// The entry to build upon in add(), or nullptr if it starts from nothing (TTL-09).
  T* find_to_build_upon(KeyIndex index) {
    T* value = this->find(index);
    if (value != nullptr && ttl().enabled() && ttl().expired(this->stamp(index)) &&
        !ttl().returns_expired()) {
      return nullptr;
    }
    return value;
  }

  Datum encode(KeyIndex index) const override {
    Datum value = Codec<T>::encode(*this->find(index));
    if (!ttl().enabled()) return value;
    return Datum::Struct{{"value", std::move(value)}, {"written", Datum{this->stamp(index)}}};
  }
  Datum encode_alive(KeyIndex index) const override {
    return ttl().expired(this->stamp(index)) ? Datum{} : encode(index);
  }
  void decode(KeyIndex index, const Datum& datum) override {
    if (!ttl().enabled()) {
      this->put_back(index, Codec<T>::decode(datum));
      return;
    }
    const Datum* value = datum.member("value");
    const Datum* written = datum.member("written");
    if (value == nullptr || written == nullptr) bad_datum("a value with its write time", datum);
    this->put_back(index, Codec<T>::decode(*value));
    this->set_stamp(index, Codec<Timestamp>::decode(*written));
  }
  Timestamp purge(KeyIndex index) override {
    const Timestamp stamp = this->stamp(index);
    if (!ttl().expired(stamp)) return stamp;
    this->drop(index);
    return kMaxTimestamp;
  }

 private:
  std::optional<T> read_with_ttl(KeyIndex index, const T& value) {
    if (!ttl().expired(this->stamp(index))) {
      if (ttl().renews_on_read()) renew(index);
      return value;
    }
    std::optional<T> last;
    if (ttl().returns_expired()) last = value;
    this->drop(index);
    return last;
  }
};

}  // namespace sluice::detail
