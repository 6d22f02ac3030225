#include "storage/journal/marks.hpp"

#include "storage/bytes.hpp"

namespace sluice::storage {
namespace {

constexpr std::size_t kIdSize = 12;

Error bad_size(const char* what, std::size_t size) {
  return Error{ErrorCode::kCorrupt, std::string{"journal record '"} + what +
                                        "' has an impossible size of " + std::to_string(size) +
                                        " bytes"};
}

}  // namespace

std::string encode_delivered(std::span<const PublicationId> ids) {
  std::string payload;
  payload.reserve(ids.size() * kIdSize);
  for (const PublicationId& id : ids) {
    append_u64(payload, id.sequence);
    append_u32(payload, id.ordinal);
  }
  return payload;
}

Result<std::vector<PublicationId>> decode_delivered(std::string_view payload) {
  if (payload.size() % kIdSize != 0) return bad_size("delivered", payload.size());
  std::vector<PublicationId> ids;
  ids.reserve(payload.size() / kIdSize);
  for (std::size_t at = 0; at < payload.size(); at += kIdSize) {
    ids.push_back({load_u64(payload.data() + at), load_u32(payload.data() + at + 8)});
  }
  return ids;
}

std::string encode_clock_step(std::int64_t step_ms) {
  std::string payload;
  append_u64(payload, static_cast<std::uint64_t>(step_ms));
  return payload;
}

Result<std::int64_t> decode_clock_step(std::string_view payload) {
  if (payload.size() != 8) return bad_size("clock step", payload.size());
  return load_i64(payload.data());
}

std::string encode_skipped(std::uint64_t last_stored) {
  std::string payload;
  append_u64(payload, last_stored);
  return payload;
}

Result<std::uint64_t> decode_skipped(std::string_view payload) {
  if (payload.size() != 8) return bad_size("skipped", payload.size());
  return load_u64(payload.data());
}

std::string encode_set_aside(const SetAside& set_aside) {
  std::string payload;
  append_u64(payload, set_aside.sequence);
  payload.append(set_aside.monitor);
  return payload;
}

Result<SetAside> decode_set_aside(std::string_view payload) {
  if (payload.size() < 8) return bad_size("set aside", payload.size());
  return SetAside{load_u64(payload.data()), std::string{payload.substr(8)}};
}

std::string encode_hold(bool hold) { return std::string(1, hold ? '\1' : '\0'); }

bool decode_hold(std::string_view payload) { return payload == std::string_view{"\1", 1}; }

}  // namespace sluice::storage
