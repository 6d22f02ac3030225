#include "tests/soak/sampler.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "tests/support/courier.hpp"
#include "tests/support/proc.hpp"

namespace sluice::soak {
namespace {

std::filesystem::path proc(pid_t pid) { return "/proc/" + std::to_string(pid); }

std::uint64_t of_process(pid_t pid, const std::string& name) {
  return test::proc_number(pid, "status", name).value_or(0);
}

std::uint64_t open_files(pid_t pid) {
  std::uint64_t count = 0;
  std::error_code gone;
  for (std::filesystem::directory_iterator it{proc(pid) / "fd", gone}, end; !gone && it != end;
       it.increment(gone))
    ++count;
  return count;
}

std::uint64_t bytes_of(const std::filesystem::path& file) {
  struct stat facts {};
  if (::stat(file.c_str(), &facts) != 0) return 0;
  return static_cast<std::uint64_t>(facts.st_blocks) * 512;
}

std::uint64_t bytes_in(const std::filesystem::path& folder, const std::string& start) {
  std::uint64_t sum = 0;
  std::error_code gone;
  for (std::filesystem::directory_iterator it{folder, gone}, end; !gone && it != end;
       it.increment(gone))
    if (it->path().filename().string().starts_with(start)) sum += bytes_of(it->path());
  return sum;
}

}  // namespace

void measure_files(const std::filesystem::path& data, Sample& sample) {
  sample.journal = bytes_in(data / "journal", "");
  sample.database = bytes_in(data, "sluice.db");
}

Sampler::Sampler(const World& world, const Books& books, std::string broker,
                 std::chrono::milliseconds every)
    : world_{world}, books_{books}, broker_{std::move(broker)}, every_{every}, thread_{[this] {
        run();
      }} {}

void Sampler::stop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

double Sampler::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

void Sampler::run() {
  test::Courier courier{broker_};
  for (auto due = begin_; !stop_; std::this_thread::sleep_until(due)) {
    samples_.push_back(take());
    // A broker that is away must not stop the samples.
    if (courier.is_idle()) courier.send("sluice/soak/command/status", "");
    due = std::max(due + every_, Clock::now());
  }
}

Sample Sampler::take() const {
  Sample sample;
  sample.seconds = seconds();
  sample.pid = world_.pid();
  if (sample.pid != 0) {
    sample.age = std::chrono::duration<double>(Clock::now() - world_.started()).count();
    sample.resident = of_process(sample.pid, "VmRSS") * 1024;
    sample.threads = of_process(sample.pid, "Threads");
    sample.files = open_files(sample.pid);
  }
  measure_files(world_.data(), sample);
  sample.published = books_.readings();
  sample.heard = books_.alerts();
  if (const auto status = world_.status();
      status && status->heard + std::chrono::seconds{3} > Clock::now())
    sample.status = status;
  return sample;
}

}  // namespace sluice::soak
