#include "pipeline/graph/event_time.hpp"

#include "pipeline/graph/node.hpp"

namespace sluice::detail {

void EventTime::add(std::string name, Operator& op, std::vector<GateBase*> gates) {
  instances_.insert_or_assign(std::move(name), Instance{&op, std::move(gates)});
}

Datum EventTime::save(const Instance& instance) {
  Datum::List parts{instance.op->event_time()};
  bool anything = !parts.front().is_null();
  for (auto* gate : instance.gates) {
    parts.push_back(detail::save(gate->event_time()));
    anything = anything || !parts.back().is_null();
  }
  return anything ? Datum{std::move(parts)} : Datum{};
}

void EventTime::restore(const Instance& instance, const Datum& saved) {
  const auto& parts = expect<Datum::List>(saved, "the event time of an operator");
  if (parts.empty()) bad_datum("the event time of an operator", saved);
  instance.op->restore_event_time(parts.front());
  for (std::size_t i = 0; i < instance.gates.size() && i + 1 < parts.size(); ++i) {
    detail::restore(instance.gates[i]->event_time(), parts[i + 1]);
  }
}

void EventTime::restore(const JobSnapshot& snapshot) {
  for (const auto& op : snapshot.operators) {
    if (op.info.uid != kEventTimeUid) continue;
    for (const auto& state : op.states) {
      for (const auto& [key, saved] : state.rows) {
        const auto& name = expect<std::string>(key, "the name of an operator");
        written_[name] = saved;
        const auto found = instances_.find(name);
        if (found != instances_.end()) restore(found->second, saved);
      }
    }
  }
}

void EventTime::reset() {
  for (auto& [name, instance] : instances_) {
    instance.op->reset_event_time();
    for (auto* gate : instance.gates) {
      CombinedTime& time = gate->event_time();
      const std::size_t senders = time.senders.size();
      time = CombinedTime{};
      time.senders.resize(senders);
    }
  }
}

void EventTime::write(SnapshotWriter& writer, bool full) {
  std::map<std::string, Datum> now;
  for (const auto& [name, instance] : instances_) {
    Datum saved = save(instance);
    if (!saved.is_null()) now.emplace(name, std::move(saved));
  }
  writer.begin_operator({std::string{kEventTimeUid}, 0, 1, 1});
  writer.begin_state({"watermarks", StateKind::kBroadcast, "text", "event-time", false}, full);
  for (const auto& [name, saved] : now) {
    const auto before = written_.find(name);
    if (full || before == written_.end() || before->second != saved) writer.put(name, saved);
  }
  // Also of operators that are not in the graph any more.
  for (const auto& [name, saved] : written_) {
    if (!full && now.find(name) == now.end()) writer.erase(name);
  }
  written_ = std::move(now);
}

namespace {

constexpr std::size_t kLongestName = 120;

/// Long chains of operators without uid would have names that grow with each.
std::string shortened(const std::string& name) {
  if (name.size() <= kLongestName) return name;
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<std::uint8_t>(c)) * 1099511628211U;
  return name.substr(0, kLongestName / 2) + "~" + std::to_string(hash);
}

}  // namespace

std::vector<std::string> lasting_names(const std::deque<Node>& nodes) {
  std::vector<std::string> names;
  std::map<std::string, int> count;
  for (const Node& node : nodes) {
    std::string name = node.uid;
    if (name.empty()) {
      name = node.name + "(";
      for (const auto& input : node.inputs) {
        for (const auto& edge : input.edges) name += names.at(edge.from) + ",";
      }
      name = shortened(name + ")");
      const int same = ++count[name];
      if (same > 1) name += "#" + std::to_string(same);
    } else if (node.inputs.size() > 1) {
      // Another function under an old uid may have another number of inputs: it stands nowhere yet.
      name += "+" + std::to_string(node.inputs.size());
    }
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace sluice::detail
