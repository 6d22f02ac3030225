#include "tests/support/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <thread>

namespace sluice::test {
namespace {

constexpr std::chrono::milliseconds kPoll{5};

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& extra) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    // A test program that is started by one that runs as a shard is none itself.
    if (text.rfind("GTEST_TOTAL_SHARDS=", 0) == 0) continue;
    if (text.rfind("GTEST_SHARD_INDEX=", 0) == 0) continue;
    if (!extra.contains(text.substr(0, text.find('=')))) out.push_back(text);
  }
  for (const auto& [name, value] : extra) out.push_back(name + "=" + value);
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// What posix_spawn does to files, folder and signals between fork and exec.
class SpawnPlan {
 public:
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    // The test may ignore or block signals (Paho makes it ignore SIGPIPE); the program starts
    // fresh.
    sigset_t set;
    ::sigemptyset(&set);
    ::posix_spawnattr_setsigmask(&attributes_, &set);
    ::sigaddset(&set, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes_, &set);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void write_to(int fd, const std::string& path) {
    ::posix_spawn_file_actions_addopen(&actions_, fd, path.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                       0600);
  }
  void read_nothing() {
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  void run_in(const std::string& folder) {
    ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }

  posix_spawn_file_actions_t* actions() { return &actions_; }
  posix_spawnattr_t* attributes() { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

ExitStatus decode(int status) {
  ExitStatus out;
  if (WIFEXITED(status))
    out.code = WEXITSTATUS(status);
  else
    out.signal = WTERMSIG(status);
  return out;
}

}  // namespace

std::string to_string(const ExitStatus& status) {
  if (status.code) return "exit status " + std::to_string(*status.code);
  return "signal " + std::to_string(status.signal.value_or(0));
}

Process::Process(const Setup& setup) {
  std::vector<std::string> arguments{setup.program.string()};
  arguments.insert(arguments.end(), setup.arguments.begin(), setup.arguments.end());
  std::vector<std::string> environment = merged_environment(setup.environment);
  SpawnPlan plan;
  plan.read_nothing();
  plan.write_to(STDOUT_FILENO, (folder_ / "stdout").string());
  plan.write_to(STDERR_FILENO, (folder_ / "stderr").string());
  if (!setup.folder.empty()) plan.run_in(setup.folder.string());
  const int fault = ::posix_spawnp(&pid_, setup.program.c_str(), plan.actions(), plan.attributes(),
                                   pointers(arguments).data(), pointers(environment).data());
  if (fault == 0) return;
  pid_ = -1;
  throw std::runtime_error("cannot start " + setup.program.string() + ": " + std::strerror(fault));
}

Process::~Process() { kill(); }

bool Process::is_running() { return !wait(std::chrono::milliseconds{0}); }

void Process::signal(int number) {
  if (is_running()) ::kill(pid_, number);
}

std::optional<ExitStatus> Process::wait(std::chrono::milliseconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (!ended_) {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_)
      ended_ = decode(status);
    else if (std::chrono::steady_clock::now() >= until)
      break;
    else
      std::this_thread::sleep_for(kPoll);
  }
  return ended_;
}

void Process::kill() {
  if (pid_ < 0 || ended_) return;
  ::kill(pid_, SIGKILL);
  wait();
}

bool Process::wait_for_text(const std::string& text, std::chrono::milliseconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (true) {
    // Asked before reading: what it wrote last must not be missed.
    const bool over = !is_running() || std::chrono::steady_clock::now() >= until;
    if ((output() + errors()).find(text) != std::string::npos) return true;
    if (over) return false;
    std::this_thread::sleep_for(kPoll);
  }
}

}  // namespace sluice::test
