// A plugin with one fault, chosen by a definition of the compiler. Without one, it is sound.
#include <stdexcept>

#include "pipeline/plugin/descriptor.hpp"

namespace {

using namespace sluice;

/// A kind that nobody builds a monitor of.
class Kind final : public MonitorKind {
 public:
  explicit Kind(std::string_view name) : name_{name} {}
  std::string_view name() const override { return name_; }
  std::string_view help() const override { return "A kind for tests"; }
  std::span<const OptionSpec> options() const override { return {}; }
  Stream<Output> build(const MonitorInputs& inputs, const Options&) const override {
    return inputs.readings.map([](const Reading&) { return Output{}; });
  }

 private:
  std::string_view name_;
};

}  // namespace

// A function that no Sluice has.
namespace sluice {
int from_another_version(std::string_view text);
}

namespace {

Status add_kinds(Contribution& contribution) {
  static const Kind kFirst{"broken-first"};
  static const Kind kTaken{"watcher"};
  SLUICE_RETURN_IF_ERROR(contribution.add(kFirst));
#if defined(SLUICE_FAULT_taken_kind)
  SLUICE_RETURN_IF_ERROR(contribution.add(kTaken));
#elif defined(SLUICE_FAULT_throws)
  throw std::runtime_error{"no map of the river"};
#elif defined(SLUICE_FAULT_throws_number)
  throw 42;
#elif defined(SLUICE_FAULT_fails)
  return Error{ErrorCode::kUnavailable, "no licence"};
#elif defined(SLUICE_FAULT_missing_symbol)
  static_cast<void>(from_another_version("0.0"));
#endif
  return {};
}

constexpr PluginDescriptor faulty() {
  PluginDescriptor descriptor = describe_plugin<&add_kinds>("broken", "0.1");
#if defined(SLUICE_FAULT_wrong_magic)
  descriptor.magic = 0;
#elif defined(SLUICE_FAULT_short_descriptor)
  descriptor.struct_size = 8;
#elif defined(SLUICE_FAULT_other_abi)
  descriptor.abi_version = 99;
#elif defined(SLUICE_FAULT_other_stamp)
  descriptor.build_stamp = "C++98, by hand";
#elif defined(SLUICE_FAULT_bad_name)
  descriptor.name = "not a name";
#elif defined(SLUICE_FAULT_taken_name)
  descriptor.name = "watcher";
#endif
  return descriptor;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const sluice::PluginDescriptor*
sluice_plugin() noexcept {
#if defined(SLUICE_FAULT_returns_nothing)
  return nullptr;
#else
  static constexpr PluginDescriptor kDescriptor = faulty();
  return &kDescriptor;
#endif
}
