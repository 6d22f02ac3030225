// Connected streams: pairs an order with a payment of the same customer and amount, whichever comes
// first, oldest first. What stays alone for 300 seconds of event time goes to a side output
// (JOB-15). Both streams are keyed, so a CoProcessFunction may use state and timers (TM-25).
#pragma once

#include <optional>
#include <vector>

#include "pipeline/graph/stream.hpp"

namespace sluice::parity {

/// An order or a payment.
struct ShopEvent {
  std::string id;
  std::string customer_id;
  double amount{};
  Timestamp deadline{};
};
SLUICE_FIELDS(ShopEvent, id, customer_id, amount, deadline)

/// {"orderId": …, "paymentId": …, "customerId": …}
std::string match_text(const ShopEvent& order, const ShopEvent& payment);

class OrderPayment : public CoProcessFunction<ShopEvent, ShopEvent, std::string> {
 public:
  static OutputTag<std::string> unpaid() { return OutputTag<std::string>{"unpaid"}; }
  static OutputTag<std::string> unordered() { return OutputTag<std::string>{"unordered"}; }

  void open(RuntimeContext& context) override {
    orders_ = context.list_state<ShopEvent>({.name = "orders"});
    payments_ = context.list_state<ShopEvent>({.name = "payments"});
  }

  void process_element1(const ShopEvent& order, Context& context,
                        Collector<std::string>& out) override {
    const auto same_amount = [&](const ShopEvent& p) { return p.amount == order.amount; };
    if (const auto payment = take_first(payments_, same_amount)) {
      out.collect(match_text(order, *payment));
    } else {
      keep(orders_, order, context);
    }
  }

  void process_element2(const ShopEvent& payment, Context& context,
                        Collector<std::string>& out) override {
    const auto same_amount = [&](const ShopEvent& o) { return o.amount == payment.amount; };
    if (const auto order = take_first(orders_, same_amount)) {
      out.collect(match_text(*order, payment));
    } else {
      keep(payments_, payment, context);
    }
  }

  void on_timer(Timestamp now, OnTimerContext& context, Collector<std::string>&) override {
    const auto overdue = [now](const ShopEvent& e) { return e.deadline <= now; };
    while (const auto order = take_first(orders_, overdue)) context.output(unpaid_, order->id);
    while (const auto paid = take_first(payments_, overdue)) context.output(unordered_, paid->id);
  }

 private:
  static void keep(ListState<ShopEvent>& state, ShopEvent event, Context& context) {
    event.deadline = context.timestamp().value() + 300'000;
    state.add(event);
    context.timer_service().register_event_time_timer(event.deadline);
  }

  /// Removes and returns the first event that fits.
  template <class Fits>
  static std::optional<ShopEvent> take_first(ListState<ShopEvent>& state, const Fits& fits) {
    std::optional<ShopEvent> taken;
    std::vector<ShopEvent> rest;
    for (const auto& event : state.get()) {
      if (!taken && fits(event)) {
        taken = event;
      } else {
        rest.push_back(event);
      }
    }
    if (taken) state.update(rest);
    return taken;
  }

  ListState<ShopEvent> orders_;
  ListState<ShopEvent> payments_;
  OutputTag<std::string> unpaid_{unpaid()};
  OutputTag<std::string> unordered_{unordered()};
};

}  // namespace sluice::parity
