// CRC-32C (Castagnoli), the checksum of journal records and segments. Pure, any thread.
//
// Uses the processor's own instruction where there is one (SSE4.2), else tables. Both give the same
// number; which one runs is found out once.
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::storage {

/// The checksum of `a + b`, given `crc` = the checksum of `a` and the bytes of `b`.
std::uint32_t crc32c_extend(std::uint32_t crc, std::string_view bytes);

/// The checksum of `bytes`; 0 for none.
inline std::uint32_t crc32c(std::string_view bytes) { return crc32c_extend(0, bytes); }

namespace detail {

/// The table-driven way, for machines without the instruction; here so that tests can compare.
std::uint32_t crc32c_portable(std::uint32_t crc, std::string_view bytes);

}  // namespace detail
}  // namespace sluice::storage
