// What the kernel says of a process. Any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::test {

/// The number behind `name` and a colon in /proc/<pid>/<file>, such as VmRSS of status (in KiB) or
/// write_bytes of io. Nothing if there is no such line, or no such process any more.
std::optional<std::uint64_t> proc_number(pid_t pid, const std::string& file,
                                         const std::string& name);

}  // namespace sluice::test
