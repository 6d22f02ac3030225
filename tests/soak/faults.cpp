#include "tests/soak/faults.hpp"

#include <array>
#include <csignal>
#include <thread>

namespace sluice::soak {
namespace {

using namespace std::chrono_literals;

void kill_daemon(Stage& stage) {
  stage.world.kill_daemon();
  stage.pause(0, 3000);
  stage.world.start_daemon();
}

void kill_starting_daemon(Stage& stage) {
  stage.world.kill_daemon();
  stage.world.start_daemon();
  stage.pause(0, 100);
  stage.require(stage.world.daemon_runs(), "the daemon ended by itself while starting");
  kill_daemon(stage);
}

void restart_daemon(Stage& stage) {
  const auto ended = stage.world.stop_daemon();
  stage.require(ended == test::ExitStatus{0, {}},
                "the daemon ended with " + (ended ? to_string(*ended) : "nothing at all"));
  stage.pause(0, 2000);
  stage.world.start_daemon();
}

void kill_stopping_daemon(Stage& stage) {
  stage.world.signal_daemon(SIGTERM);
  stage.pause(0, 50);
  kill_daemon(stage);
}

void freeze_daemon(Stage& stage) {
  stage.world.signal_daemon(SIGSTOP);
  stage.pause(500, 5000);
  stage.world.signal_daemon(SIGCONT);
}

void restart_broker(Stage& stage) {
  stage.world.broker().stop();
  stage.pause(0, 6000);
  stage.world.broker().start();
}

void freeze_broker(Stage& stage) {
  stage.world.broker().freeze();
  stage.pause(1000, 12000);
  stage.world.broker().thaw();
}

void kill_broker(Stage& stage) {
  // What it has not saved it forgets, and what it has not saved as handed out it hands out again.
  // So nothing older may be under way, and all from here on is at its risk.
  stage.load.begin_risk();
  stage.require(stage.voice.wait_for_echo(), "no echo before the broker is killed");
  std::this_thread::sleep_for(3s);
  stage.world.broker().kill();
  stage.pause(0, 4000);
  stage.world.broker().start();
  stage.require(stage.voice.wait_for_echo(), "no echo after the broker was killed");
  stage.load.end_risk();
}

void fill_disk(Stage& stage) {
  stage.world.disk().fill(stage.world.pid());
  stage.pause(1000, 8000);
  stage.world.disk().free(stage.world.pid());
  stage.require(stage.voice.wait_until_healthy(), "not healthy after the disk was full");
  // Only now a kill costs nothing again.
  stage.require(stage.voice.wait_for_checkpoint(), "no checkpoint after the disk was full");
}

void storm_of_rubbish(Stage& stage) { stage.voice.rubbish(2000, stage.random); }

void burst_of_readings(Stage& stage) { stage.load.burst(3000); }

// A step back that stays would leave the daemon's times ahead of its clock for twice its length.
// So that clock is set right again; a step forward stays, and the next one comes on top.
constexpr std::chrono::seconds kDay{24h};

void set_clock_forward(Stage& stage) {
  stage.world.set_clock(stage.clock += kDay);
  stage.pause(1500, 6000);
  stage.require(stage.voice.wait_for_echo(), "no echo after the clock was set forward");
}

void set_clock_for_a_time(Stage& stage, std::chrono::seconds off) {
  stage.world.set_clock(off);
  stage.pause(1500, 6000);
  stage.require(stage.voice.wait_for_echo(), "no echo while the clock is back");
  stage.world.set_clock(stage.clock);
}

void set_clock_back(Stage& stage) { set_clock_for_a_time(stage, stage.clock - kDay); }

/// Ten minutes after the beginning of time, where a machine without a battery starts.
std::chrono::seconds in_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return 10min - std::chrono::duration_cast<std::chrono::seconds>(now);
}

void set_clock_to_1970(Stage& stage) { set_clock_for_a_time(stage, in_1970()); }

void start_daemon_in_1970(Stage& stage) {
  stage.world.kill_daemon();
  stage.world.set_clock(in_1970());
  stage.world.start_daemon();
  set_clock_for_a_time(stage, in_1970());
}

constexpr std::size_t kClockFaults = 4;
constexpr std::array kFaults{
    Fault{"daemon killed", false, kill_daemon},
    Fault{"daemon killed while starting", false, kill_starting_daemon},
    Fault{"daemon killed while stopping", false, kill_stopping_daemon},
    Fault{"daemon restarted", false, restart_daemon},
    Fault{"daemon frozen", true, freeze_daemon},
    Fault{"broker restarted", true, restart_broker},
    Fault{"broker frozen", true, freeze_broker},
    Fault{"broker killed", true, kill_broker},
    Fault{"disk full", true, fill_disk},
    Fault{"storm of bad payloads", true, storm_of_rubbish},
    Fault{"burst of readings", true, burst_of_readings},
    Fault{"clock set forward by a day", true, set_clock_forward},
    Fault{"clock set back by a day", true, set_clock_back},
    Fault{"clock set to 1970", true, set_clock_to_1970},
    Fault{"daemon started in 1970", false, start_daemon_in_1970},
};

}  // namespace

void Stage::pause(int from_ms, int to_ms) {
  const auto span = static_cast<std::uint64_t>(to_ms - from_ms);
  const auto milliseconds = from_ms + static_cast<int>(random() % span);
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>{milliseconds * pace});
}

void Stage::require(bool promise, const std::string& otherwise) {
  if (!promise) violations.push_back(otherwise);
}

std::span<const Fault> faults() {
  const std::span all{kFaults};
  return World::has_clock() ? all : all.first(all.size() - kClockFaults);
}

}  // namespace sluice::soak
