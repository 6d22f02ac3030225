#include "tests/property/model.hpp"

#include <map>
#include <set>

namespace sluice::property {

namespace {

/// A value and when it was last written.
struct Stamped {
  std::int64_t value{};
  Timestamp written{};
};

struct KeyState {
  std::optional<Stamped> value;
  std::vector<Stamped> list;
  std::map<std::string, Stamped> map;
  std::optional<Stamped> reducing;
  std::optional<Stamped> sum;
  std::int64_t count{};
};

class Model {
 public:
  explicit Model(const std::optional<TtlConfig>& ttl) : ttl_{ttl} {}

  std::vector<Report> perform(const Step& step) {
    reports_.clear();
    switch (step.kind) {
      case Step::Kind::kElement: element(step.op); break;
      case Step::Kind::kWatermark: fire(event_, step.at, "event timer "); break;
      case Step::Kind::kClock: clock_ = step.at; break;
    }
    fire(processing_, clock_ - 1, "processing timer ");  // TM-23
    return reports_;
  }

 private:
  using Timers = std::set<std::pair<Timestamp, std::string>>;

  bool gone(const Stamped& s) const { return ttl_ && s.written + ttl_->ttl.count() <= clock_; }
  Stamped now(std::int64_t value) const { return {value, clock_}; }
  /// Whether reads renew.
  void read(Stamped& s) const {
    if (ttl_ && ttl_->update == TtlConfig::Update::kOnReadAndWrite) s.written = clock_;
  }

  void forget_what_is_gone(KeyState& state) const {
    if (state.value && gone(*state.value)) state.value.reset();
    std::erase_if(state.list, [&](const Stamped& s) { return gone(s); });
    std::erase_if(state.map, [&](const auto& e) { return gone(e.second); });
    if (state.reducing && gone(*state.reducing)) state.reducing.reset();
    if (state.sum && gone(*state.sum)) state.sum.reset();
    if (!state.sum) state.count = 0;
  }

  void element(const Op& op) {
    KeyState& state = states_[op.key];
    forget_what_is_gone(state);
    switch (op.action) {
      case Action::kValueSet: state.value = now(op.b); break;
      case Action::kValueClear: state.value.reset(); break;
      case Action::kListAdd: state.list.push_back(now(op.b)); break;
      case Action::kListReplace: state.list = {now(op.a), now(op.b)}; break;
      case Action::kListClear: state.list.clear(); break;
      case Action::kMapPut: state.map["m" + std::to_string(op.a)] = now(op.b); break;
      case Action::kMapRemove: state.map.erase("m" + std::to_string(op.a)); break;
      case Action::kMapClear: state.map.clear(); break;
      case Action::kReduce:
        state.reducing = now(state.reducing ? state.reducing->value * 3 + op.b : op.b);
        break;
      case Action::kReduceClear: state.reducing.reset(); break;
      case Action::kAggregate:
        state.sum = now((state.sum ? state.sum->value : 0) + op.b);
        ++state.count;
        break;
      case Action::kAggregateClear:
        state.sum.reset();
        state.count = 0;
        break;
      case Action::kEventTimer: event_.insert({op.b, op.key}); break;
      case Action::kEventTimerDelete: event_.erase({op.b, op.key}); break;
      case Action::kProcessingTimer: processing_.insert({op.b, op.key}); break;
      case Action::kProcessingTimerDelete: processing_.erase({op.b, op.key}); break;
      case Action::kReadAll: reports_.push_back({op.key, read_all(state)}); break;
      case Action::kActions: break;
    }
  }

  void fire(Timers& timers, Timestamp limit, const std::string& what) {
    while (!timers.empty() && timers.begin()->first <= limit) {
      const auto [at, key] = *timers.begin();
      timers.erase(timers.begin());
      KeyState& state = states_[key];
      forget_what_is_gone(state);
      reports_.push_back({key, what + std::to_string(at) + ": " + read_all(state)});
    }
  }

  std::string read_all(KeyState& state) const {
    const auto text = [](bool there, std::int64_t v) {
      return there ? std::to_string(v) : std::string{"-"};
    };
    std::string all =
        "value " + text(state.value.has_value(), state.value ? state.value->value : 0);
    if (state.value) read(*state.value);
    all += " list";
    for (Stamped& item : state.list) {
      all += " " + std::to_string(item.value);
      read(item);
    }
    all += " map";
    for (auto& [key, item] : state.map) {
      all += " " + key + "=" + std::to_string(item.value);
      read(item);
    }
    all +=
        " reducing " + text(state.reducing.has_value(), state.reducing ? state.reducing->value : 0);
    if (state.reducing) read(*state.reducing);
    all += " aggregating " +
           text(state.sum.has_value(), state.sum ? state.sum->value * 1000 / state.count : 0);
    if (state.sum) read(*state.sum);
    return all;
  }

  std::optional<TtlConfig> ttl_;
  Timestamp clock_{0};
  std::map<std::string, KeyState> states_;
  Timers event_;
  Timers processing_;
  std::vector<Report> reports_;
};

}  // namespace

std::vector<std::vector<Report>> model_run(const Script& script,
                                           const std::optional<TtlConfig>& ttl) {
  Model model{ttl};
  std::vector<std::vector<Report>> reports;
  for (const Step& step : script) reports.push_back(model.perform(step));
  return reports;
}

}  // namespace sluice::property
