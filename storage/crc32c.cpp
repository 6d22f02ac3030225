#include "storage/crc32c.hpp"

#include <array>
#include <cstddef>

#include "storage/bytes.hpp"

namespace sluice::storage {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78U;  // reflected

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t n = 0; n < 256; ++n) {
    std::uint32_t crc = n;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
    tables[0][n] = crc;
  }
  for (std::uint32_t n = 0; n < 256; ++n) {
    for (std::size_t k = 1; k < 8; ++k) {
      const std::uint32_t before = tables[k - 1][n];
      tables[k][n] = (before >> 8U) ^ tables[0][before & 0xFFU];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) std::uint32_t crc32c_machine(std::uint32_t crc,
                                                               std::string_view bytes) {
  std::uint64_t state = crc ^ 0xFFFFFFFFU;
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, p += 8) state = __builtin_ia32_crc32di(state, load_u64(p));
  auto narrow = static_cast<std::uint32_t>(state);
  for (; left > 0; --left, ++p)
    narrow = __builtin_ia32_crc32qi(narrow, static_cast<unsigned char>(*p));
  return narrow ^ 0xFFFFFFFFU;
}

bool machine_has_crc() { return __builtin_cpu_supports("sse4.2") != 0; }

#else

std::uint32_t crc32c_machine(std::uint32_t crc, std::string_view bytes) {
  return detail::crc32c_portable(crc, bytes);
}

bool machine_has_crc() { return false; }

#endif

using Implementation = std::uint32_t (*)(std::uint32_t, std::string_view);

const Implementation kImplementation =
    machine_has_crc() ? &crc32c_machine : &detail::crc32c_portable;

}  // namespace

namespace detail {

std::uint32_t crc32c_portable(std::uint32_t crc, std::string_view bytes) {
  std::uint32_t state = crc ^ 0xFFFFFFFFU;
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, p += 8) {  // eight bytes a step, one table for each
    const std::uint64_t word = load_u64(p) ^ state;
    state = 0;
    for (std::size_t k = 0; k < 8; ++k) state ^= kTables[7 - k][(word >> (8 * k)) & 0xFFU];
  }
  for (; left > 0; --left, ++p) {
    state = (state >> 8U) ^ kTables[0][(state ^ static_cast<unsigned char>(*p)) & 0xFFU];
  }
  return state ^ 0xFFFFFFFFU;
}

}  // namespace detail

std::uint32_t crc32c_extend(std::uint32_t crc, std::string_view bytes) {
  return kImplementation(crc, bytes);
}

}  // namespace sluice::storage
