// A network of one cable between here and a namespace, to be cut. Needs root, `ip` and `unshare`.
#pragma once

#include <memory>
#include <string>

#include "tests/support/process.hpp"

namespace sluice::crash {

/// One thread. The cable and the namespace go with the object.
class Network {
 public:
  /// Throws std::runtime_error with the reason where this machine does not allow it.
  Network();
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// Of this end, as seen from the namespace.
  const std::string& address() const { return address_; }
  /// The command that runs `program` in the namespace, as the same process.
  test::Process::Setup inside(const std::string& program,
                              const std::vector<std::string>& arguments) const;

  void cut();
  void mend();

 private:
  std::string cable_;
  std::string address_;
  std::unique_ptr<test::Process> holder_;  ///< the namespace lives as long as it
};

}  // namespace sluice::crash
