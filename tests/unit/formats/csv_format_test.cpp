#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/formats/csv_line.hpp"
#include "plugins/formats/formats.hpp"
#include "tests/unit/formats/decoding.hpp"

namespace sluice::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::vector<std::string>> records(std::string_view text, char separator = ',') {
  CsvReader reader;
  reader.start(text, separator);
  std::vector<std::vector<std::string>> all;
  while (reader.next()) {
    all.emplace_back(reader.fields().begin(), reader.fields().end());
    if (reader.broken()) all.back().push_back("BROKEN");
  }
  return all;
}

TEST(CsvReader, TakesLinesApart) {
  EXPECT_THAT(records("a, b ,c\r\n\r\n,\n\"x,\"\"y\"\"\n\" , z\rlast"),
              ElementsAre(ElementsAre("a", "b", "c"), ElementsAre("", ""),
                          ElementsAre("x,\"y\"\n", "z"), ElementsAre("last")));
  EXPECT_THAT(records("1;2,5;\n;3", ';'),
              ElementsAre(ElementsAre("1", "2,5", ""), ElementsAre("", "3")));
  EXPECT_TRUE(records("").empty());
  EXPECT_TRUE(records("\n\r\n").empty());
}

TEST(CsvReader, NoticesQuotesThatDoNotPair) {
  EXPECT_THAT(records("a,\"b\nc,d"), ElementsAre(ElementsAre("a", "b\nc,d", "BROKEN")));
  EXPECT_THAT(records("\"a\"b,c\nd"),
              ElementsAre(ElementsAre("a", "c", "BROKEN"), ElementsAre("d")));
}

TEST(CsvFormat, TakesALineOfAPublishLog) {
  const auto csv = decoder(csv_format(), {{"sensor", "col:2"},
                                          {"level", "col:5"},
                                          {"time", "col:4"},
                                          {"time_format", "epoch_s"},
                                          {"unit", "cm"}});
  const auto decoded = decode(
      *csv, "dev01,2/19/2024 22:12:13,waterLevel_0001,waterLevel,1708398731,192.33333,4.13,95.29");
  ASSERT_EQ(decoded.readings.size(), 1U);
  EXPECT_EQ(decoded.readings[0],
            (Reading{"waterLevel_0001", 192.33333, "cm", 1708398731000, Quality::kGood}));
}

TEST(CsvFormat, EveryLineHasItsOwnOutcome) {
  const auto csv = decoder(csv_format(), {{"sensor", "const:s"}, {"level", "col:1"}});
  EXPECT_EQ(outcome(decode(*csv, "a,1\nb\nc,nan\nd,x\n\"e\"f,5\ng,6\n")),
            "1 6 missing-level not-finite not-a-number malformed");
  EXPECT_EQ(outcome(decode(*csv, "")), "missing-level");
  EXPECT_EQ(outcome(decode(*csv, "a,\xFF")), "malformed");
  EXPECT_EQ(outcome(decode(*csv, std::string(10 << 20, ','))), "too-large");
}

TEST(CsvFormat, FindsColumnsByHeader) {
  const auto csv = decoder(csv_format(), {{"sensor", "col:Station"},
                                          {"level", "col:Pegel"},
                                          {"separator", ";"},
                                          {"decimal_comma", true},
                                          {"header", true}});
  const auto decoded = decode(*csv, "\xEF\xBB\xBFPegel ;Station\n2,5;Süd\n3,5;Nord\n");
  EXPECT_EQ(outcome(decoded), "2.5 3.5");
  EXPECT_EQ(decoded.readings.at(0).sensor, "Süd");
  EXPECT_EQ(outcome(decode(*csv, "Pegel;Ort\n1;x")), "missing-sensor");
  EXPECT_EQ(outcome(decode(*csv, "Station;Pegel\nx;1")), "1") << "columns may change places";
  EXPECT_EQ(outcome(decode(*csv, "\"Pegel;Station\n1;x")), "malformed");
}

TEST(CsvFormat, AColumnNamedTwiceIsNobodysLevel) {
  const auto csv =
      decoder(csv_format(), {{"sensor", "const:s"}, {"level", "col:level"}, {"header", true}});
  EXPECT_EQ(outcome(decode(*csv, "level,level\n1,2\n")), "malformed");
  EXPECT_EQ(outcome(decode(*csv, "level,x,x\n1,2,3\n")), "1");
}

TEST(CsvFormat, RefusesOptionsThatCannotWork) {
  EXPECT_THAT(
      refusal(csv_format(), {{"sensor", "col:0"}, {"level", "col:1"}, {"decimal_comma", true}}),
      HasSubstr("separator = \";\""));
  EXPECT_THAT(refusal(csv_format(), {{"sensor", "col:Station"}, {"level", "col:1"}}),
              HasSubstr("header = true"));
  EXPECT_THAT(refusal(csv_format(), {{"sensor", "col:0"}, {"level", "col:1"}, {"separator", "::"}}),
              HasSubstr("'separator'"));
  for (const char* separator : {"", "1", ".", "-", "e", "\""}) {
    EXPECT_THAT(
        refusal(csv_format(), {{"sensor", "col:0"}, {"level", "col:1"}, {"separator", separator}}),
        HasSubstr("in no number"));
  }
}

}  // namespace
}  // namespace sluice::formats
