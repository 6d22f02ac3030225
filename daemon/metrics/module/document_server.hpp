// DocumentServer: answers GET /metrics, and nothing else, to whoever connects; on one thread of
// libmicrohttpd.
//
// Who connects and says nothing costs a descriptor and some KiB for a while, not a thread. Their
// number is bounded: beyond it, others wait until one has been silent for too long.
#pragma once

#include <functional>
#include <memory>
#include <string>

struct MHD_Daemon;

namespace sluice::daemon {

class DocumentServer {
 public:
  static constexpr unsigned kMostConnections = 256;
  /// Seconds in which a connection must send or take something.
  static constexpr unsigned kLongestSilence = 10;

  /// Takes over `listener`, a listening socket. `make` gives the document, on the server's thread.
  /// Throws std::exception where the system gives no descriptor or thread.
  DocumentServer(int listener, std::string content_type, std::function<std::string()> make);

  const std::string& content_type() const { return content_type_; }
  std::string document() const { return make_(); }

 private:
  struct Stop {
    void operator()(MHD_Daemon* server) const;
  };

  const std::string content_type_;
  const std::function<std::string()> make_;
  std::unique_ptr<MHD_Daemon, Stop> server_;  ///< last: it uses the others until it is gone
};

}  // namespace sluice::daemon
