#include "tests/support/mosquitto.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "tests/support/loopback.hpp"

namespace sluice::test {
namespace {

// Debian puts it where users' PATH does not reach.
std::filesystem::path find_mosquitto() {
  const char* path = std::getenv("PATH");
  std::string folders = std::string{path == nullptr ? "" : path} + ":/usr/sbin:/usr/local/sbin";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::filesystem::path file =
        std::filesystem::path{folders.substr(begin, end - begin)} / "mosquitto";
    if (::access(file.c_str(), X_OK) == 0) return file;
    begin = end + 1;
  }
  throw std::runtime_error("mosquitto is not installed: apt install mosquitto");
}

bool accepts(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  const bool connected =
      ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return connected;
}

}  // namespace

std::filesystem::path mosquitto_plugin(const std::string& name) {
  const std::filesystem::path lib{"/usr/lib"};
  if (std::filesystem::exists(lib / name)) return lib / name;
  // Debian has a folder for each architecture.
  for (const auto& entry : std::filesystem::directory_iterator{lib})
    if (entry.is_directory() && std::filesystem::exists(entry.path() / name))
      return entry.path() / name;
  throw std::runtime_error("mosquitto is installed without its plugin " + name);
}

std::uint16_t free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const std::uint16_t port = bind_to_free_port(fd);
  ::close(fd);
  return port;
}

MosquittoBroker::MosquittoBroker(BrokerSetup setup) : setup_{std::move(setup)}, port_{free_port()} {
  if (setup_.start) start();
}

MosquittoBroker::~MosquittoBroker() { kill(); }

std::string MosquittoBroker::write_passwords() {
  if (setup_.users.empty()) return "allow_anonymous true\n";
  std::string lines;
  for (const auto& [user, password] : setup_.users) lines += user + ":" + password + "\n";
  const auto file = folder_.write("passwords", lines);
  Process hash{{.program = "mosquitto_passwd",
                .arguments = {"-U", file.string()},
                .environment = {},
                .folder = {}}};
  if (hash.wait() != ExitStatus{.code = 0, .signal = {}})
    throw std::runtime_error("mosquitto_passwd failed: " + hash.errors());
  // It gives the file to nobody else, and the broker may run as another user than the test.
  std::filesystem::permissions(file, std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  return "allow_anonymous false\npassword_file " + file.string() + "\n";
}

void MosquittoBroker::write_configuration() {
  std::string text = "persistence " + std::string{setup_.persistence ? "true" : "false"} + "\n";
  if (setup_.persistence)
    text += "persistence_location " + folder_.path().string() +
            "/\nautosave_on_changes true\nautosave_interval " + std::to_string(setup_.save_every) +
            "\n";
  // As root it would become the user "mosquitto", who cannot write into a test's folder.
  text += "user root\nlog_type " + setup_.log_type + "\n" + write_passwords() + setup_.global_lines;
  text += "listener " + std::to_string(port_) + " 127.0.0.1\n" + setup_.listener_lines;
  folder_.write("mosquitto.conf", text);
}

void MosquittoBroker::start() {
  kill();
  write_configuration();
  process_ = std::make_unique<Process>(
      Process::Setup{.program = find_mosquitto(),
                     .arguments = {"-c", (folder_ / "mosquitto.conf").string()},
                     .environment = {},
                     .folder = {}});
  const auto until = std::chrono::steady_clock::now() + kLimit;
  while (!accepts(port_)) {
    if (!process_->is_running() || std::chrono::steady_clock::now() >= until)
      throw std::runtime_error("mosquitto does not start: " + process_->errors());
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
}

void MosquittoBroker::stop() {
  if (!process_) return;
  thaw();
  process_->signal(SIGTERM);
  if (!process_->wait()) throw std::runtime_error("mosquitto does not stop");
}

void MosquittoBroker::kill() {
  if (process_) process_->kill();
}

void MosquittoBroker::forget() {
  kill();
  std::filesystem::remove(folder_ / "mosquitto.db");
}

void MosquittoBroker::restart() {
  stop();
  start();
}

void MosquittoBroker::freeze() { process_->signal(SIGSTOP); }

void MosquittoBroker::thaw() { process_->signal(SIGCONT); }

std::string MosquittoBroker::log() const { return process_ ? process_->errors() : ""; }

}  // namespace sluice::test
