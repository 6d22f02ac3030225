#include "tests/bench/daemon_process.hpp"

#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "tests/bench/measure.hpp"
#include "tests/support/proc.hpp"

namespace sluice::bench {

namespace {

test::Process::Setup run(const std::string& config_path, const NotifySocket& socket) {
  auto setup = sluice_process({"run", "-c", config_path});
  setup.environment["NOTIFY_SOCKET"] = socket.path();
  return setup;
}

}  // namespace

test::Process::Setup sluice_process(std::vector<std::string> arguments) {
  return {.program = std::filesystem::path{SLUICE_BIN_DIR} / "sluice",
          .arguments = std::move(arguments),
          .environment = {},
          .folder = {}};
}

DaemonProcess::DaemonProcess(const std::string& config_path, std::chrono::seconds limit)
    : process_{run(config_path, *socket_)} {
  socket_->wait_for_ready(limit);
  const auto now = std::chrono::steady_clock::now();
  seconds_to_ready_ = std::chrono::duration<double>(now - started_).count();
  socket_.reset();  // nobody reads what comes now, and a full socket would make the daemon wait
}

double DaemonProcess::of_kernel(const std::string& file, const std::string& name) const {
  if (const auto number = test::proc_number(process_.pid(), file, name)) {
    return static_cast<double>(*number);
  }
  throw std::runtime_error("the kernel does not say the daemon's " + name);
}

double DaemonProcess::stop(std::chrono::seconds limit) {
  return seconds_of([&] {
    process_.signal(SIGTERM);
    const auto ended = process_.wait(limit);
    if (!ended) throw std::runtime_error("the daemon does not stop");
    if (ended->code != 0) throw std::runtime_error("the daemon ended with " + to_string(*ended));
  });
}

}  // namespace sluice::bench
