#include "daemon/config/plugins_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/config/config.hpp"
#include "tests/unit/daemon/config/fake_catalog.hpp"

namespace sluice::daemon {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A whole file with this table in it.
std::string with(const std::string& plugins) {
  return "[site]\nid = \"a\"\n[[source]]\nname = \"x\"\ntopic = \"t\"\nlevel = \"/l\"\n" + plugins;
}
LoadedConfig load(const std::string& text) {
  return load_config_text(text, "sluice.toml", FakeCatalog{});
}

TEST(PluginsConfig, WithoutATableIsTheUsualFolder) {
  EXPECT_EQ(plugins_of_text(with("")).dir, kPluginDir);
  EXPECT_THAT(plugins_of_text(with("")).load, IsEmpty());
  const LoadedConfig loaded = load(with(""));
  EXPECT_TRUE(loaded.ok()) << loaded.rendered();
  EXPECT_EQ(loaded.config.plugins.dir, kPluginDir);
}

TEST(PluginsConfig, IsTheSameAheadAndInTheWholeFile) {
  const std::string text = with("[plugins]\nload = [\"/opt/b.so\", \"/opt/a.so\"]\ndir = \"\"\n");
  const LoadedConfig loaded = load(text);
  ASSERT_TRUE(loaded.ok()) << loaded.rendered();
  for (const PluginsConfig& plugins : {plugins_of_text(text), loaded.config.plugins}) {
    EXPECT_THAT(plugins.load, ElementsAre("/opt/b.so", "/opt/a.so"));
    EXPECT_EQ(plugins.dir, "");
  }
}

TEST(PluginsConfig, IsReadAheadOfMonitorsThatNobodyKnowsYet) {
  const PluginsConfig plugins =
      plugins_of_text(with("[[monitor]]\nname = \"m\"\nkind = \"of-a-plugin\"\nx = 1\n"
                           "[plugins]\ndir = \"/opt/plugins\"\n"));
  EXPECT_EQ(plugins.dir, "/opt/plugins");
}

TEST(PluginsConfig, ReadAheadOfAnythingBrokenIsTheUsualFolder) {
  for (const char* text : {"[plugins", "plugins = 3", "[[plugins]]\ndir = \"/x\"",
                           "[plugins]\ndir = 3", "[plugins]\nload = [1]\ndir = \"/x\"", "\xff"}) {
    EXPECT_EQ(plugins_of_text(text).dir, kPluginDir) << text;
    EXPECT_THAT(plugins_of_text(text).load, IsEmpty()) << text;
  }
  EXPECT_EQ(plugins_of("/nowhere/sluice.toml").dir, kPluginDir);
}

TEST(PluginsConfig, WantsAbsolutePathsAndPointsAtOthers) {
  const LoadedConfig loaded = load(with("[plugins]\nload = [\"/a.so\", \"b.so\"]\ndir = \"c\"\n"));
  ASSERT_EQ(loaded.problems.size(), 2U) << loaded.rendered();
  EXPECT_THAT(loaded.problems[0].message, AllOf(HasSubstr("'load'"), HasSubstr("\"b.so\"")));
  EXPECT_EQ(loaded.problems[0].at.line, 8U);
  EXPECT_EQ(loaded.problems[0].at.column, 18U);
  EXPECT_THAT(loaded.problems[1].message, AllOf(HasSubstr("'dir'"), HasSubstr("\"c\"")));
}

TEST(PluginsConfig, RefusesUnknownOptions) {
  const LoadedConfig loaded = load(with("[plugins]\nfolder = \"/a\"\n"));
  EXPECT_FALSE(loaded.ok());
  EXPECT_THAT(loaded.rendered(), HasSubstr("folder"));
}

}  // namespace
}  // namespace sluice::daemon
