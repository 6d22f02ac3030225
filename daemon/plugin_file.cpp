#include "daemon/plugin_file.hpp"

#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "pipeline/plugin/build_stamp.hpp"

namespace sluice::daemon {

namespace {

constexpr uid_t kFirstUserOfPeople = 1000;

Error invalid(std::string message) { return {ErrorCode::kInvalid, std::move(message)}; }

Status check_owner(const std::string& path, const std::vector<uid_t>& owners) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    return Error{ErrorCode::kIo, "cannot look at " + path + ": " + std::strerror(errno)};
  }
  const std::string what = (S_ISDIR(info.st_mode) ? "folder " : "file ") + path;
  if (std::find(owners.begin(), owners.end(), info.st_uid) == owners.end()) {
    return invalid("the " + what + " belongs to user " + std::to_string(info.st_uid) +
                   ", but a service loads only what belongs to root: chown root " + path);
  }
  // In a folder with the sticky bit, only its owner can replace a file.
  const bool sticky = S_ISDIR(info.st_mode) && (info.st_mode & S_ISVTX) != 0;
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !sticky) {
    return invalid("the " + what + " can be written to by others than its owner: chmod go-w " +
                   path);
  }
  return {};
}

/// The fields of an ELF header that matter here; their places are the same for 32 and 64 bits.
struct ElfHead {
  std::array<unsigned char, 20> bytes{};

  bool is_elf() const { return std::memcmp(bytes.data(), "\177ELF", 4) == 0; }
  int bits() const { return bytes[4] == 2 ? 64 : 32; }
  unsigned half(std::size_t at) const {
    const unsigned low = bytes[at];
    const unsigned high = bytes[at + 1];
    return bytes[5] == 2 ? low << 8 | high : high << 8 | low;
  }
  unsigned type() const { return half(16); }
  unsigned machine() const { return half(18); }
};
constexpr unsigned kSharedObject = 3;

std::optional<ElfHead> read_head(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) return std::nullopt;
  ElfHead head;
  std::array<char, 20> bytes{};
  file.read(bytes.data(), bytes.size());
  std::memcpy(head.bytes.data(), bytes.data(), bytes.size());
  return head;
}

std::string machine_name(const ElfHead& head) {
  switch (head.machine()) {
    case 3: return "i386";
    case 40: return "32-bit ARM";
    case 62: return "x86-64";
    case 183: return "64-bit ARM";
    case 243: return std::to_string(head.bits()) + "-bit RISC-V";
    default: return "machine " + std::to_string(head.machine());
  }
}

/// Where the last of the parts ends that the header and its tables speak of. The linker maps them
/// without a look at the size, and what is behind the end of the file cannot be read then.
std::optional<std::uint64_t> announced_size(std::ifstream& file) {
  ElfW(Ehdr) head{};
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(&head), sizeof head)) return std::nullopt;
  std::uint64_t end = head.e_shoff + std::uint64_t{head.e_shnum} * head.e_shentsize;
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    ElfW(Phdr) part{};
    file.seekg(static_cast<std::streamoff>(head.e_phoff) + std::streamoff{i} * head.e_phentsize);
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) return std::nullopt;
    end = std::max<std::uint64_t>(end, part.p_offset + part.p_filesz);
  }
  return end;
}

Status check_whole(const std::string& path) {
  std::ifstream file{path, std::ios::binary | std::ios::ate};
  const auto size = static_cast<std::uint64_t>(std::max<std::streamoff>(file.tellg(), 0));
  const auto announced = announced_size(file);
  if (announced && *announced <= size) return {};
  return Error{ErrorCode::kCorrupt, "it is cut off after " + std::to_string(size) + " bytes" +
                                        (announced ? " of " + std::to_string(*announced) : "") +
                                        ": install it again"};
}

}  // namespace

PluginTrust PluginTrust::of_this_process() {
  const bool service = ::geteuid() < kFirstUserOfPeople || std::getenv("NOTIFY_SOCKET") != nullptr;
  return service ? PluginTrust{std::vector<uid_t>{0}} : PluginTrust{};
}

Status check_trust(const std::string& path, const PluginTrust& trust) {
  if (!trust.owners) return {};
  // Whoever may rename a folder above the file may put another file in its place.
  for (std::size_t end = path.size(); end != std::string::npos && end > 0;
       end = path.rfind('/', end - 1)) {
    SLUICE_RETURN_IF_ERROR(check_owner(path.substr(0, end), *trust.owners));
  }
  return check_owner("/", *trust.owners);
}

Status check_shared_object(const std::string& path) {
  const auto head = read_head(path);
  if (!head) return Error{ErrorCode::kIo, std::string{"cannot read it: "} + std::strerror(errno)};
  if (!head->is_elf() || head->type() != kSharedObject) {
    return invalid(std::string{"it is no shared object, but "} +
                   (head->is_elf() ? "another kind of binary" : "some other file") +
                   ": build it with sluice_add_plugin");
  }
  const auto own = read_head("/proc/self/exe");
  if (own && own->is_elf() && machine_name(*own) != machine_name(*head)) {
    return invalid("it was built for " + machine_name(*head) + ", this machine is " +
                   machine_name(*own) + ": build it for this machine");
  }
  return check_whole(path);
}

std::optional<std::string> build_stamp_in(const std::string& path) {
  std::ifstream file{path, std::ios::binary | std::ios::ate};
  const std::streamoff size = file ? std::streamoff{file.tellg()} : 0;
  std::string bytes(static_cast<std::size_t>(std::max<std::streamoff>(size, 0)), '\0');
  file.seekg(0).read(bytes.data(), size);
  const auto at = bytes.find(kBuildStampMark);
  if (at == std::string::npos) return std::nullopt;
  const auto begin = at + kBuildStampMark.size();
  return bytes.substr(begin, std::min(bytes.find('\0', begin), bytes.size()) - begin);
}

}  // namespace sluice::daemon
