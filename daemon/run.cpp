#include "daemon/run.hpp"

#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "daemon/builtins.hpp"
#include "daemon/commands.hpp"
#include "daemon/exit_codes.hpp"
#include "daemon/logging.hpp"
#include "daemon/sd_notify.hpp"
#include "daemon/service.hpp"
#include "daemon/signals.hpp"
#include "daemon/watchdog.hpp"

namespace sluice::daemon {

namespace {

constexpr std::chrono::milliseconds kTurn{250};
/// While starting: systemd and everything ordered after us wait for READY.
constexpr std::chrono::milliseconds kStartingTurn{5};

/// Where the file is fine but what is stored does not fit it, only a person can decide.
int exit_code_for(const Error& error) {
  return error.code() == ErrorCode::kVersion || error.code() == ErrorCode::kInvalid ? kExitConfig
                                                                                    : kExitFailure;
}

/// The exit status; nothing if another Service is to be started.
std::optional<int> main_loop(Service& service, SignalWaiter& signals, const ServiceManager& manager,
                             Log& log) {
  Watchdog watchdog{manager};
  bool ready = false;
  int turns_to_status = 0;
  while (true) {
    const Signal signal = signals.wait(ready ? kTurn : kStartingTurn);
    if (signal == Signal::kTerminate) return kExitOk;
    if (signal == Signal::kReload) {
      log.info("SIGHUP: settings come over the config topic; a changed file needs a restart");
    }
    if (!ready && service.ready()) {
      ready = true;
      manager.ready();
      log.info("ready");
    }
    const Service::Next next = service.tend();
    if (next == Service::Next::kGiveUp) return kExitFailure;
    if (next == Service::Next::kRestart) return std::nullopt;
    watchdog.look(service.progress());
    if (turns_to_status-- == 0) {
      manager.status(service.status_line());
      if (!ready) manager.extend_timeout(std::chrono::seconds{10});
      turns_to_status = 20;
    }
  }
}

int run_service(const Config& config, const Kinds& kinds, SignalWaiter& signals, Log& log) {
  const ServiceManager manager;
  while (true) {
    Service service{config, kinds.registry, log};
    const auto progress = [&service] { return service.progress(); };
    std::optional<WatchdogStandIn> stand_in{std::in_place, manager, progress};
    const Status started = service.start();
    stand_in.reset();
    if (!started) {
      log.error("cannot start: " + started.error().message());
      return exit_code_for(started.error());
    }
    const std::optional<int> code = main_loop(service, signals, manager, log);
    if (code) manager.stopping();
    log.info("stopping");
    stand_in.emplace(manager, progress);
    service.stop();
    stand_in.reset();
    if (code) return *code;
  }
}

}  // namespace

int run_daemon(const CommandLine& command_line) {
  // A dozen short-lived allocations per message do not need an arena per thread.
  mallopt(M_ARENA_MAX, 2);
  auto signals = SignalWaiter::create();
  LoggingOptions logging;
  logging.style = log_style_for(std::getenv("JOURNAL_STREAM"));
  logging.level = command_line.log_level.value_or(LogLevel::kInfo);
  const auto log = make_log(logging);
  if (!signals) {
    log->error(signals.error().message());
    return kExitFailure;
  }
  const auto kinds = load_kinds(command_line.config_path, *log);
  LoadedConfig loaded = load_config(command_line.config_path, *kinds->catalog);
  if (!loaded.ok()) {
    print(stderr, loaded.rendered());
    return kExitConfig;
  }
  if (!command_line.log_level) log->set_level(loaded.config.site.log_level);
  if (command_line.data_dir) loaded.config.site.data_dir = *command_line.data_dir;
  loaded.source.clear();
  return run_service(loaded.config, *kinds, **signals, *log);
}

}  // namespace sluice::daemon
