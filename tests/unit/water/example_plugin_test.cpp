// The plugin that docs/writing-a-plugin.md shows is example_plugin.cpp, and it works.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/plugin/descriptor.hpp"
#include "tests/unit/water/monitor_run.hpp"
#include "tests/unit/water/text_file.hpp"

extern "C" const sluice::PluginDescriptor* sluice_plugin() noexcept;

namespace sluice::water {

namespace {

using testing::ElementsAre;

TEST(ExamplePlugin, ContributesItsKindAndTheKindWorks) {
  Registry registry;
  const auto status = contribute(*sluice_plugin(), registry);
  ASSERT_TRUE(status) << status.error().message();
  const MonitorKind* record = registry.monitor("record");
  ASSERT_NE(record, nullptr);
  const auto outputs =
      outputs_of(*record, options_of(*record), {level(100), level(102.5), level(102.5), level(90)});
  EXPECT_THAT(texts_of(outputs),
              ElementsAre("mill-bridge reached 102.5, more than ever before (100)"));
}

TEST(ExamplePlugin, IsShownInTheDocumentsAsItIs) {
  const std::string code = text_of("tests/unit/water/example_plugin.cpp");
  EXPECT_THAT(text_of("docs/writing-a-plugin.md"), testing::HasSubstr("```cpp\n" + code + "```\n"));
}

}  // namespace

}  // namespace sluice::water
