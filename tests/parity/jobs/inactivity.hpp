// Timers: reports sensors that were silent for 60 seconds of event time.
#pragma once

#include "pipeline/graph/stream.hpp"
#include "tests/parity/jobs/sensor_reading.hpp"

namespace sluice::parity {

/// As the documents have it: each reading adds a timer, so each is followed by a report 60 s later,
/// whatever came in between (JOB-13). Needs readings with a time.
class InactivityAsDocumented
    : public KeyedProcessFunction<std::string, SensorReading, std::string> {
 public:
  void process_element(const SensorReading&, Context& context, Collector<std::string>&) override {
    context.timer_service().register_event_time_timer(timeout(context));
  }

  void on_timer(Timestamp timestamp, OnTimerContext& context,
                Collector<std::string>& out) override {
    const std::string& sensor = context.current_key();
    out.collect(
        alert_text(sensor, "Sensor " + sensor + " has been inactive for 60 seconds", timestamp));
  }

 protected:
  static Timestamp timeout(const Context& context) { return context.timestamp().value() + 60'000; }
};

/// As their text promises: a reading takes the place of the pending timer (JOB-14).
class Inactivity : public InactivityAsDocumented {
 public:
  void open(RuntimeContext& context) override {
    pending_ = context.value_state<Timestamp>({.name = "pending"});
  }

  void process_element(const SensorReading&, Context& context, Collector<std::string>&) override {
    const Timestamp next = timeout(context);
    if (const auto pending = pending_.value()) {
      if (*pending >= next) return;  // an older reading that came late
      context.timer_service().delete_event_time_timer(*pending);
    }
    pending_.update(next);
    context.timer_service().register_event_time_timer(next);
  }

  void on_timer(Timestamp timestamp, OnTimerContext& context,
                Collector<std::string>& out) override {
    pending_.clear();
    InactivityAsDocumented::on_timer(timestamp, context, out);
  }

 private:
  ValueState<Timestamp> pending_;
};

}  // namespace sluice::parity
