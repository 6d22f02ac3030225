// Reading a script's JSON as the oracle read it, so that odd arguments mean the same here.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sluice::parity {

using Json = nlohmann::json;

/// State of the probes may be null, as everything in Java may.
using NullableInt = std::optional<std::int32_t>;
using NullableText = std::optional<std::string>;

// --- as Jackson's JsonNode reads: whatever is there becomes what is asked for ---

/// Numbers are cut (integers to their low bits, others at the ends of the range), texts parsed;
/// 0 for what is none, or is not there.
std::int32_t as_int(const Json& value);
std::int64_t as_long(const Json& object, const char* name);
/// False for what is none, or is not there.
bool as_bool(const Json& object, const char* name);
/// A scalar as text, "" for others; throws std::invalid_argument if it is not there.
std::string as_text(const Json& object, const char* name);
std::string as_text(const Json& scalar);

/// Null where the member is null or not there.
NullableInt nullable_int(const Json& object, const char* name);
NullableText nullable_text(const Json& object, const char* name);
std::optional<std::vector<NullableInt>> nullable_ints(const Json& object, const char* name);
std::optional<std::map<NullableText, NullableInt>> nullable_entries(const Json& object,
                                                                    const char* name);

/// The member, or null.
const Json& member(const Json& object, const char* name);

inline Json to_json(const NullableInt& value) { return value ? Json(*value) : Json(); }
inline Json to_json(const NullableText& value) { return value ? Json(*value) : Json(); }
inline Json to_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }
inline Json to_json(const std::optional<std::int64_t>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace sluice::parity
