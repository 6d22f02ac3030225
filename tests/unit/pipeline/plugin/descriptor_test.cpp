#include "pipeline/plugin/descriptor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Kind final : public MonitorKind {
 public:
  explicit Kind(std::string_view name, std::span<const OptionSpec> options = {})
      : name_{name}, options_{options} {}
  std::string_view name() const override { return name_; }
  std::string_view help() const override { return "A kind for tests"; }
  std::span<const OptionSpec> options() const override { return options_; }
  Stream<Output> build(const MonitorInputs& inputs, const Options&) const override {
    return inputs.readings.map([](const Reading&) { return Output{}; });
  }

 private:
  std::string_view name_;
  std::span<const OptionSpec> options_;
};

Status add_tide(Contribution& contribution) {
  static const Kind kTide{"tide"};
  return contribution.add(kTide);
}
Status add_ebb_then_tide(Contribution& contribution) {
  static const Kind kEbb{"ebb"};
  SLUICE_RETURN_IF_ERROR(contribution.add(kEbb));
  return add_tide(contribution);
}
Status throw_after_ebb(Contribution& contribution) {
  static const Kind kEbb{"ebb"};
  SLUICE_RETURN_IF_ERROR(contribution.add(kEbb));
  throw std::runtime_error{"the tables are empty"};
}
Status add_unnamed(Contribution& contribution) {
  static const Kind kUnnamed{"high tide"};
  return contribution.add(kUnnamed);
}
Status add_with_bad_table(Contribution& contribution) {
  static constexpr OptionSpec kSensors{.name = "sensors", .type = OptionType::kNumber, .help = "x"};
  static const Kind kSpring{"spring", {&kSensors, 1}};
  return contribution.add(kSpring);
}
/// Not to be called with a descriptor that is refused.
Status must_not_be_called(Contribution&) {
  ADD_FAILURE() << "a refused plugin was asked to contribute";
  return {};
}

PluginDescriptor refused() { return describe_plugin<&must_not_be_called>("refused", "1"); }

std::string refusal(const PluginDescriptor& descriptor) {
  Registry registry;
  const Status status = contribute(descriptor, registry);
  EXPECT_FALSE(status);
  EXPECT_TRUE(registry.plugins().empty());
  return status ? "" : status.error().message();
}

TEST(Descriptor, OfASoundPluginContributesUnderItsName) {
  Registry registry;
  ASSERT_TRUE(contribute(describe_plugin<&add_tide>("coast", "2.1"), registry, "/coast.so"));
  ASSERT_EQ(registry.plugins().size(), 1U);
  EXPECT_EQ(registry.plugins()[0].name, "coast");
  EXPECT_EQ(registry.plugins()[0].version, "2.1");
  EXPECT_EQ(registry.plugins()[0].from, "/coast.so");
  ASSERT_NE(registry.monitor("tide"), nullptr);
  EXPECT_EQ(registry.monitors()[0].origin, "coast");
}

TEST(Descriptor, WithoutTheMagicNumberIsNotReadAnyFurther) {
  PluginDescriptor descriptor = refused();
  descriptor.magic ^= 1;
  // Reading any of these would crash.
  descriptor.build_stamp = descriptor.name = reinterpret_cast<const char*>(1);
  EXPECT_THAT(refusal(descriptor), HasSubstr("magic number"));
}

TEST(Descriptor, ThatIsTooShortIsNotReadAnyFurther) {
  PluginDescriptor descriptor = refused();
  descriptor.struct_size = 15;
  descriptor.build_stamp = descriptor.name = reinterpret_cast<const char*>(1);
  EXPECT_THAT(refusal(descriptor), AllOf(HasSubstr("15 bytes"), HasSubstr("SLUICE_PLUGIN")));
}

TEST(Descriptor, OfAnotherAbiIsNotReadAnyFurtherAndBothNumbersAreNamed) {
  PluginDescriptor descriptor = refused();
  descriptor.build_stamp = descriptor.name = reinterpret_cast<const char*>(1);
  descriptor.abi_version = kPluginAbi + 6;
  EXPECT_THAT(refusal(descriptor),
              AllOf(HasSubstr("ABI " + std::to_string(kPluginAbi + 6)),
                    HasSubstr("has " + std::to_string(kPluginAbi)), HasSubstr("update Sluice")));
  descriptor.abi_version = kPluginAbi - 1;
  EXPECT_THAT(refusal(descriptor), HasSubstr("rebuild it against this Sluice"));
}

TEST(Descriptor, OfAnotherBuildIsRefusedWithBothStamps) {
  PluginDescriptor descriptor = refused();
  descriptor.build_stamp = "C++98, \n by hand";
  EXPECT_THAT(refusal(descriptor), AllOf(HasSubstr("\"C++98, \\x0a by hand\""),
                                         HasSubstr(kBuildStamp), HasSubstr("rebuild")));
  descriptor.build_stamp = nullptr;
  EXPECT_THAT(refusal(descriptor), HasSubstr(kBuildStamp));
}

TEST(Descriptor, MayBeLongerThanOursOfTheSameAbi) {
  PluginDescriptor descriptor = describe_plugin<&add_tide>("coast", "2.1");
  descriptor.struct_size += 8;
  Registry registry;
  EXPECT_TRUE(contribute(descriptor, registry));
}

TEST(Descriptor, NeedsAPlainNameAVersionAndAFunction) {
  for (const char* name : {"", "a b", "a/b", "\xff", static_cast<const char*>(nullptr)}) {
    PluginDescriptor descriptor = refused();
    descriptor.name = name;
    EXPECT_THAT(refusal(descriptor), HasSubstr("rename it"));
  }
  PluginDescriptor descriptor = refused();
  descriptor.version = nullptr;
  EXPECT_THAT(refusal(descriptor), HasSubstr("no version"));
  descriptor = refused();
  descriptor.contribute = nullptr;
  EXPECT_THAT(refusal(descriptor), HasSubstr("no contribute"));
}

TEST(Descriptor, OfANameThatIsTakenIsRefused) {
  Registry registry;
  ASSERT_TRUE(contribute(describe_plugin<&add_tide>("coast", "2.1"), registry, "/old/coast.so"));
  const Status status =
      contribute(describe_plugin<&must_not_be_called>("coast", "2.2"), registry, "/coast.so");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(status.error().message(), HasSubstr("/old/coast.so"));
  EXPECT_EQ(registry.plugins().size(), 1U);
}

TEST(Descriptor, OfAPluginThatFailsHalfWayLeavesNothingBehind) {
  Registry registry;
  ASSERT_TRUE(contribute(describe_plugin<&add_tide>("coast", "2.1"), registry));
  const Status conflict = contribute(describe_plugin<&add_ebb_then_tide>("shore", "1"), registry);
  ASSERT_FALSE(conflict);
  EXPECT_THAT(conflict.error().message(), AllOf(HasSubstr("'tide'"), HasSubstr("'coast'")));
  const Status thrown = contribute(describe_plugin<&throw_after_ebb>("shore", "1"), registry);
  ASSERT_FALSE(thrown);
  EXPECT_THAT(thrown.error().message(), HasSubstr("it threw: the tables are empty"));
  EXPECT_EQ(registry.monitor("ebb"), nullptr);
  EXPECT_EQ(registry.plugins().size(), 1U);
}

TEST(Descriptor, OfAKindThatCannotBeNamedInAConfigurationIsRefused) {
  EXPECT_THAT(refusal(describe_plugin<&add_unnamed>("coast", "1")),
              HasSubstr("monitor kind 'high tide' must be named with"));
}

TEST(Descriptor, OfAKindWhoseOptionsCannotWorkIsRefused) {
  EXPECT_THAT(refusal(describe_plugin<&add_with_bad_table>("coast", "1")),
              HasSubstr("monitor kind 'spring': option 'sensors' is there already"))
      << "every monitor has sensors";
}

}  // namespace
}  // namespace sluice
