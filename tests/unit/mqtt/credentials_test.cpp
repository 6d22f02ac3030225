#include "plugins/mqtt/credentials.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_dir.hpp"

namespace sluice::mqtt {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class CredentialsFile : public ::testing::Test {
 protected:
  Result<Credentials> read(std::string_view content) {
    path = folder.write("secret", content).string();
    return read_credentials(path);
  }
  std::string error(std::string_view content) {
    const auto result = read(content);
    return result ? "" : result.error().message();
  }

  test::TempDir folder;
  std::string path;
};

TEST_F(CredentialsFile, HasTwoLines) {
  for (const char* text :
       {"pegel\nse cret", "pegel\nse cret\n", "pegel\r\nse cret\r\n",
        "# for the broker\n\npegel\nse cret\n\n", "\xEF\xBB\xBFpegel\r\nse cret\r\n"}) {
    const auto result = read(text);
    ASSERT_TRUE(result) << text;
    EXPECT_EQ(result->user, "pegel") << text;
    EXPECT_EQ(result->password, "se cret") << text;
  }
}

TEST_F(CredentialsFile, HasAnyPasswordOnItsSecondLine) {
  EXPECT_EQ(read("pegel\n#a = \"b\"\n")->password, "#a = \"b\"");
  EXPECT_EQ(read("pegel\n leading and trailing \n")->password, " leading and trailing ");
  EXPECT_EQ(read("pegel\n\n")->password, "");
}

TEST_F(CredentialsFile, HasNamedLines) {
  for (const char* text :
       {"user = pegel\npassword = se cret\n", "password=\"se cret\"\nuser=\"pegel\"\n",
        "# comment\n\n  username = pegel\n# more\npassword = se cret"}) {
    const auto result = read(text);
    ASSERT_TRUE(result) << text << result.error().message();
    EXPECT_EQ(result->user, "pegel") << text;
    EXPECT_EQ(result->password, "se cret") << text;
  }
  EXPECT_EQ(read("user = a\npassword = b=\"c\"\n")->password, "b=\"c\"");
}

TEST_F(CredentialsFile, IsRefusedWithItsNameAndTheCureButWithoutItsContent) {
  EXPECT_THAT(error(""), AllOf(HasSubstr(path), HasSubstr("user name on the first line")));
  EXPECT_THAT(error("pegel\n"), HasSubstr("has 1 lines: it needs two"));
  EXPECT_THAT(error("a\nhidden\nb\n"), AllOf(HasSubstr("has 3 lines"), Not(HasSubstr("hidden"))));
  EXPECT_THAT(error("user = a\n"), HasSubstr("add a line \"password = …\""));
  EXPECT_THAT(error("password = a\n"), HasSubstr("add a line \"user = …\""));
  EXPECT_THAT(error("user = a\nusername = b\npassword = c\n"), HasSubstr("twice"));
  EXPECT_THAT(error("user = a\npassword = hidden\npassword = c\n"),
              AllOf(HasSubstr("twice"), Not(HasSubstr("hidden"))));
  EXPECT_THAT(error(std::string_view{"pegel\nhid\0den\n", 14}),
              AllOf(HasSubstr("has a NUL byte"), Not(HasSubstr("hid"))));
  EXPECT_THAT(error("user = a\npasword = hidden\n"),
              AllOf(HasSubstr("neither"), Not(HasSubstr("hidden"))));
}

TEST_F(CredentialsFile, IsRefusedIfItCannotBeRead) {
  const auto missing = read_credentials((folder / "none").string());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().message(), HasSubstr((folder / "none").string()));
  const auto directory = read_credentials(folder.path().string());
  ASSERT_FALSE(directory);
  EXPECT_THAT(directory.error().message(), HasSubstr("is not a file"));
}

TEST_F(CredentialsFile, TellsWhetherEverybodyCanReadIt) {
  using std::filesystem::perms;
  ASSERT_TRUE(read("a\nb\n"));
  std::filesystem::permissions(path, perms::owner_read | perms::owner_write | perms::group_read);
  EXPECT_FALSE(read_credentials(path)->world_readable);
  std::filesystem::permissions(path, perms::others_read, std::filesystem::perm_options::add);
  EXPECT_TRUE(read_credentials(path)->world_readable);
}

}  // namespace
}  // namespace sluice::mqtt
