// When what the journal takes in is forced to the disk.
#pragma once

#include <cstdint>

namespace sluice::storage {

enum class SyncPolicy : std::uint8_t {
  kNever,  ///< the kernel decides
  kAlert,  ///< the owner calls Journal::sync(): before an alert goes out, and every few seconds
  kEach,   ///< every append waits for the disk, so before a message is acknowledged
};

}  // namespace sluice::storage
