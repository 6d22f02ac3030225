// Broadcast state that is replaced as a whole: each broadcast element is a table of users, polled
// from a database, and takes the place of the last one (JOB-11). Clicks before the first table are
// dropped; a user who is missing in the table fails the job, as the documents' code does.
#pragma once

#include <map>
#include <utility>

#include "pipeline/graph/stream.hpp"

namespace sluice::parity {

struct Click {
  std::string user_id;
  std::string event_time;
  std::string event_type;
  std::int32_t product_id{};
};

/// Name and age by user id.
using Users = std::map<std::string, std::pair<std::string, std::int32_t>>;

class Enrichment final : public BroadcastProcessFunction<Click, Users, std::string> {
 public:
  /// The documents key their one entry by null; true is as good.
  static BroadcastStateDescriptor<bool, Users> config() { return {.name = "config"}; }

  void process_element(const Click& click, ReadOnlyContext& context,
                       Collector<std::string>& out) override {
    const Users* users = context.broadcast_state(config()).find(true);
    if (users == nullptr) return;
    const auto& [name, age] = users->at(click.user_id);
    out.collect("(" + click.user_id + "," + click.event_time + "," + click.event_type + "," +
                std::to_string(click.product_id) + "," + name + "," + std::to_string(age) + ")");
  }

  void process_broadcast_element(const Users& users, Context& context,
                                 Collector<std::string>&) override {
    auto state = context.broadcast_state(config());
    state.clear();  // together with put one step for readers: BC-07
    state.put(true, users);
  }
};

}  // namespace sluice::parity
