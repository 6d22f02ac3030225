// SmallList<T>: the elements of one list state. Up to three small plain values live inline, so a
// list of a million keys needs no million allocations; everything else is a std::vector.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace sluice::detail {

template <class T>
class InlineList {
 public:
  InlineList() = default;
  InlineList(InlineList&& other) noexcept { steal(other); }
  InlineList& operator=(InlineList&& other) noexcept {
    if (this != &other) {
      free_heap();
      steal(other);
    }
    return *this;
  }
  InlineList(const InlineList& other) { assign({other.data(), other.size()}); }
  InlineList& operator=(const InlineList& other) {
    if (this != &other) assign({other.data(), other.size()});
    return *this;
  }
  ~InlineList() { free_heap(); }

  std::size_t size() const { return size_; }
  const T* data() const { return on_heap() ? heap_ : inline_; }
  const T& operator[](std::size_t i) const { return data()[i]; }

  void push_back(const T& value) {
    const T copy = value;  // it may be one of our own elements
    reserve(size_ + 1);
    mutable_data()[size_++] = copy;
  }
  void clear() { size_ = 0; }
  void assign(std::span<const T> items) {
    if (items.size() > capacity_) return assign_more(items);
    if (!items.empty()) std::memmove(mutable_data(), items.data(), items.size_bytes());
    size_ = static_cast<std::uint32_t>(items.size());
  }

 private:
  static constexpr std::uint32_t kInline = 24 / sizeof(T);

  bool on_heap() const { return capacity_ > kInline; }
  T* mutable_data() { return on_heap() ? heap_ : inline_; }
  void reserve(std::uint32_t wanted) {
    if (wanted <= capacity_) return;
    const std::uint32_t capacity = std::max(wanted, capacity_ * 2);
    T* heap = new T[capacity];
    std::copy_n(data(), size_, heap);
    free_heap();
    heap_ = heap;
    capacity_ = capacity;
  }
  /// Growing frees the old storage, which `items` may point into; within capacity memmove is safe.
  void assign_more(std::span<const T> items) {
    const std::vector<T> copy(items.begin(), items.end());
    reserve(static_cast<std::uint32_t>(copy.size()));
    std::copy(copy.begin(), copy.end(), mutable_data());
    size_ = static_cast<std::uint32_t>(copy.size());
  }
  void free_heap() {
    if (on_heap()) delete[] heap_;
  }
  void steal(InlineList& other) {
    std::memcpy(static_cast<void*>(inline_), other.inline_, sizeof inline_);
    size_ = other.size_;
    capacity_ = other.capacity_;
    other.size_ = 0;
    other.capacity_ = kInline;
  }

  union {
    T inline_[kInline]{};
    T* heap_;
  };
  std::uint32_t size_{0};
  std::uint32_t capacity_{kInline};
};

/// The same calls over a std::vector, for values that own memory or are large.
template <class T>
class VectorList {
 public:
  std::size_t size() const { return items_.size(); }
  const T& operator[](std::size_t i) const { return items_[i]; }
  void push_back(const T& value) {
    T copy = value;
    items_.push_back(std::move(copy));
  }
  void clear() { items_.clear(); }
  void assign(std::span<const T> items) {
    std::vector<T> copy(items.begin(), items.end());
    items_ = std::move(copy);
  }

 private:
  std::vector<T> items_;
};

template <class T>
using SmallList =
    std::conditional_t<std::is_trivially_copyable_v<T> && std::is_trivial_v<T> && (sizeof(T) <= 8),
                       InlineList<T>, VectorList<T>>;

}  // namespace sluice::detail
