// Loaded in front of the C library, makes chosen system calls fail for as long as a file says so.
// SLUICE_FAULTS names the file; it holds "<calls> <errno> <part of a path>", calls being any of
// read, write, sync and dns, joined by commas; or "hang" instead of the errno, and they do not
// return before the file says otherwise. No such file, or an empty one: no faults.
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using Text = std::array<char, 512>;

template <class F>
F* real(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

constexpr int kHangs = -1;

/// The errno for this call, or kHangs, or 0. System calls only: the library's own ones are ours.
int fault(const char* call, int fd) {
  const char* control = std::getenv("SLUICE_FAULTS");
  if (control == nullptr) return 0;
  const int file = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, control, O_RDONLY | O_CLOEXEC));
  if (file < 0) return 0;
  Text text{};
  ::syscall(SYS_read, file, text.data(), text.size() - 1);
  ::syscall(SYS_close, file);
  Text calls{};
  Text part{};
  int error = 0;
  if (std::sscanf(text.data(), "%511s hang %511s", calls.data(), part.data()) == 2)
    error = kHangs;
  else if (std::sscanf(text.data(), "%511s %d %511s", calls.data(), &error, part.data()) < 2)
    return 0;
  if (std::strstr(calls.data(), call) == nullptr) return 0;
  if (fd < 0) return error;
  Text link{};
  Text path{};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", fd);
  if (::readlink(link.data(), path.data(), path.size() - 1) < 0) return 0;
  return std::strstr(path.data(), part.data()) == nullptr ? 0 : error;
}

template <class F, class... Arguments>
auto unless_faulty(const char* call, F* function, int fd, Arguments... arguments) {
  int error = 0;
  while ((error = fault(call, fd)) == kHangs) ::usleep(10'000);
  if (error != 0) {
    errno = error;
    return decltype(function(fd, arguments...)){-1};
  }
  return function(fd, arguments...);
}

}  // namespace

extern "C" {

int fdatasync(int fd) { return unless_faulty("sync", real<int(int)>("fdatasync"), fd); }
int fsync(int fd) { return unless_faulty("sync", real<int(int)>("fsync"), fd); }
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  return unless_faulty("write", real<ssize_t(int, const void*, size_t, off_t)>("pwrite"), fd, bytes,
                       size, at);
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t at) {
  return unless_faulty("write", real<ssize_t(int, const void*, size_t, off64_t)>("pwrite64"), fd,
                       bytes, size, at);
}
ssize_t pwritev(int fd, const iovec* parts, int count, off_t at) {
  return unless_faulty("write", real<ssize_t(int, const iovec*, int, off_t)>("pwritev"), fd, parts,
                       count, at);
}
ssize_t pread(int fd, void* bytes, size_t size, off_t at) {
  return unless_faulty("read", real<ssize_t(int, void*, size_t, off_t)>("pread"), fd, bytes, size,
                       at);
}
ssize_t pread64(int fd, void* bytes, size_t size, off64_t at) {
  return unless_faulty("read", real<ssize_t(int, void*, size_t, off64_t)>("pread64"), fd, bytes,
                       size, at);
}
int getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** found) {
  if (fault("dns", -1) != 0) return EAI_AGAIN;
  return real<int(const char*, const char*, const addrinfo*, addrinfo**)>("getaddrinfo")(
      node, service, hints, found);
}

}  // extern "C"
