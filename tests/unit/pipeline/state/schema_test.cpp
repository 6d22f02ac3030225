// Schema texts: what may be read as what (SE-01, SE-02), and texts that are none.
#include "pipeline/state/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view stored, std::string_view current) {
  const Status status = check_schema(stored, current);
  return status ? "" : status.error().message();
}

TEST(Schema, TheSameTypeFits) {
  EXPECT_EQ(refusal("f64", "f64"), "");
  EXPECT_EQ(refusal("map<text,list<i32>>", "map<text,list<i32>>"), "");
}

TEST(Schema, FieldsMayBeAddedRemovedAndReordered) {  // SE-02
  EXPECT_EQ(refusal("struct Mean{n:i64}", "struct Mean{n:i64,mean:f64}"), "");
  EXPECT_EQ(refusal("struct Mean{n:i64,mean:f64}", "struct Mean{mean:f64}"), "");
  EXPECT_EQ(refusal("struct Mean{n:i64,mean:f64}", "struct Mean{mean:f64,n:i64}"), "");
}

TEST(Schema, AStructInsideOfAClassHasFieldsThatComeAndGoToo) {
  EXPECT_EQ(refusal("struct Site::Mean{n:i64}", "struct Site::Mean{n:i64,mean:f64}"), "");
  EXPECT_EQ(refusal("struct Box<text>{n:i64}", "struct Box<text>{}"), "");
  EXPECT_THAT(refusal("struct Site::Mean{n:i64}", "struct Mean{n:i64}"),
              HasSubstr("struct Site::Mean but is struct Mean now"));
}

TEST(Schema, FieldsMayComeAndGoDeepInside) {
  EXPECT_EQ(
      refusal("list<struct A{b:struct B{c:i32}}>", "list<struct A{b:struct B{c:i32,d:text}}>"), "");
}

TEST(Schema, AChangedTypeIsRefusedNamingBoth) {
  EXPECT_EQ(refusal("i64", "f64"), "the value was stored as i64 but is f64 now");
  EXPECT_THAT(refusal("list<i32>", "i32"), HasSubstr("stored as list but is i32"));
  EXPECT_THAT(refusal("tuple<i32,i32>", "tuple<i32>"), HasSubstr("tuple"));
}

TEST(Schema, AFieldOfAnotherTypeIsRefusedNamingTheField) {
  EXPECT_EQ(refusal("struct Mean{n:i32}", "struct Mean{n:i64}"),
            "field 'n' was stored as i32 but is i64 now");
  EXPECT_THAT(refusal("struct A{b:struct B{c:i32}}", "struct A{b:struct B{c:text}}"),
              HasSubstr("field 'b.c'"));
}

TEST(Schema, ARenamedStructIsRefusedNamingBoth) {
  EXPECT_EQ(refusal("struct Mean{n:i64}", "struct Average{n:i64}"),
            "the value was stored as struct Mean but is struct Average now");
  EXPECT_THAT(refusal("struct i64{n:i64}", "i64"), HasSubstr("struct i64"));
}

TEST(Schema, AnOptionalIsAnotherType) { EXPECT_NE(refusal("i32", "optional<i32>"), ""); }

TEST(Schema, WhatIsNoSchemaFitsNothingButItself) {
  for (const char* broken :
       {"", "<", "list<", "list<i32", "list<i32>>", "list<>", "struct ", "struct A", "struct A{",
        "struct A{x}", "struct A{x:}", "struct A{:i32}", "struct A{x:i32", "struct A{x:i32,}",
        "i32,i32", "tuple<i32,>"}) {
    EXPECT_NE(refusal(broken, "i32"), "") << broken;
    EXPECT_EQ(refusal(broken, broken), "") << broken;
  }
}

TEST(Schema, NestingIsBounded) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "list<";
  EXPECT_NE(refusal(deep, "i32"), "");
}

}  // namespace
}  // namespace sluice
