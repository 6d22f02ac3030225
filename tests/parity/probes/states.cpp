#include "tests/parity/probes/states.hpp"

#include "tests/parity/harness/catalog.hpp"

namespace sluice::parity {

namespace {

constexpr const char* kReducing = "reducing";

UnstorableNull add_values(const UnstorableNull& a, const UnstorableNull& b) {
  return {wrapping_add(a.value.value(), b.value.value())};
}

std::optional<TtlConfig> ttl_option(const Json& options) {
  if (!options.contains("ttl")) return std::nullopt;
  return ttl_of(options["ttl"]);
}

ValueStateDescriptor<UnstorableNull> value_descriptor(const Json& options,
                                                      const std::optional<TtlConfig>& ttl) {
  auto descriptor = States::value_descriptor();
  descriptor.ttl = ttl;
  if (options.contains("default")) {
    descriptor.default_value = UnstorableNull{as_int(options["default"])};
  }
  return descriptor;
}

}  // namespace

States::States(RuntimeContext& context, const Json& options, Emulation& emulation)
    : States{context, options, ttl_option(options), emulation} {}

// In the oracle's order: what is refused first is the same state.
States::States(RuntimeContext& context, const Json& options, const Ttl& ttl, Emulation& emulation)
    : value_{context.value_state(parity::value_descriptor(options, ttl))},
      list_{context, ttl, emulation},
      map_{has_ttl(ttl) ? decltype(map_){MapOps<UnstorableNull>{context, ttl, emulation}}
                        : decltype(map_){MapOps<NullableInt>{context, ttl, emulation}}},
      reducing_{context.reducing_state<UnstorableNull>(
          {.name = kReducing, .reduce = add_values, .ttl = ttl})},
      aggregating_{context.aggregating_state<NullableMean>(
          {.name = "aggregating", .function = {}, .ttl = ttl})},
      ttl_{ttl},
      emulation_{emulation} {}

OpResult States::apply(const std::string& op, const Json& step) {
  if (op.starts_with("value.")) return value_op(op, step);
  if (op.starts_with("list.")) return list_.apply(op, step);
  if (op.starts_with("map.")) {
    return std::visit([&](auto& map) { return map.apply(op, step); }, map_);
  }
  return folding_op(op, step);
}

OpResult States::value_op(const std::string& op, const Json& step) {
  if (op == "value.get") return to_json(value_.value());
  if (op == "value.update") {
    value_.update({nullable_int(step, "arg")});
  } else if (op == "value.clear") {
    value_.clear();
  } else {
    return std::nullopt;
  }
  return done();
}

OpResult States::folding_op(const std::string& op, const Json& step) {
  if (op == "reducing.get") return to_json(reducing_.get());
  if (op == "aggregating.get") return to_json(aggregating_.get());
  if (op == "reducing.add") {
    reducing_add(nullable_int(step, "arg"));
  } else if (op == "reducing.clear") {
    reducing_.clear();
    emulation_.drop_empty_entry(kReducing);
  } else if (op == "aggregating.add") {
    aggregating_.add(nullable_int(step, "arg"));
  } else if (op == "aggregating.clear") {
    aggregating_.clear();
  } else {
    return std::nullopt;
  }
  return done();
}

// With TTL Flink reduces what was there and is not to be seen, and a null, to an entry without a
// value or a stamp: no read removes it, and no snapshot can be taken of it but one without expired
// entries.
void States::reducing_add(const NullableInt& value) {
  const bool reduces_to_nothing =
      !value && has_ttl(ttl_) && ttl_->visibility == TtlConfig::Visibility::kNeverReturnExpired &&
      emulation_.present(kReducing) && to_json(reducing_.get()).is_null();
  reducing_.add({value});
  emulation_.drop_empty_entry(kReducing);
  if (!reduces_to_nothing) return;
  reducing_.clear();
  emulation_.leave_empty_entry(kReducing, ttl_->cleanup_full_snapshot);
  emulation_.differs("TTL-10", "reducing.add");
}

}  // namespace sluice::parity
