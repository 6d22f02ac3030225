#include "daemon/engine/sequence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

namespace sluice::daemon {
namespace {

/// "3-7 9": gaps as people write them.
std::string written(const std::vector<OpenGap>& gaps) {
  std::string text;
  for (const auto& gap : gaps) {
    if (!text.empty()) text += ' ';
    text += std::to_string(gap.from);
    if (gap.to != gap.from) text += '-' + std::to_string(gap.to);
  }
  return text;
}

/// A sensor's numbers, all at one moment unless said otherwise.
class Count {
 public:
  Count& take(std::initializer_list<std::int64_t> numbers, Timestamp now = 0) {
    for (const std::int64_t number : numbers) take_one(number, now);
    return *this;
  }
  Count& run(std::int64_t from, std::int64_t to, Timestamp now = 0) {
    for (std::int64_t number = from; number <= to; ++number) take_one(number, now);
    return *this;
  }
  /// All that is missing when nothing more comes.
  std::string missing() {
    add(overdue(state_, kMaxTimestamp));
    return written(found_);
  }
  std::int64_t missing_count() {
    missing();
    std::int64_t count = 0;
    for (const auto& gap : found_) count += gap.to - gap.from + 1;
    return count;
  }
  /// What is certain so far.
  std::string certain() const { return written(found_); }
  SequenceState& state() { return state_; }

 private:
  void take_one(std::int64_t number, Timestamp now) {
    if (!std::exchange(begun_, true)) {
      state_ = first_number(number);
    } else {
      add(next_number(state_, number, now));
    }
  }
  void add(const std::vector<OpenGap>& gaps) {
    found_.insert(found_.end(), gaps.begin(), gaps.end());
  }

  SequenceState state_;
  bool begun_{false};
  std::vector<OpenGap> found_;
};

TEST(Sequence, InOrderHasNoGapWhereverItBegins) {
  EXPECT_EQ(Count{}.run(0, 300).missing(), "");
  EXPECT_EQ(Count{}.run(70'000, 70'100).missing(), "");
  EXPECT_EQ(Count{}.run(4'294'967'290, 4'294'967'310).missing(), "") << "a count of 64 bits";
}

TEST(Sequence, WhatWasSkippedIsMissing) {
  EXPECT_EQ(Count{}.run(1, 20).take({101}).missing(), "21-100");
  EXPECT_EQ(Count{}.take({1, 2, 4, 5, 9}).missing(), "3 6-8");
}

TEST(Sequence, IsCertainAfterEnoughLaterNumbers) {
  EXPECT_EQ(Count{}.run(1, 20).run(101, 116).certain(), "");
  EXPECT_EQ(Count{}.run(1, 20).run(101, 117).certain(), "21-100");
}

TEST(Sequence, IsCertainAfterATime) {
  Count count;
  count.take({1, 3}, 1000).take({5}, 4000);
  EXPECT_EQ(written(overdue(count.state(), 5999)), "");
  EXPECT_EQ(written(overdue(count.state(), 6000)), "2");
  EXPECT_EQ(written(overdue(count.state(), 6000)), "") << "each once";
  EXPECT_EQ(written(overdue(count.state(), 9000)), "4");
}

TEST(Sequence, WhatWasOvertakenIsNotMissing) {
  EXPECT_EQ(Count{}.take({1, 3, 2, 4}).missing(), "");
  EXPECT_EQ(Count{}.take({1, 6, 3, 5, 2, 4, 7}).missing(), "");
  EXPECT_EQ(Count{}.take({1, 10, 5, 3, 8, 11}).missing(), "2 4 6-7 9");
  EXPECT_EQ(Count{}.take({1}).run(3, 18).take({2, 19}).missing(), "") << "by sixteen";
}

TEST(Sequence, RepeatsAreNoNews) {
  EXPECT_EQ(Count{}.take({5, 5, 6, 6, 6, 7, 5, 6, 7, 8}).missing(), "");
  EXPECT_EQ(Count{}.take({5, 8, 8, 5, 6, 6, 9}).missing(), "7");
}

TEST(Sequence, ARestartOfTheDeviceIsNoGap) {
  EXPECT_EQ(Count{}.run(400, 500).run(0, 600).missing(), "");
  EXPECT_EQ(Count{}.run(400, 500).run(1, 600).missing(), "");
  EXPECT_EQ(Count{}.run(1, 5).run(0, 20).missing(), "") << "soon after the start";
  EXPECT_EQ(Count{}.run(1, 5).run(1, 20).missing(), "");
  EXPECT_EQ(Count{}.run(400, 500).run(37, 60).missing(), "") << "the first ones were lost";
  EXPECT_EQ(Count{}.take({1}).run(1, 9).run(0, 9).run(1, 9).missing(), "") << "again and again";
}

TEST(Sequence, GapsAreFoundBeforeAndAfterARestart) {
  EXPECT_EQ(Count{}.run(400, 500).take({502}).run(0, 3).take({7}).missing(), "501 4-6");
}

TEST(Sequence, AWrapIsNoGap) {
  for (const int bits : {8, 16, 32}) {
    const std::int64_t end = (std::int64_t{1} << bits) - 1;
    EXPECT_EQ(Count{}.run(end - 3, end).run(0, 40).missing(), "") << bits;
    EXPECT_EQ(Count{}.run(end - 3, end).run(1, 40).missing(), "") << bits;
    EXPECT_EQ(Count{}.run(end - 3, end).take({1, 0, 2}).missing(), "") << bits;
  }
}

TEST(Sequence, AGapAcrossAWrapIsOne) {
  EXPECT_EQ(Count{}.run(65'530, 65'533).run(2, 30).missing(), "65534-65535 0-1");
  EXPECT_EQ(Count{}.take({254}).take({2}).missing(), "255 0-1");
  EXPECT_EQ(Count{}.run(65'530, 65'533).take({2, 65'535, 1, 3}).missing(), "65534 0");
  EXPECT_EQ(Count{}.run(65'000, 65'030).run(200, 230).missing(), "65031-65535 0-199");
}

TEST(Sequence, AFallFromNearTheEndToZeroIsARestartUnlessItIsTheVeryEnd) {
  EXPECT_EQ(Count{}.run(65'000, 65'030).run(0, 30).missing(), "");
  EXPECT_EQ(Count{}.run(200, 230).run(0, 30).missing(), "");
}

TEST(Sequence, AStrayOldOrWildNumberChangesNothing) {
  EXPECT_EQ(Count{}.run(100, 200).take({120}).run(201, 240).missing(), "");
  EXPECT_EQ(Count{}.run(100, 200).take({0}).run(201, 240).missing(), "");
  EXPECT_EQ(Count{}.run(100, 200).take({4'000'000'000}).run(201, 240).missing(), "");
  EXPECT_EQ(Count{}.run(100, 200).take({120}).take({203}).missing(), "201-202");
}

TEST(Sequence, ALeapOfMoreThanAMillionIsAnotherCount) {
  EXPECT_EQ(Count{}.take({1, 1'000'001}).missing(), "2-1000000");
  EXPECT_EQ(Count{}.take({1, 1'000'002, 1'000'003}).missing(), "");
}

TEST(Sequence, KeepsLittleWhateverComes) {
  Count count;
  for (std::int64_t number = 0; number < 100'000; number += 2) count.take({number});
  for (std::int64_t number = 0; number < 100'000; number += 7) count.take({number * 7919 % 65'536});
  EXPECT_LE(count.state().open.size(), 64U);
  Count comb;
  comb.take({0, 999'999});
  for (std::int64_t number = 2; number < 999'999; number += 2) comb.take({number});
  EXPECT_LE(comb.state().open.size(), 64U);
  EXPECT_EQ(comb.missing_count(), 499'999) << "and forgets none";
}

}  // namespace
}  // namespace sluice::daemon
