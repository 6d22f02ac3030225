// PagedArray<T>: an array that grows a page at a time. Growing never moves an element, so it costs
// no pause however many keys there are, and wastes at most one page.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace sluice::detail {

/// T is value-initialised when its page is made. Index within size() is the caller's duty.
template <class T>
class PagedArray {
 public:
  static constexpr std::size_t kPageBits = 10;
  static constexpr std::size_t kPageSize = std::size_t{1} << kPageBits;

  T& operator[](std::size_t i) { return pages_[i >> kPageBits][i & (kPageSize - 1)]; }
  const T& operator[](std::size_t i) const { return pages_[i >> kPageBits][i & (kPageSize - 1)]; }

  std::size_t size() const { return pages_.size() << kPageBits; }

  /// Makes indexes below `wanted` valid.
  void grow(std::size_t wanted) {
    while (size() < wanted) pages_.push_back(std::make_unique<T[]>(kPageSize));
  }

  void prefetch(std::size_t i) const { __builtin_prefetch(&(*this)[i]); }

 private:
  std::vector<std::unique_ptr<T[]>> pages_;
};

}  // namespace sluice::detail
