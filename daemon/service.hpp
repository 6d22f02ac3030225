// Service: the running daemon as a list of named steps: what is started, in which order, and what
// is stopped again in the reverse order, whatever happened.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/condition_watch.hpp"
#include "daemon/config/config.hpp"
#include "daemon/engine/checkpointer.hpp"
#include "daemon/engine/counters.hpp"
#include "daemon/engine/engine.hpp"
#include "daemon/engine/syncer.hpp"
#include "daemon/metrics/metrics_desk.hpp"
#include "daemon/site_clock.hpp"
#include "daemon/status_board.hpp"
#include "daemon/subscription_memory.hpp"
#include "pipeline/base/log.hpp"
#include "pipeline/plugin/connector.hpp"
#include "pipeline/plugin/registry.hpp"
#include "plugins/mqtt/mqtt.hpp"
#include "storage/checkpoint_store.hpp"
#include "storage/intake.hpp"
#include "storage/journal/journal.hpp"
#include "storage/outbox.hpp"

namespace sluice::daemon {

/// Main thread only. `config` and the rest outlive it.
class Service {
 public:
  Service(const Config& config, const Registry& registry, Log& log)
      : config_{config},
        registry_{registry},
        log_{log},
        board_{config.site.prefix, log},
        metrics_{config.metrics.listen, board_, counters_, log} {}
  ~Service() { stop(); }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// What is to become of the daemon.
  enum class Next {
    kGoOn,
    kRestart,  ///< what could not be used at the start can be now: stop, and start another Service
    kGiveUp,   ///< the engine has given up: the process should end and be started anew
  };

  /// All steps; the error is that of the first which failed, with its name.
  Status start();
  /// About four times a second, from start() to stop(): clock, status, watchdog food.
  Next tend();
  /// The journal as found at the start has been processed: the daemon is ready.
  bool ready() const { return engine_ != nullptr && engine_->caught_up(); }
  /// Grows while the engine makes progress.
  std::uint64_t progress() const { return counters_.progress; }
  /// One line for systemctl status.
  std::string status_line() const;

  /// Takes a final checkpoint, sends what can be sent, ends all threads. Within five seconds
  /// unless the disk hangs. Idempotent.
  void stop() noexcept;

 private:
  struct Step {
    const char* name;
    Status (Service::*run)();
    const char* crash_point;  ///< behind it
  };

  Status make_data_dir();
  Status open_store();
  Status open_journal();
  Status make_outbox();
  Status restore_engine();
  Status report_notice();
  void report_now(const Condition& condition);
  Status start_engine();
  Status start_sink();
  Status start_source();

  storage::DatabaseOptions database_options();
  std::string path(const char* name) const { return config_.site.data_dir + "/" + name; }
  Status try_restore(storage::OpenedStore opened);
  void recall_faults();
  void watch_clock();
  void tell_of_faults(const StatusFacts& facts);
  void release_hold_when_all_is_in();
  void append_notice(std::string_view source, std::string_view about, std::string_view text);
  Result<mqtt::MqttOptions> mqtt_options() const;
  ClockSteps clock_facts() const;
  StatusFacts facts() const;

  /// Where the MQTT source hands over: into the journal, under our own clock, what may be news.
  class Receiver final : public MessageHandler {
   public:
    Receiver(const Config& config, storage::Journal& journal, const SiteClock& clock,
             Counters& counters, Log& log)
        : topics_{config.site.prefix},
          largest_{static_cast<std::size_t>(config.limits.payload_size)},
          journal_{journal},
          clock_{clock},
          counters_{counters},
          log_{log} {}
    void on_message(const MessageView& message) noexcept override;

   private:
    const Topics topics_;
    const std::size_t largest_;
    storage::Journal& journal_;
    const SiteClock& clock_;
    Counters& counters_;
    Log& log_;
  };

  const Config& config_;
  const Registry& registry_;
  Log& log_;
  Counters counters_;
  StatusBoard board_;
  MetricsDesk metrics_;
  ConditionWatch watch_;
  storage::OpenedStore opened_;  ///< until the checkpointer has it
  ClockSteps clock_steps_;
  std::chrono::steady_clock::time_point clock_step_at_;
  std::chrono::steady_clock::time_point held_back_at_;
  bool faults_recalled_{false};
  std::chrono::steady_clock::time_point started_at_{std::chrono::steady_clock::now()};
  std::optional<std::chrono::steady_clock::time_point> receiving_since_;
  bool hold_released_{false};

  std::atomic<std::uint64_t> checkpoint_bytes_{0};  ///< written by SQLite, see DatabaseOptions

  // In order of construction; stop() undoes them in reverse.
  std::unique_ptr<storage::Journal> journal_;
  std::unique_ptr<SiteClock> clock_;
  std::unique_ptr<storage::Intake> intake_;
  std::unique_ptr<storage::Outbox> outbox_;
  std::unique_ptr<Syncer> syncer_;
  std::unique_ptr<Checkpointer> checkpointer_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<PublicationSink> sink_;
  std::unique_ptr<Receiver> receiver_;
  std::unique_ptr<SubscriptionMemory> subscriptions_;
  std::unique_ptr<MessageSource> source_;
  bool stopped_{false};
};

}  // namespace sluice::daemon
