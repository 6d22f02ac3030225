#include "daemon/config/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "daemon/config/reference.hpp"
#include "tests/unit/daemon/config/fake_catalog.hpp"

namespace sluice::daemon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kTenLines = R"([site]
id = "mill-bridge"
[mqtt]
server = "mqtt://localhost:1883"
[[source]]
name = "levels"
topic = "water/+/level"
sensor = "topic:1"
level = "/level"
[[monitor]]
name = "jump"
kind = "delta"
limit = 10
)";

LoadedConfig load(const std::string& text) {
  return load_config_text(text, "sluice.toml", FakeCatalog{});
}
Config good(const std::string& text) {
  const LoadedConfig loaded = load(text);
  EXPECT_TRUE(loaded.ok()) << loaded.rendered();
  return loaded.config;
}

TEST(Config, OfTenLinesIsAWholeOne) {
  const Config config = good(std::string{kTenLines});
  EXPECT_EQ(config.site.id, "mill-bridge");
  EXPECT_EQ(config.site.prefix, "sluice/mill-bridge");
  EXPECT_EQ(config.site.log_level, LogLevel::kInfo);
  EXPECT_EQ(config.mqtt.text("server"), "mqtt://localhost:1883");
  ASSERT_EQ(config.sources.size(), 1U);
  EXPECT_EQ(config.sources[0].name, "levels");
  EXPECT_EQ(config.sources[0].format, "json");
  EXPECT_EQ(config.sources[0].qos, 1);
  EXPECT_EQ(config.sources[0].options.text("level"), "/level");
  ASSERT_EQ(config.monitors.size(), 1U);
  EXPECT_EQ(config.monitors[0].kind, "delta");
  EXPECT_EQ(config.monitors[0].options.number("limit"), 10.0);
  EXPECT_FALSE(config.monitors[0].options.has("per"));
  EXPECT_EQ(config.journal.sync, SyncPolicy::kAlert);
  EXPECT_EQ(config.journal.sync_interval, Duration{5000});
  EXPECT_EQ(config.checkpoint.interval, Duration{60'000});
  EXPECT_EQ(config.limits.payload_size, 256 * 1024);
}

TEST(Config, TakesEveryOptionOfItsOwnSections) {
  const Config config = good(R"([site]
id = "a"
prefix = "plant/water"
data_dir = "/srv/sluice"
log_level = "debug"
[[source]]
topic = "a/#"
format = "text"
qos = 0
name = "a"
[[source]]
name = "b"
topic = "b"
level = "/v"
[[monitor]]
sensors = ["weir-*", "gate-?"]
sources = ["b"]
kind = "top"
name = "a"
qos = 0
retain = true
order = "lowest"
[time]
disorder = "2s"
idle = "30s"
future = "5min"
[checkpoint]
interval = "10s"
journal_size = "1MiB"
[journal]
segment_size = "1MiB"
sync = "each"
sync_interval = "1s"
keep_age = "7d"
keep_size = "2GiB"
[limits]
payload_size = "1KiB"
intake_messages = 10
outbox_messages = 20
outbox_size = "64KiB"
)");
  EXPECT_EQ(config.site.prefix, "plant/water");
  EXPECT_EQ(config.site.data_dir, "/srv/sluice");
  EXPECT_EQ(config.site.log_level, LogLevel::kDebug);
  EXPECT_EQ(config.sources[0].format, "text");
  EXPECT_EQ(config.sources[0].qos, 0);
  EXPECT_EQ(config.sources[1].name, "b");
  EXPECT_THAT(config.monitors[0].sensors, ElementsAre("weir-*", "gate-?"));
  EXPECT_THAT(config.monitors[0].sources, ElementsAre("b"));
  EXPECT_EQ(config.monitors[0].qos, 0);
  EXPECT_TRUE(config.monitors[0].retain);
  EXPECT_EQ(config.time.disorder, Duration{2000});
  EXPECT_EQ(config.time.idle, Duration{30'000});
  EXPECT_EQ(config.time.future, Duration{300'000});
  EXPECT_EQ(config.checkpoint.journal_size, 1 << 20);
  EXPECT_EQ(config.journal.sync, SyncPolicy::kEach);
  EXPECT_EQ(config.journal.keep_age, Duration{604'800'000});
  EXPECT_EQ(config.journal.keep_size, std::int64_t{2} << 30);
  EXPECT_EQ(config.limits.intake_messages, 10);
  EXPECT_EQ(config.limits.outbox_messages, 20);
  EXPECT_EQ(config.limits.outbox_size, 65536);
}

TEST(Config, MayWriteItsTablesInline) {
  const Config config = good(
      "site = { id = \"a\" }\n"
      "source = [ { name = \"x\", topic = \"t\", level = \"/l\" } ]\n");
  EXPECT_EQ(config.sources.at(0).name, "x");
}

TEST(Config, PointsIntoInlineTablesToo) {
  EXPECT_THAT(load("site = { id = \"a\", lid = 3 }\n").rendered(),
              HasSubstr("sluice.toml:1:20: error: unknown option 'lid' in [site]"));
}

TEST(Config, RefusesTablesThatAreNone) {
  const std::string text = load("site = 3\nsource = [1, {}]\nmonitor = \"x\"\n").rendered();
  EXPECT_THAT(text, HasSubstr("1:8: error: [site] must be a table, not a whole number"));
  EXPECT_THAT(text, HasSubstr("2:11: error: [[source]] must be a table, not a whole number"));
  EXPECT_THAT(text, HasSubstr("2:14: error: [[source]] needs 'name'"));
  EXPECT_THAT(text, HasSubstr("3:11: error: 'monitor' must be a list of tables, not a text"));
}

TEST(Config, ShowsHostileNamesHarmlessly) {
  const std::string text =
      load("[site]\nid = \"a\\u001b[2J\\nb\"\n\"k\\u0007\" = 1\n" + std::string{"# \x1b[31m\n"})
          .rendered();
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\a")));
}

TEST(Config, RunsCrossChecksOnlyOnTablesThatAreRightByThemselves) {
  const std::string base =
      "[site]\nid = \"a\"\n[[source]]\nname = \"s\"\ntopic = \"t\"\nlevel = \"/l\"\n"
      "[[monitor]]\nname = \"m\"\nkind = \"delta\"\nlimit = 0\n";
  EXPECT_THAT(load(base + "per = \"1h\"\n").rendered(),
              HasSubstr("7:1: error: [[monitor]] \"m\": a rate of 0"));
  EXPECT_THAT(load(base + "per = \"1x\"\n").rendered(), Not(HasSubstr("a rate of 0")));
}

TEST(Config, ReadsNothingButTheNamedFile) {
  const LoadedConfig loaded = load_config("no/such/file.toml", FakeCatalog{});
  EXPECT_EQ(loaded.rendered(),
            "no/such/file.toml: error: there is no such file\n"
            "  hint: name the configuration file with --config FILE\n");
}

TEST(DefaultDataDir, IsWhatSystemdProvides) {
  EXPECT_EQ(default_data_dir(nullptr), "/var/lib/sluice");
  EXPECT_EQ(default_data_dir(""), "/var/lib/sluice");
  EXPECT_EQ(default_data_dir("/var/lib/other"), "/var/lib/other");
  EXPECT_EQ(default_data_dir("/a:/b"), "/a");
}

TEST(ConfigReference, ExampleIsAcceptedAsItIs) {
  const Config config = good(example_file(FakeCatalog{}));
  EXPECT_EQ(config.monitors.at(0).kind, "delta");
}

TEST(ConfigReference, NamesEveryOption) {
  const FakeCatalog catalog;
  const std::string document = configuration_reference(catalog);
  const std::string example = example_file(catalog);
  for (const auto& kinds : {catalog.formats(), catalog.monitors()}) {
    for (const KindEntry& kind : kinds) {
      EXPECT_THAT(document, HasSubstr("= \"" + std::string{kind.name} + "\""));
      for (const OptionSpec& spec : kind.options) {
        EXPECT_THAT(document, HasSubstr("| `" + std::string{spec.name} + "` | "));
        EXPECT_THAT(example, HasSubstr(std::string{spec.name} + " = "));
      }
    }
  }
  EXPECT_THAT(document, HasSubstr("| `limit` | the largest step that is no alert | number in cm, "
                                  "at least 0 | `10` |\n"));
}

TEST(Closest, FindsSlipsAndNothingElse) {
  const std::vector<std::string_view> known{"topic", "format", "qos", "warning"};
  EXPECT_EQ(closest("topics", known), "topic");
  EXPECT_EQ(closest("tpoic", known), "topic");
  EXPECT_EQ(closest("fromat", known), "format");
  EXPECT_EQ(closest("warn", known), "warning");
  EXPECT_EQ(closest("q", known), "");
  EXPECT_EQ(closest("entirely-else", known), "");
  EXPECT_EQ(closest("", known), "");
  EXPECT_EQ(closest(std::string(10'000, 'x'), known), "");
}

TEST(RenderProblems, PutsTheCaretUnderTheCharacterNotTheByte) {
  const Problems problems{{"f", {1, 10, 4}, "m", ""}};
  EXPECT_EQ(render_problems(problems, "\tü\tö = 1é3\n"),
            "f:1:8: error: m\n   ü ö = 1é3\n         ^~~\n");
}

TEST(RenderProblems, CutsLongLinesAroundThePlace) {
  const std::string source = std::string(500, 'a') + "!" + std::string(500, 'b');
  const std::string text = render_problems({{"f", {1, 501, 1}, "m", ""}}, source);
  EXPECT_EQ(text, "f:1:501: error: m\n  …" + std::string(60, 'a') + "!" + std::string(39, 'b') +
                      "…\n   " + std::string(60, ' ') + "^\n");
}

TEST(RenderProblems, StopsAtAHundred) {
  const std::string text = render_problems(Problems(250, {"f", {1, 1, 1}, "m", ""}), "a");
  EXPECT_THAT(text, testing::EndsWith("  ^\nf: error: and 150 more\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 301);
}

TEST(RenderProblems, LivesWithPlacesThatAreNotThere) {
  EXPECT_EQ(render_problems({{"f", {9, 9, 9}, "m", "h"}}, "a"), "f:9:1: error: m\n  hint: h\n");
  EXPECT_EQ(render_problems({{"f", {1, 99, 9}, "m", ""}}, "a"), "f:1:2: error: m\n  a\n   ^\n");
}

/// The file with the tables that every one has, and these; what is said about it.
std::string said_about(const std::string& site, const std::string& source,
                       const std::string& rest) {
  const std::string text = "[site]\nid = \"t\"\n" + site +
                           "[[source]]\nname = \"l\"\nsensor = \"/s\"\nlevel = \"/v\"\n" + source +
                           rest;
  return load_config_text(text, "c.toml", FakeCatalog{}).rendered();
}

TEST(Config, RefusesEmptyListsOfWhatToListenTo) {
  for (const char* option : {"sources", "sensors"}) {
    EXPECT_THAT(
        said_about("", "topic = \"a\"\n",
                   "[[monitor]]\nname = \"m\"\nkind = \"top\"\n" + std::string{option} + " = []\n"),
        HasSubstr("'" + std::string{option} + "' is empty"));
  }
}

TEST(Config, RefusesAMonitorNamedLikeOurselves) {
  EXPECT_THAT(said_about("", "topic = \"a\"\n", "[[monitor]]\nname = \"sluice\"\nkind = \"top\"\n"),
              HasSubstr("'name' must not be \"sluice\""));
}

TEST(Config, RefusesAJournalWithoutRoomForItsSegments) {
  const auto journal = [](const std::string& lines) {
    return said_about("", "topic = \"a\"\n", "[journal]\n" + lines);
  };
  EXPECT_THAT(journal("max_size = \"15MiB\"\n"), HasSubstr("at least twice 'segment_size' (8MiB)"));
  EXPECT_THAT(journal("segment_size = \"1GiB\"\nmax_size = \"1GiB\"\n"),
              HasSubstr("at least twice"));
  EXPECT_EQ(journal("max_size = \"16MiB\"\n"), "");
  EXPECT_EQ(journal("max_size = \"0B\"\n"), "");
}

}  // namespace
}  // namespace sluice::daemon
