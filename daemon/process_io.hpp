// What the kernel says this process has written.
#pragma once

#include <cstdint>
#include <optional>

namespace sluice::daemon {

/// Bytes that this process has caused to go to disks since its start, in whole pages, as the kernel
/// counts them (`write_bytes` of /proc/self/io): the look from outside at what we count ourselves.
/// Nothing where the kernel does not say. Any thread.
std::optional<std::uint64_t> process_written_bytes();

}  // namespace sluice::daemon
