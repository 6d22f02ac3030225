#include "tests/support/loop_disk.hpp"

#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "tests/support/process.hpp"

namespace sluice::test {
namespace {

/// EXT4_IOC_SHUTDOWN and its flag to leave the journal unwritten; no header of the system has them.
constexpr unsigned long kShutdown = _IOR('X', 125, std::uint32_t);
constexpr std::uint32_t kWithoutFlushing = 2;

std::string reason() { return std::strerror(errno); }

/// A file descriptor that closes itself.
class File {
 public:
  File(const std::string& path, int flags) : fd_{::open(path.c_str(), flags | O_CLOEXEC)} {
    if (fd_ < 0) throw LoopDisk::Unavailable("cannot open " + path + ": " + reason());
  }
  ~File() { ::close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

/// A loop device on the file, which goes when nobody uses it any more.
std::pair<std::string, std::unique_ptr<File>> attach(const std::string& image) {
  const File control{"/dev/loop-control", O_RDWR};
  const File file{image, O_RDWR};
  // Between asking for a free one and taking it somebody else may take it.
  for (int attempt = 0; attempt < 20; ++attempt) {
    const int number = ::ioctl(control.fd(), LOOP_CTL_GET_FREE);
    if (number < 0) throw LoopDisk::Unavailable("no free loop device: " + reason());
    const std::string name = "/dev/loop" + std::to_string(number);
    auto device = std::make_unique<File>(name, O_RDWR);
    if (::ioctl(device->fd(), LOOP_SET_FD, file.fd()) != 0) continue;
    loop_info64 facts{};
    facts.lo_flags = LO_FLAGS_AUTOCLEAR;
    if (::ioctl(device->fd(), LOOP_SET_STATUS64, &facts) == 0) return {name, std::move(device)};
    ::ioctl(device->fd(), LOOP_CLR_FD);
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  throw LoopDisk::Unavailable("no loop device can be set up: " + reason());
}

}  // namespace

LoopDisk::LoopDisk(std::uint64_t bytes) {
  if (::geteuid() != 0) throw Unavailable("only root may mount");
  const auto image = files_.write("image", "");
  std::filesystem::resize_file(image, bytes);
  try {
    Process format{{.program = "mkfs.ext4",
                    .arguments = {"-q", "-F", image.string()},
                    .environment = {},
                    .folder = {}}};
    if (format.wait() != ExitStatus{.code = 0, .signal = {}})
      throw Unavailable("mkfs.ext4 failed: " + format.errors());
  } catch (const Unavailable&) {
    throw;
  } catch (const std::runtime_error& e) {
    throw Unavailable(e.what());
  }
  std::filesystem::create_directory(folder());
  // In a world of our own, which ends with the test however that ends.
  if (::unshare(CLONE_NEWNS) != 0 ||
      ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    throw Unavailable("no mounts of our own: " + reason());
  mount();
}

LoopDisk::~LoopDisk() {
  if (mounted_) ::umount2(folder().c_str(), MNT_DETACH);
}

void LoopDisk::mount() {
  const auto [name, device] = attach((files_ / "image").string());
  if (::mount(name.c_str(), folder().c_str(), "ext4", MS_NOATIME, "") != 0)
    throw Unavailable("ext4 on " + name + " cannot be mounted: " + reason());
  mounted_ = true;
}

void LoopDisk::cut_power() {
  const File root{folder().string(), O_RDONLY};
  std::uint32_t flags = kWithoutFlushing;
  if (::ioctl(root.fd(), kShutdown, &flags) != 0)
    throw Unavailable("ext4 cannot be shut down: " + reason());
}

void LoopDisk::restore_power() {
  // A process that was killed a moment ago may still be closing its files.
  for (int attempt = 0; ::umount2(folder().c_str(), 0) != 0; ++attempt) {
    if (errno != EBUSY || attempt == 500)
      throw std::runtime_error("cannot unmount " + folder().string() + ": " + reason());
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  mounted_ = false;
  mount();
}

}  // namespace sluice::test
