#include "daemon/metrics/exporter_loader.hpp"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "daemon/config/listen_address.hpp"
#include "pipeline/base/log.hpp"

namespace sluice::daemon {

namespace {

std::string cure_for(int error) {
  switch (error) {
    case EADDRINUSE:
      return "; another program has that port: end it, or choose another port in metrics.listen";
    case EADDRNOTAVAIL:
      return "; this machine has no such address: set another one in metrics.listen";
    case EACCES: return "; choose a port from 1024 on in metrics.listen";
    default: return "; choose another address or port in metrics.listen";
  }
}

int bind_to(int fd, const ListenAddress& address) {
  if (address.is_v6) {
    sockaddr_in6 where{};
    where.sin6_family = AF_INET6;
    where.sin6_port = htons(address.port);
    inet_pton(AF_INET6, address.host.c_str(), &where.sin6_addr);
    return ::bind(fd, reinterpret_cast<const sockaddr*>(&where), sizeof where);
  }
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(address.port);
  inet_pton(AF_INET, address.host.c_str(), &where.sin_addr);
  return ::bind(fd, reinterpret_cast<const sockaddr*>(&where), sizeof where);
}

/// A listening socket that does not block.
Result<int> listen_on(const std::string& text) {
  constexpr int kWaiting = 128;
  const auto address = parse_listen_address(text);
  if (!address) return address.error();
  const int kind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
  const int fd = ::socket(address->is_v6 ? AF_INET6 : AF_INET, kind, 0);
  int error = fd < 0 ? errno : 0;
  if (fd >= 0) {
    const int yes = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind_to(fd, *address) != 0 || ::listen(fd, kWaiting) != 0) error = errno;
    if (error != 0) ::close(fd);
  }
  if (error == 0) return fd;
  return Error{error == EADDRINUSE ? ErrorCode::kConflict : ErrorCode::kIo,
               "cannot serve metrics on " + text + ": " + std::strerror(error) + cure_for(error)};
}

Result<const ExporterEntry*> load() {
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const auto file =
      (program.parent_path() / "../lib/sluice" / kExporterFile).lexically_normal().string();
  const std::string cure = "; install it again, or remove metrics.listen";
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const why = ::dlerror();
    return Error{ErrorCode::kNotFound,
                 "cannot serve metrics: " + printable(why == nullptr ? file : why, 200) + cure};
  }
  const auto* const entry = static_cast<const ExporterEntry*>(::dlsym(handle, kExporterEntry));
  const bool fits = entry != nullptr && std::strcmp(entry->version, SLUICE_VERSION) == 0 &&
                    std::strcmp(entry->stamp, kBuildStamp) == 0;
  if (fits) return entry;
  return Error{ErrorCode::kVersion,
               "cannot serve metrics: " + file + " is not of this version of Sluice" + cure};
}

}  // namespace

Result<std::unique_ptr<MetricsExporter>> start_exporter(const std::string& address,
                                                        CollectMetrics collect) {
  auto entry = load();
  if (!entry) return std::move(entry).error();
  auto listener = listen_on(address);
  if (!listener) return std::move(listener).error();
  std::string reason;
  std::unique_ptr<MetricsExporter> exporter{(*entry)->start(*listener, std::move(collect), reason)};
  if (exporter) return exporter;
  return Error{ErrorCode::kIo, "cannot serve metrics on " + address + ": " + printable(reason)};
}

}  // namespace sluice::daemon
