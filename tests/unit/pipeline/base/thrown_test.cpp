#include "pipeline/base/thrown.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace sluice {
namespace {

template <class T>
std::string words_of(const T& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return thrown_words();
  }
}

TEST(Thrown, SaysWhatWasThrownWhateverItIs) {
  EXPECT_EQ(words_of(std::runtime_error{"the pump is out"}), "the pump is out");
  EXPECT_EQ(words_of(7), "something that is no std::exception was thrown");
}

}  // namespace
}  // namespace sluice
