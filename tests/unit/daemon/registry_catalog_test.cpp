#include "daemon/registry_catalog.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/config/sections.hpp"
#include "plugins/formats/formats.hpp"
#include "plugins/mqtt/mqtt.hpp"
#include "plugins/mqtt/topic_filter.hpp"

namespace sluice::daemon {
namespace {

using testing::HasSubstr;

constexpr OptionSpec kLimit{.name = "limit", .type = OptionType::kNumber, .help = "how much"};

class Flood final : public MonitorKind {
 public:
  std::string_view name() const override { return "flood"; }
  std::string_view help() const override { return "Too much water"; }
  std::span<const OptionSpec> options() const override { return {&kLimit, 1}; }
  Status check(const Options& options) const override {
    if (options.has("limit")) return {};
    return Error{ErrorCode::kInvalid, "a flood needs a 'limit'"};
  }
  Stream<Output> build(const MonitorInputs& inputs, const Options&) const override {
    return inputs.readings.map([](const Reading&) { return Output{}; });
  }
};

TransportChecks mqtt_checks() {
  return {mqtt::mqtt_options(),
          [](const Options& options) {
            const auto checked = mqtt::from(options);
            return checked ? Status::ok() : Status{checked.error()};
          },
          &mqtt::check_filter};
}

TEST(RegistryCatalog, ShowsWhatIsInTheRegistryAlsoWhatComesLater) {
  Registry registry;
  const RegistryCatalog catalog{registry, mqtt_checks()};
  EXPECT_TRUE(catalog.formats().empty());
  EXPECT_TRUE(catalog.monitors().empty());

  const Flood flood;
  ASSERT_TRUE(registry.add(formats::json_format(), "formats"));
  ASSERT_TRUE(registry.add(flood, "water"));
  ASSERT_EQ(catalog.formats().size(), 1U);
  EXPECT_EQ(catalog.formats()[0].name, "json");
  ASSERT_EQ(catalog.monitors().size(), 1U);
  EXPECT_EQ(catalog.monitors()[0].name, "flood");
  EXPECT_EQ(catalog.monitors()[0].help, "Too much water");
  EXPECT_EQ(catalog.monitors()[0].options.data(), &kLimit);
}

TEST(RegistryCatalog, LeavesCrossChecksToTheKindAndTheFormat) {
  Registry registry;
  const Flood flood;
  ASSERT_TRUE(registry.add(formats::json_format(), "formats"));
  ASSERT_TRUE(registry.add(flood, "water"));
  const RegistryCatalog catalog{registry, mqtt_checks()};

  Options options;
  EXPECT_EQ(catalog.check_monitor("flood", options).error().message(), "a flood needs a 'limit'");
  options.set("limit", 4.0);
  EXPECT_TRUE(catalog.check_monitor("flood", options));

  Options mapping = Options::fallbacks(formats::json_format().options());
  mapping.set("sensor", std::string{"topic:1"});
  mapping.set("level", std::string{"/level"});
  EXPECT_TRUE(catalog.check_format("json", mapping));
  mapping.set("level", std::string{"no path~"});
  EXPECT_FALSE(catalog.check_format("json", mapping));
}

TEST(RegistryCatalog, AsksTheTransportAboutItsOwn) {
  const Registry registry;
  const RegistryCatalog catalog{registry, mqtt_checks()};
  EXPECT_EQ(catalog.mqtt_options().data(), mqtt::mqtt_options().data());
  EXPECT_TRUE(catalog.check_mqtt(Options::fallbacks(mqtt::mqtt_options())));
  EXPECT_TRUE(catalog.check_topic_filter("water/+/level"));
  EXPECT_FALSE(catalog.check_topic_filter("water/#/level"));
}

TEST(RegistryCatalog, SaysWhereToFindTheNamesThereAre) {
  const Registry registry;
  const RegistryCatalog catalog{registry, mqtt_checks()};
  EXPECT_THAT(catalog.check_monitor("ebb", {}).error().message(), HasSubstr("sluice plugins"));
  EXPECT_THAT(catalog.check_format("ebb", {}).error().message(), HasSubstr("sluice plugins"));
}

/// A kind with one option, and one that throws when it is to check it.
class Moody final : public MonitorKind {
 public:
  explicit Moody(const OptionSpec& option) : option_{option} {}
  std::string_view name() const override { return "moody"; }
  std::string_view help() const override { return "Not today"; }
  std::span<const OptionSpec> options() const override { return {&option_, 1}; }
  Status check(const Options&) const override { throw std::runtime_error{"not today"}; }
  Stream<Output> build(const MonitorInputs& inputs, const Options&) const override {
    return inputs.readings.map([](const Reading&) { return Output{}; });
  }

 private:
  OptionSpec option_;
};

TEST(RegistryCatalog, SaysWhichKindThrewWhenItWasToCheckItsOptions) {
  static const Moody kMoody{kLimit};
  Registry registry;
  ASSERT_TRUE(registry.add(kMoody, "test"));
  const auto status = RegistryCatalog{registry, mqtt_checks()}.check_monitor("moody", {});
  ASSERT_FALSE(status);
  EXPECT_THAT(
      status.error().message(),
      HasSubstr("the monitor kind 'moody' failed when it was to check its options: not today"));
}

TEST(RegistryCatalog, HasNoKindWithAnOptionThatEveryMonitorHas) {
  for (const OptionSpec& option : kMonitorOptions) {
    Registry registry;
    EXPECT_FALSE(registry.add(Moody{option}, "test")) << option.name;
  }
}

}  // namespace
}  // namespace sluice::daemon
