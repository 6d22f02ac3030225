// What the program's exit status means; docs and the systemd unit rely on these numbers.
#pragma once

namespace sluice::daemon {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  ///< anything not named below; a restart may help
inline constexpr int kExitUsage = 64;   ///< the command line is wrong (EX_USAGE)
inline constexpr int kExitConfig = 78;  ///< the configuration is wrong (EX_CONFIG); never restarted

}  // namespace sluice::daemon
