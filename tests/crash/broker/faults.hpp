// What can happen to a broker, or to the way there, and what must come of it.
#pragma once

#include <array>
#include <chrono>

namespace sluice::crash {

enum class What {
  kStopped,    ///< in an orderly way: it saves its sessions
  kKilled,     ///< kill -9, a second after it has saved them
  kForgotten,  ///< kill -9, and its database is gone
  kFrozen,     ///< SIGSTOP: connections stay, nothing is answered
  kCut,        ///< the network between it and the daemon, not that of the sensors
};

struct Fault {
  const char* name;
  What what;
  std::chrono::milliseconds length;
  bool breaks_connection;
  const char* must;
};

/// The daemon's keep-alive; it notices a silent broker after twice that time.
inline constexpr std::chrono::seconds kKeepAlive{5};

inline constexpr std::array kFaults{
    Fault{"stopped", What::kStopped, std::chrono::seconds{1}, true,
          "what it had for us when it stopped comes after its start"},
    Fault{"stopped for long", What::kStopped, std::chrono::seconds{7}, true,
          "likewise, and an alert tells of it"},
    Fault{"killed", What::kKilled, std::chrono::seconds{1}, true,
          "the session goes on where it was saved"},
    Fault{"database gone", What::kForgotten, std::chrono::seconds{1}, true,
          "it gets subscriptions and retained states again"},
    Fault{"frozen", What::kFrozen, std::chrono::seconds{2}, false, "nothing but a delay"},
    Fault{"frozen for longer than keep-alive", What::kFrozen, std::chrono::seconds{20}, true,
          "noticed, and what was on its way is not counted twice"},
    Fault{"network cut", What::kCut, std::chrono::seconds{2}, false, "nothing but a delay"},
    Fault{"network cut for longer than keep-alive", What::kCut, std::chrono::seconds{20}, true,
          "noticed; what came in meanwhile waits at the broker"},
};

}  // namespace sluice::crash
