#include "storage/datum_column.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "tests/unit/storage/storage_test_support.hpp"

namespace sluice::storage {
namespace {

class DatumColumn : public ::testing::Test {
 protected:
  void SetUp() override {
    auto database = Database::open(dir_ / "a.db", {});
    ASSERT_TRUE(database) << database.error().message();
    database_ = std::make_unique<Database>(std::move(*database));
    // One transaction that never ends: these tests are about values, not about the disk.
    ASSERT_TRUE(database_->execute("BEGIN; CREATE TABLE t(k ANY NOT NULL, v ANY) STRICT"));
  }

  /// Through key and value columns and back; `shown_` is what sqlite3 would print of the value.
  Datum round_trip(const Datum& datum) {
    EXPECT_TRUE(database_->execute("DELETE FROM t"));
    auto insert = database_->prepare("INSERT INTO t VALUES (?, ?)");
    std::string key_scratch;
    std::string value_scratch;
    bind_datum(*insert, 1, datum, ColumnUse::kKey, key_scratch);
    bind_datum(*insert, 2, datum, ColumnUse::kValue, value_scratch);
    EXPECT_TRUE(insert->run());
    auto select = database_->prepare("SELECT k, v, CAST(v AS TEXT) FROM t");
    EXPECT_TRUE(*select->step());
    auto key = column_datum(*select, 0);
    auto value = column_datum(*select, 1);
    EXPECT_TRUE(key) << key.error().message();
    EXPECT_TRUE(value) << value.error().message();
    shown_ = select->bytes(2);
    EXPECT_TRUE(same(*key, *value));
    return *value;
  }

  /// Equal, NaN included, and -0.0 is not 0.0.
  static bool same(const Datum& a, const Datum& b) {
    const auto* x = a.get_if<double>();
    const auto* y = b.get_if<double>();
    if (x == nullptr || y == nullptr) return a == b;
    return (std::isnan(*x) && std::isnan(*y)) || (*x == *y && std::signbit(*x) == std::signbit(*y));
  }

  TempDir dir_;
  std::unique_ptr<Database> database_;
  std::string shown_;
};

TEST_F(DatumColumn, ShowsPlainValuesAsTheyAre) {
  EXPECT_EQ(round_trip(Datum{7}), Datum{7});
  EXPECT_EQ(shown_, "7");
  EXPECT_EQ(round_trip(Datum{2.5}), Datum{2.5});
  EXPECT_EQ(shown_, "2.5");
  EXPECT_EQ(round_trip(Datum{"weir 1"}), Datum{"weir 1"});
  EXPECT_EQ(shown_, "weir 1");
  EXPECT_EQ(round_trip(Datum{true}), Datum{true});
  EXPECT_EQ(shown_, "true");
  const Datum mean{Datum::Struct{{"count", Datum{2}}, {"mean", Datum{3.0}}}};
  EXPECT_EQ(round_trip(mean), mean);
  EXPECT_EQ(shown_, R"({"count":2,"mean":3.0})");
}

TEST_F(DatumColumn, LosesNothing) {
  using Limits = std::numeric_limits<double>;
  const std::string bad_utf8 = "a\xff\xc0\x80z";
  const std::string with_nul{"a\0b", 3};
  std::vector<Datum> leaves{
      Datum{},
      Datum{true},
      Datum{false},
      Datum{0},
      Datum{1},
      Datum{1.0},
      Datum{std::numeric_limits<std::int64_t>::min()},
      Datum{std::numeric_limits<std::int64_t>::max()},
      Datum{0.0},
      Datum{-0.0},
      Datum{0.1},
      Datum{1e308},
      Datum{-1e-308},
      Datum{Limits::denorm_min()},
      Datum{Limits::max()},
      Datum{Limits::infinity()},
      Datum{-Limits::infinity()},
      Datum{9007199254740993.0},
      Datum{1e22},
      Datum{""},
      Datum{"true"},
      Datum{"false"},
      Datum{"null"},
      Datum{"NULL"},
      Datum{"7"},
      Datum{"2.5"},
      Datum{"[1]"},
      Datum{"{\"$text\":\"x\"}"},
      Datum{"{broken"},
      Datum{"$text"},
      Datum{" {"},
      Datum{"Überlauf \"quoted\" \\ \n\t\x7f"},
      Datum{"\xf0\x9f\x8c\x8a"},
      Datum{with_nul},
      Datum{bad_utf8},
      Datum{std::string(1, '\0')},
      Datum{"\xed\xa0\x80"},
      Datum{Datum::List{}},
      Datum{Datum::Struct{}},
      Datum{Datum::Struct{{"$text", Datum{"x"}}}},
      Datum{Datum::Struct{{"$struct", Datum{Datum::List{}}}}},
      Datum{Datum::Struct{{"", Datum{1}}, {with_nul, Datum{2}}, {bad_utf8, Datum{3}}}},
      Datum{Datum::Struct{{"b", Datum{1}}, {"a", Datum{2}}}},
  };
  for (const Datum& leaf : leaves) {
    SCOPED_TRACE(leaf.to_text());
    EXPECT_TRUE(same(round_trip(leaf), leaf));
    const Datum list{Datum::List{leaf, Datum{1}, leaf}};
    const Datum record{Datum::Struct{{"x", leaf}, {"y", list}}};
    EXPECT_EQ(round_trip(list), list);
    EXPECT_EQ(round_trip(record), record);
  }
  EXPECT_TRUE(same(round_trip(Datum{Limits::quiet_NaN()}), Datum{Limits::quiet_NaN()}));
  EXPECT_EQ(shown_, R"({"$real":"NaN"})");
}

TEST_F(DatumColumn, KeepsMinusZeroAndNanInsideLists) {
  const Datum list{Datum::List{Datum{-0.0}, Datum{std::numeric_limits<double>::quiet_NaN()}}};
  EXPECT_EQ(datum_to_json(list), R"([-0.0,{"$real":"NaN"}])");
  const auto back = datum_from_json(datum_to_json(list));
  ASSERT_TRUE(back);
  const auto& elements = *back->get_if<Datum::List>();
  EXPECT_TRUE(std::signbit(*elements[0].get_if<double>()));
  EXPECT_TRUE(std::isnan(*elements[1].get_if<double>()));
}

Datum random_datum(std::mt19937& random, int depth) {
  switch (random() % (depth > 0 ? 7 : 5)) {
    case 0: return Datum{};
    case 1: return Datum{random() % 2 == 0};
    case 2: return Datum{static_cast<std::int64_t>(random()) * (random() % 2 == 0 ? 1 : -1)};
    case 3:
      return Datum{
          std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 600) - 300)};
    case 4: {
      std::string text(random() % 6, ' ');
      for (char& c : text) c = "{}[]\"$\\tr\xff\0\xc3\xa4"[random() % 13];
      return Datum{text};
    }
    case 5: {
      Datum::List list;
      for (auto n = random() % 4; n > 0; --n) list.push_back(random_datum(random, depth - 1));
      return Datum{list};
    }
    default: {
      Datum::Struct members;
      for (auto n = random() % 4; n > 0; --n) {
        members.emplace_back((random() % 8 == 0 ? "$m" : "m") + std::to_string(n),
                             random_datum(random, depth - 1));
      }
      return Datum{members};
    }
  }
}

TEST_F(DatumColumn, LosesNothingOfRandomData) {
  std::mt19937 random{7};
  for (int n = 0; n < 3000; ++n) {
    const Datum datum = random_datum(random, 4);
    ASSERT_EQ(round_trip(datum), datum) << datum.to_text();
  }
}

TEST_F(DatumColumn, RefusesWhatItDoesNotWrite) {
  for (const char* text :
       {"{", "[1,]", R"({"$what":"x"})", R"({"$real":"1.5"})", R"({"$bytes":"0"})",
        R"({"$bytes":"zz"})", R"({"$struct":["a"]})", R"({"$text":1})", "[18446744073709551615]"}) {
    auto datum = datum_from_json(text);
    ASSERT_FALSE(datum) << text;
    EXPECT_EQ(datum.error().code(), ErrorCode::kCorrupt);
  }
}

}  // namespace
}  // namespace sluice::storage
