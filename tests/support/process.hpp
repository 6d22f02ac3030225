// A program run by a test: started with arguments and environment, its output caught in files.
// Killed and reaped when the object goes. One thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/temp_dir.hpp"

namespace sluice::test {

/// Not an expectation but the point where a test gives up, also on a slow, busy machine.
inline constexpr std::chrono::seconds kLimit{30};

/// How a process ended: exactly one of the two is set.
struct ExitStatus {
  std::optional<int> code;
  std::optional<int> signal;

  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

/// "exit status 78" or "signal 9", for messages.
std::string to_string(const ExitStatus& status);

class Process {
 public:
  struct Setup {
    std::filesystem::path program;  ///< a name without slash is looked up in PATH
    std::vector<std::string> arguments;
    std::map<std::string, std::string> environment;  ///< on top of the test's own
    std::filesystem::path folder;                    ///< to run in; empty: the test's
  };

  /// Throws std::runtime_error if it cannot be started at all.
  explicit Process(const Setup& setup);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  bool is_running();

  /// Does nothing once it has ended.
  void signal(int number);

  /// Nothing if it still runs after `limit`.
  std::optional<ExitStatus> wait(std::chrono::milliseconds limit = kLimit);

  /// SIGKILL, and waits for the end.
  void kill();

  /// What it has written so far.
  std::string output() const { return read_file(folder_ / "stdout"); }
  std::string errors() const { return read_file(folder_ / "stderr"); }

  /// False if `text` is not in output or errors within `limit`, or the process ends without it.
  bool wait_for_text(const std::string& text, std::chrono::milliseconds limit = kLimit);

 private:
  TempDir folder_;
  pid_t pid_{-1};
  std::optional<ExitStatus> ended_;
};

}  // namespace sluice::test
