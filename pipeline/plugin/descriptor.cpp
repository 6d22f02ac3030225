#include "pipeline/plugin/descriptor.hpp"

#include <cstring>
#include <type_traits>

#include "pipeline/base/log.hpp"
#include "pipeline/base/text.hpp"

namespace sluice {

static_assert(std::is_standard_layout_v<PluginDescriptor> &&
              std::is_trivially_copyable_v<PluginDescriptor>);

namespace {

Error refuse(ErrorCode code, std::string message) { return {code, std::move(message)}; }

std::string quoted(const char* text) {
  return text == nullptr ? "nothing" : "\"" + printable(text, 200) + "\"";
}

/// In the order in which fields become safe to read: each check vouches for the next.
Status check_descriptor(const PluginDescriptor& d) {
  if (d.magic != kPluginMagic) {
    return refuse(ErrorCode::kInvalid,
                  "it is no plugin of Sluice: its descriptor does not begin with the magic number; "
                  "define it with SLUICE_PLUGIN");
  }
  if (d.struct_size < kPluginMinimumSize) {
    return refuse(ErrorCode::kInvalid, "its descriptor has " + std::to_string(d.struct_size) +
                                           " bytes, less than the " +
                                           std::to_string(kPluginMinimumSize) +
                                           " that every one has; define it with SLUICE_PLUGIN");
  }
  if (d.abi_version != kPluginAbi) {
    const bool older = d.abi_version < kPluginAbi;
    return refuse(ErrorCode::kVersion,
                  "it was built for plugin ABI " + std::to_string(d.abi_version) +
                      ", this Sluice has " + std::to_string(kPluginAbi) + ": " +
                      (older ? "rebuild it against this Sluice"
                             : "update Sluice, or rebuild it against this one"));
  }
  SLUICE_RETURN_IF_ERROR(check_build_stamp(d.build_stamp));
  if (d.name == nullptr || !is_plain_name(d.name)) {
    return refuse(ErrorCode::kInvalid, "its name is " + quoted(d.name) +
                                           ", not 1 to 64 of A-Z a-z 0-9 _ . -: rename it");
  }
  if (d.version == nullptr || d.contribute == nullptr) {
    return refuse(ErrorCode::kInvalid, std::string{"its descriptor has no "} +
                                           (d.version == nullptr ? "version" : "contribute") +
                                           "; define it with SLUICE_PLUGIN");
  }
  return {};
}

}  // namespace

Status check_build_stamp(const char* stamp) {
  if (stamp != nullptr && std::strcmp(stamp, kBuildStamp) == 0) return {};
  return refuse(ErrorCode::kVersion, "it was built as " + quoted(stamp) + ", this Sluice as \"" +
                                         kBuildStamp + "\": rebuild it with the same settings");
}

Status contribute(const PluginDescriptor& descriptor, Registry& registry, std::string_view from) {
  SLUICE_RETURN_IF_ERROR(check_descriptor(descriptor));
  // Into a copy, so that a plugin that fails half-way leaves nothing behind.
  Registry next = registry;
  SLUICE_RETURN_IF_ERROR(next.add_plugin({descriptor.name, descriptor.version, std::string{from}}));
  Contribution contribution{next, descriptor.name};
  Status status;
  descriptor.contribute(contribution, status);
  if (!status) {
    return std::move(status).error().with_context("its contribute function failed");
  }
  registry = std::move(next);
  return {};
}

}  // namespace sluice
