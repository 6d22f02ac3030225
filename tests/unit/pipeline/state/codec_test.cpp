// Codecs: every type comes back as it went, and damage is refused with a sentence.
#include "pipeline/state/codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sluice {

namespace {

struct Point {
  std::int32_t x{7};
  std::optional<double> y;
  friend bool operator==(const Point&, const Point&) = default;
};
SLUICE_FIELDS(Point, x, y)

struct Route {
  std::string name;
  std::vector<Point> points;
  std::map<std::int64_t, std::string> marks;
  friend bool operator==(const Route&, const Route&) = default;
};
SLUICE_FIELDS(Route, name, points, marks)

struct Station {
  struct Twenty {
    int a{1}, b{2}, c{3}, d{4}, e{5}, f{6}, g{7}, h{8}, i{9}, j{10};
    int k{11}, l{12}, m{13}, n{14}, o{15}, p{16}, q{17}, r{18}, s{19}, t{20};
    friend bool operator==(const Twenty&, const Twenty&) = default;
  };
};
SLUICE_FIELDS(Station::Twenty, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)

enum class Colour : std::uint8_t { kRed, kBlue };

using testing::HasSubstr;

template <class T>
void expect_round_trip(const T& value) {
  EXPECT_TRUE(Codec<T>::decode(Codec<T>::encode(value)) == value) << Codec<T>::schema();
}

TEST(Codec, EveryBuiltInTypeComesBackAsItWent) {
  expect_round_trip(true);
  expect_round_trip(std::int8_t{-128});
  expect_round_trip(std::uint8_t{255});
  expect_round_trip(std::int16_t{-32768});
  expect_round_trip(std::uint16_t{65535});
  expect_round_trip(std::numeric_limits<std::int32_t>::min());
  expect_round_trip(std::numeric_limits<std::uint32_t>::max());
  expect_round_trip(std::numeric_limits<std::int64_t>::min());
  expect_round_trip(std::numeric_limits<std::uint64_t>::max());
  expect_round_trip(Colour::kBlue);
  expect_round_trip(1.5F);
  expect_round_trip(0.1);
  expect_round_trip(std::numeric_limits<double>::infinity());
  expect_round_trip(std::string{"Köln\0Kai", 9});
  expect_round_trip(std::optional<int>{});
  expect_round_trip(std::optional<int>{0});
  expect_round_trip(std::vector<std::string>{"", "a", ""});
  expect_round_trip(std::map<std::string, double>{{"", 0}, {"a", 1}});
  expect_round_trip(std::pair<int, std::string>{1, "x"});
  expect_round_trip(std::tuple<bool, int, double>{true, 2, 3.0});
}

TEST(Codec, NotANumberStaysNotANumber) {
  EXPECT_TRUE(std::isnan(Codec<double>::decode(Codec<double>::encode(std::nan("")))));
}

TEST(Codec, StructsComeBackWithAllThatIsInThem) {
  expect_round_trip(
      Station::Twenty{20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
  expect_round_trip(Route{"a", {{1, 2.5}, {3, {}}}, {{-1, "start"}, {9, "end"}}});
}

TEST(Codec, SchemasNameTypesFieldsAndSizes) {
  EXPECT_EQ(Codec<std::uint16_t>::schema(), "u16");
  EXPECT_EQ(Codec<float>::schema(), "f32");
  EXPECT_EQ((Codec<std::map<std::string, std::optional<bool>>>::schema()),
            "map<text,optional<bool>>");
  EXPECT_EQ((Codec<std::pair<int, double>>::schema()), "tuple<i32,f64>");
  EXPECT_EQ(Codec<Route>::schema(),
            "struct Route{name:text,points:list<struct Point{x:i32,y:optional<f64>}>,"
            "marks:map<i64,text>}");
}

TEST(Codec, AFieldThatWasNotStoredKeepsItsDefaultAndAnUnknownOneIsIgnored) {  // SE-02
  const auto point = Codec<Point>::decode(Datum::Struct{{"y", Datum{2.0}}, {"z", Datum{"new"}}});
  EXPECT_EQ(point.x, 7);
  EXPECT_EQ(point.y, 2.0);
}

template <class T>
std::string refusal(const Datum& damaged) {
  try {
    (void)Codec<T>::decode(damaged);
  } catch (const StateMigrationError& e) {
    return e.what();
  }
  return "decoded";
}

TEST(Codec, DamageIsRefusedWithWhatWasExpectedAndFound) {
  EXPECT_THAT(refusal<bool>(Datum{1}), HasSubstr("expected a truth value, found 1"));
  EXPECT_THAT(refusal<int>(Datum{1.5}), HasSubstr("expected a whole number, found 1.5"));
  EXPECT_THAT(refusal<int>(Datum{}), HasSubstr("expected a whole number"));
  EXPECT_THAT(refusal<std::int8_t>(Datum{128}), HasSubstr("in range"));
  EXPECT_THAT(refusal<std::uint32_t>(Datum{-1}), HasSubstr("in range"));
  EXPECT_THAT(refusal<double>(Datum{"4.2"}), HasSubstr("expected a number"));
  EXPECT_THAT(refusal<std::string>(Datum{4}), HasSubstr("expected a text, found 4"));
  EXPECT_THAT(refusal<std::vector<int>>(Datum{4}), HasSubstr("expected a list"));
  EXPECT_THAT(refusal<std::vector<int>>(Datum::List{Datum{"x"}}), HasSubstr("whole number"));
  EXPECT_THAT((refusal<std::map<int, int>>(Datum::List{Datum::List{Datum{1}}})),
              HasSubstr("expected a pair"));
  EXPECT_THAT((refusal<std::map<int, int>>(Datum::List{Datum{1}})), HasSubstr("expected a pair"));
  EXPECT_THAT((refusal<std::tuple<int, int>>(Datum::List{Datum{1}})),
              HasSubstr("a tuple of another size"));
  EXPECT_THAT((refusal<std::pair<int, int>>(Datum{})), HasSubstr("expected a tuple"));
  EXPECT_THAT(refusal<Point>(Datum::List{}), HasSubstr("expected a struct"));
  EXPECT_THAT(refusal<Point>(Datum::Struct{{"x", Datum{"7"}}}), HasSubstr("whole number"));
}

TEST(Codec, AMessageAboutDamageStaysShort) {
  EXPECT_LT(refusal<int>(Datum{std::string(100'000, 'x')}).size(), 200U);
}

// What cannot be state does not compile as one.
static_assert(Storable<std::optional<std::vector<std::string>>>);
static_assert(Storable<Route>);
static_assert(!Storable<int*>);
static_assert(!Storable<void>);
struct Unnamed {
  int field{};
};
static_assert(!Storable<Unnamed>);
static_assert(!Storable<std::vector<Unnamed>>);

}  // namespace
}  // namespace sluice
