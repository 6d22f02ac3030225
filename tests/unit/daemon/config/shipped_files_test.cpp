// The files that are made by the program are what it makes, and the configurations that documents
// show are ones that it takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "daemon/builtins.hpp"
#include "daemon/config/config.hpp"
#include "daemon/config/reference.hpp"

namespace sluice::daemon {
namespace {

/// A site to put a part of a configuration behind.
constexpr const char* kSomeSite =
    "[site]\nid = \"s\"\n"
    "[[source]]\nname = \"levels\"\ntopic = \"water/+/level\"\n"
    "sensor = \"topic:1\"\nlevel = \"/level\"\n";

std::string path_of(const std::string& name) { return std::string{SLUICE_SOURCE_DIR} + "/" + name; }

std::string read(const std::string& name) {
  std::ifstream stream{path_of(name), std::ios::binary};
  EXPECT_TRUE(stream) << name;
  return {std::istreambuf_iterator<char>{stream}, {}};
}

/// What stands between ``` with that language and ``` in a document.
std::vector<std::string> blocks_of(const std::string& document, const std::string& language) {
  std::istringstream lines{document};
  std::vector<std::string> blocks;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "```" + language) {
      blocks.emplace_back();
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

/// Without any white space: an excerpt may be laid out for a narrow column.
std::string squeezed(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  return text;
}

/// All sources that a document links to, one behind the other.
std::string linked_sources(const std::string& document) {
  static const std::regex kLink{R"re([("]\.\./([\w/]+\.[hc]pp)[)"])re"};
  std::string out;
  for (std::sregex_iterator at{document.begin(), document.end(), kLink}, end; at != end; ++at) {
    out += read((*at)[1]);
  }
  return out;
}

std::string problems_of(const std::string& text, const std::string& name) {
  return load_config_text(text, name, builtin_catalog()).rendered();
}

TEST(ShippedFiles, ReferenceIsWhatTheProgramPrints) {
  EXPECT_EQ(read("docs/configuration.md"), configuration_reference(builtin_catalog()))
      << "make it anew: sluice config-reference > docs/configuration.md";
}

TEST(ShippedFiles, ExampleIsWhatTheProgramPrints) {
  EXPECT_EQ(read("etc/sluice.toml"), example_file(builtin_catalog()))
      << "make it anew: sluice config-reference --example > etc/sluice.toml";
}

TEST(ShippedFiles, ExampleWatchesForAFloodAndForJumps) {
  const LoadedConfig loaded = load_config(path_of("etc/sluice.toml"), builtin_catalog());
  ASSERT_TRUE(loaded.ok()) << loaded.rendered();
  ASSERT_EQ(loaded.config.monitors.size(), 2U);
  EXPECT_EQ(loaded.config.monitors[0].kind, "threshold");
  EXPECT_EQ(loaded.config.monitors[1].kind, "delta");
}

TEST(ShippedFiles, FirstConfigurationInReadmeIsWhole) {
  const auto blocks = blocks_of(read("README.md"), "toml");
  ASSERT_FALSE(blocks.empty());
  EXPECT_EQ(problems_of(blocks.front(), "README.md"), "");
}

class DocumentWithConfiguration : public testing::TestWithParam<const char*> {};

TEST_P(DocumentWithConfiguration, ShowsNothingThatIsRefused) {
  const auto blocks = blocks_of(read(GetParam()), "toml");
  EXPECT_FALSE(blocks.empty());
  for (const auto& block : blocks) {
    EXPECT_EQ(problems_of(kSomeSite + block, GetParam()), "") << block;
  }
}

INSTANTIATE_TEST_SUITE_P(Documents, DocumentWithConfiguration,
                         testing::Values("docs/monitors.md", "docs/operations.md",
                                         "docs/durability.md"),
                         [](const auto& i) {
                           std::string name;
                           for (const char c : std::string{i.param}) {
                             name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           }
                           return name;
                         });

TEST(FromFlink, ShowsCodeThatStandsInTheSourcesItLinksTo) {
  const std::string document = read("docs/from-flink.md");
  const std::string sources = squeezed(linked_sources(document));
  const auto excerpts = blocks_of(document, "cpp");
  EXPECT_GE(excerpts.size(), 14U);
  for (const auto& excerpt : excerpts) {
    EXPECT_NE(sources.find(squeezed(excerpt)), std::string::npos) << excerpt;
  }
}

}  // namespace
}  // namespace sluice::daemon
