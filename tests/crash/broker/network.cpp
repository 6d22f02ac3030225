#include "tests/crash/broker/network.hpp"

#include <unistd.h>

#include <stdexcept>
#include <thread>

namespace sluice::crash {
namespace {

test::Process::Setup shell(const std::string& line) {
  return {.program = "sh", .arguments = {"-c", line}, .environment = {}, .folder = {}};
}

void run(const std::string& line) {
  test::Process process{shell(line)};
  const auto ended = process.wait();
  if (ended == test::ExitStatus{.code = 0, .signal = {}}) return;
  throw std::runtime_error{"\"" + line + "\" failed: " + process.errors()};
}

}  // namespace

Network::Network() {
  if (::geteuid() != 0) throw std::runtime_error{"only root may make a network namespace"};
  // Addresses that are for tests (RFC 2544); the process id keeps two runs apart.
  const auto id = static_cast<unsigned>(::getpid());
  const std::string net = "198.18." + std::to_string(id % 256) + ".";
  const auto host = [&](unsigned n) { return net + std::to_string(id / 256 % 60 * 4 + n); };
  cable_ = "sluice" + std::to_string(id % 100000);
  address_ = host(1);
  holder_ = std::make_unique<test::Process>(test::Process::Setup{
      .program = "unshare", .arguments = {"-n", "sleep", "3600"}, .environment = {}, .folder = {}});
  const std::string pid = std::to_string(holder_->pid());
  // unshare becomes sleep once it has the namespace.
  run("n=0; until [ \"$(cat /proc/" + pid +
      "/comm)\" = sleep ]; do n=$((n + 1)); [ $n -lt 500 ] || "
      "exit 1; sleep 0.01; done");
  run("ip link add " + cable_ + " type veth peer name far netns " + pid);
  run("ip addr add " + address_ + "/30 dev " + cable_ + " && ip link set " + cable_ + " up");
  run("nsenter -t " + pid + " -n sh -c 'ip link set lo up && ip addr add " + host(2) +
      "/30 dev far && ip link set far up'");
}

Network::~Network() {
  // With the namespace goes its end of the cable, and with that ours.
  holder_.reset();
}

test::Process::Setup Network::inside(const std::string& program,
                                     const std::vector<std::string>& arguments) const {
  std::vector<std::string> all{"-t", std::to_string(holder_->pid()), "-n", program};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return {.program = "nsenter", .arguments = all, .environment = {}, .folder = {}};
}

void Network::cut() { run("ip link set " + cable_ + " down"); }

void Network::mend() { run("ip link set " + cable_ + " up"); }

}  // namespace sluice::crash
