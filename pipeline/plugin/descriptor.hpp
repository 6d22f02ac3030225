// PluginDescriptor: what a plugin says about itself before anything else of it is used. Linked in
// or loaded, every plugin has one; docs/writing-a-plugin.md walks through a whole plugin.
//
//   sluice::Status contribute(sluice::Contribution& contribution) {
//     static const RateOfRise kRateOfRise;
//     return contribution.add(kRateOfRise);
//   }
//   SLUICE_PLUGIN("rate-of-rise", "1.0.0", contribute)
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

#include "pipeline/base/result.hpp"
#include "pipeline/plugin/build_stamp.hpp"
#include "pipeline/plugin/registry.hpp"

namespace sluice {

/// Grows with every change of what a plugin compiles in: the layout of a class, the meaning of a
/// call, a virtual function in the headers of pipeline/. A plugin of another number is refused.
inline constexpr std::uint32_t kPluginAbi = 3;

/// What a plugin adds, on its way into the registry. Start of the program only.
class Contribution {
 public:
  Contribution(Registry& registry, std::string_view plugin)
      : registry_{registry}, plugin_{plugin} {}

  /// kConflict if the name is taken. What is added must live as long as the program: make it a
  /// static object of the plugin, which is never unloaded.
  Status add(const Format& format) { return registry_.add(format, plugin_); }
  Status add(const MonitorKind& kind) { return registry_.add(kind, plugin_); }

 private:
  Registry& registry_;
  std::string plugin_;
};

/// Members are only ever added at the end. Nothing in it is a C++ object with a layout that
/// compilers or libraries might see differently, so reading it is safe whoever built it.
struct PluginDescriptor {
  std::uint64_t magic;        ///< kPluginMagic
  std::uint32_t struct_size;  ///< sizeof(PluginDescriptor) as the plugin knew it
  std::uint32_t abi_version;  ///< kPluginAbi as the plugin knew it
  const char* build_stamp;    ///< kBuildStamp of the plugin's compiler
  const char* name;           ///< 1 to 64 of A-Z a-z 0-9 _ . -
  const char* version;        ///< of the plugin, for people
  /// Adds all that the plugin has, or says why it cannot.
  void (*contribute)(Contribution& contribution, Status& status) noexcept;
};

/// "SLUICEPL" in the byte order of this machine.
inline constexpr std::uint64_t kPluginMagic = 0x4c50454349554c53;

/// The smallest descriptor there ever was: what may be read of any.
inline constexpr std::uint32_t kPluginMinimumSize = sizeof(PluginDescriptor);

namespace detail {

/// The wall around a plugin's contribute function: what it throws becomes a Status on the side
/// that knows its type.
template <Status (*Contribute)(Contribution&)>
void contribute_safely(Contribution& contribution, Status& status) noexcept {
  try {
    status = Contribute(contribution);
  } catch (const std::exception& fault) {
    status = Error{ErrorCode::kInternal, std::string{"it threw: "} + fault.what()};
  } catch (...) {
    status = Error{ErrorCode::kInternal, "it threw something that is no std::exception"};
  }
}

}  // namespace detail

/// The descriptor of a plugin that is linked in; SLUICE_PLUGIN makes that of a loaded one.
template <Status (*Contribute)(Contribution&)>
constexpr PluginDescriptor describe_plugin(const char* name, const char* version) {
  return {kPluginMagic,
          sizeof(PluginDescriptor),
          kPluginAbi,
          kBuildStamp,
          name,
          version,
          &detail::contribute_safely<Contribute>};
}

/// Whether a plugin with this build stamp (which may be null) fits. The message names both.
Status check_build_stamp(const char* stamp);

/// Checks a descriptor (magic, size, ABI number, build stamp, name, in that order, and nothing of
/// it is used before), then has it contribute. All or nothing: after a failure the registry is as
/// it was. `from` is the file it came from, or "built in". The message names both values and the
/// cure, but not `from`.
Status contribute(const PluginDescriptor& descriptor, Registry& registry,
                  std::string_view from = "built in");

}  // namespace sluice

/// Once in a shared object: its one way in. `contribute_function` is a
/// `sluice::Status f(sluice::Contribution&)`.
#define SLUICE_PLUGIN(name, version, contribute_function)                           \
  extern "C" __attribute__((visibility("default"))) const sluice::PluginDescriptor* \
  sluice_plugin() noexcept {                                                        \
    static constexpr sluice::PluginDescriptor kDescriptor =                         \
        sluice::describe_plugin<&contribute_function>(name, version);               \
    return &kDescriptor;                                                            \
  }
