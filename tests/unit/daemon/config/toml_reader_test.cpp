#include "daemon/config/toml_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "daemon/config/toml_shape.hpp"

namespace sluice::daemon {
namespace {

using testing::HasSubstr;

/// "3:7+2" for a place.
std::string place(const Position& at) {
  return std::to_string(at.line) + ":" + std::to_string(at.column) + "+" +
         std::to_string(at.length);
}

TomlFile read(const std::string& text) {
  TomlFile file = read_toml_text(text, "test.toml");
  EXPECT_TRUE(file.parsed) << render_problems(file.problems, file.source);
  return file;
}

std::string refusal(const std::string& text) {
  const TomlFile file = read_toml_text(text, "test.toml");
  EXPECT_FALSE(file.parsed);
  return render_problems(file.problems, file.source);
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sluice-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(TomlReader, KeepsValuesAndTheirTypes) {
  const TomlFile file = read("t = \"x\"\ni = -3\nn = 0.5\nb = true\nl = [1, \"a\"]\nm = 'C:\\x'\n");
  EXPECT_EQ(std::get<std::string>(file.root.find("t")->value.value), "x");
  EXPECT_EQ(std::get<std::int64_t>(file.root.find("i")->value.value), -3);
  EXPECT_EQ(std::get<double>(file.root.find("n")->value.value), 0.5);
  EXPECT_TRUE(std::get<bool>(file.root.find("b")->value.value));
  EXPECT_EQ(file.root.find("l")->value.array()->size(), 2U);
  EXPECT_EQ(std::get<std::string>(file.root.find("m")->value.value), "C:\\x");
  EXPECT_EQ(file.root.find("x"), nullptr);
}

TEST(TomlReader, KnowsWhereKeysAndValuesStand) {
  const TomlFile file = read(
      "# [no = \"table\"]\n"
      "[site]\n"
      "  id  =  \"a # b\"  # id = 3\n"
      "long = \"\"\"\n"
      "x = [ \"quoted\" \\\"\"\"\"\n"
      "after = 12\r\n"
      "\"quoted key\" = 'its'\n"
      "[site.deep]\n"
      "a.b = 1\n"
      "a.c = { d = [ 1,\n2 ] }\n");
  const ConfigNode& site = file.root.find("site")->value;
  EXPECT_EQ(place(site.at), "2:1+6");
  EXPECT_EQ(place(site.find("id")->key_at), "3:3+2");
  EXPECT_EQ(place(site.find("id")->value.at), "3:10+7");
  EXPECT_EQ(place(site.find("long")->key_at), "4:1+4");
  EXPECT_EQ(place(site.find("after")->value.at), "6:9+2");
  EXPECT_EQ(place(site.find("quoted key")->key_at), "7:1+12");
  const ConfigNode& deep = site.find("deep")->value;
  EXPECT_EQ(place(deep.at), "8:1+11");
  const ConfigNode& a = deep.find("a")->value;
  EXPECT_EQ(place(a.find("b")->key_at), "9:3+1");
  const ConfigNode& d = a.find("c")->value.find("d")->value;
  EXPECT_EQ(place(d.array()->at(0).at), "10:15+1");
  EXPECT_EQ(place(d.array()->at(1).at), "11:1+1");
}

TEST(TomlReader, TellsRepeatedTablesApart) {
  const TomlFile file = read("[[s]]\nn = 1\n[[s]]\nn = 2\n[s.sub]\nk = 3\n");
  const auto& items = *file.root.find("s")->value.array();
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(place(items[0].at), "1:1+5");
  EXPECT_EQ(place(items[1].find("n")->value.at), "4:5+1");
  EXPECT_EQ(place(items[1].find("sub")->value.find("k")->key_at), "6:1+1");
}

TEST(TomlReader, AcceptsAByteOrderMarkAndAnEmptyFile) {
  EXPECT_EQ(place(read("\xEF\xBB\xBFid = 1\n").root.find("id")->key_at), "1:1+2");
  EXPECT_TRUE(read("").root.table()->empty());
  EXPECT_TRUE(read("# nothing").root.table()->empty());
}

TEST(TomlReader, RefusesDepthThatWouldOverflowTheParser) {
  EXPECT_THAT(refusal("a = " + std::string(2000, '[')), HasSubstr("levels deep"));
  std::string lines = "a = ";
  for (int i = 0; i < 100'000; ++i) lines += "[\n";
  EXPECT_THAT(refusal(lines), HasSubstr("test.toml:17:1: error: nested"));
  std::string tables = "a = ";
  for (int i = 0; i < 500; ++i) tables += "{a=";
  EXPECT_THAT(refusal(tables), HasSubstr("levels deep"));
  std::string dots = "a";
  for (int i = 0; i < 500; ++i) dots += ".a";
  EXPECT_THAT(refusal(dots + " = 1"), HasSubstr("levels deep"));
  EXPECT_THAT(refusal("[" + dots + "]"), HasSubstr("levels deep"));
  EXPECT_THAT(refusal("#\n" + std::string(5000, 'x')),
              HasSubstr("test.toml:2:1: error: this line"));
}

TEST(TomlReader, DoesNotTakeBracketsAndDotsInTextsForDepth) {
  const std::string brackets(100, '[');
  const std::string dots(100, '.');
  std::string numbers;
  for (int i = 0; i < 100; ++i) numbers += "1.5, ";
  read("a = \"" + brackets + "\"\n# " + brackets + "\nb = '" + dots + "'\nc = [" + numbers + "]\n");
}

TEST(TomlReader, RefusesBytesThatAreNoText) {
  EXPECT_THAT(refusal(std::string{"a = \"\0\"", 7}), HasSubstr("1:6: error: a NUL byte"));
  for (const char* bytes : {"\xfc", "\xc3", "\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80",
                            "\xe2\x82", "\xff"}) {
    EXPECT_THAT(refusal("ok = 1\na = \"" + std::string{bytes} + "\"\n"),
                HasSubstr("2:6: error: this byte is not UTF-8"));
  }
  read("a = \"grün € \U0001F30A\"\n");
}

TEST(TomlReader, SaysWhyAFileCannotBeRead) {
  const TemporaryFolder folder;
  const auto message = [](const std::filesystem::path& path) {
    const TomlFile file = read_toml_file(path.string());
    EXPECT_FALSE(file.parsed);
    EXPECT_EQ(file.problems.size(), 1U);
    EXPECT_EQ(file.problems.at(0).file, path.string());
    return file.problems.at(0).message;
  };
  EXPECT_THAT(message(folder.path() / "none.toml"), HasSubstr("no such file"));
  EXPECT_THAT(message(folder.path() / "none" / "none.toml"), HasSubstr("no such file"));
  EXPECT_THAT(message(folder.path()), HasSubstr("a folder"));
  EXPECT_THAT(message("/dev/zero"), HasSubstr("no regular file"));
  const auto large = folder.path() / "large.toml";
  std::ofstream{large} << std::string(kMaxConfigBytes + 1, '\n');
  EXPECT_THAT(message(large), HasSubstr("larger than 1 MiB"));
  const auto under_file = large / "x.toml";
  EXPECT_FALSE(message(under_file).empty());
}

TEST(TomlReader, ReadsAFileOfTheLargestSize) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "full.toml";
  std::string text = "a = 1\n";
  while (text.size() < kMaxConfigBytes) text += "# " + std::string(kMaxConfigLine - 2, '.') + "\n";
  text.resize(kMaxConfigBytes);
  std::ofstream{path} << text;
  EXPECT_TRUE(read_toml_file(path.string()).parsed);
}

TEST(TomlReader, RefusesNumbersThatFitNoDouble) {
  for (const char* number : {"1e400", "-1e400", "1.8e308"}) {
    const TomlFile file = read_toml_text("x = " + std::string{number} + "\n", "c.toml");
    ASSERT_EQ(file.problems.size(), 1U) << number;
    EXPECT_EQ(file.problems[0].message, "this number is too large") << number;
  }
  EXPECT_TRUE(read_toml_text("x = 1.7e308\n", "c.toml").problems.empty());
}

TEST(TomlReader, KnowsWhatPeopleWriteForNumbersAndSwitches) {
  const auto first = [](const std::string& line) {
    const TomlFile file = read_toml_text(line + "\n", "c.toml");
    return file.problems.empty() ? Problem{} : file.problems[0];
  };
  EXPECT_EQ(first("above = 4,25").message, "a number has a point, not a comma");
  EXPECT_EQ(first("above = 4,25").hint, "above = 4.25");
  EXPECT_EQ(first("retain = yes").message, "a switch is true or false");
}

}  // namespace
}  // namespace sluice::daemon
