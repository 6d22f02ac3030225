// Little-endian numbers in byte buffers: the only number format of our own files.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

namespace sluice::storage {

namespace detail {

template <class T>
T load(const char* from) {
  T value{};
  std::memcpy(&value, from, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  T swapped{};
  for (unsigned n = 0; n < sizeof value; ++n) {
    swapped = static_cast<T>((swapped << 8U) | ((value >> (8U * n)) & 0xFFU));
  }
  value = swapped;
#endif
  return value;
}

template <class T>
void store(char* to, T value) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  std::memcpy(to, &value, sizeof value);
  value = load<T>(to);
#endif
  std::memcpy(to, &value, sizeof value);
}

}  // namespace detail

inline std::uint16_t load_u16(const char* from) { return detail::load<std::uint16_t>(from); }
inline std::uint32_t load_u32(const char* from) { return detail::load<std::uint32_t>(from); }
inline std::uint64_t load_u64(const char* from) { return detail::load<std::uint64_t>(from); }
inline std::int64_t load_i64(const char* from) { return static_cast<std::int64_t>(load_u64(from)); }

inline void store_u16(char* to, std::uint16_t value) { detail::store(to, value); }
inline void store_u32(char* to, std::uint32_t value) { detail::store(to, value); }
inline void store_u64(char* to, std::uint64_t value) { detail::store(to, value); }
inline void store_i64(char* to, std::int64_t value) {
  detail::store(to, static_cast<std::uint64_t>(value));
}

inline void append_u32(std::string& to, std::uint32_t value) {
  char bytes[4];
  store_u32(bytes, value);
  to.append(bytes, sizeof bytes);
}
inline void append_u64(std::string& to, std::uint64_t value) {
  char bytes[8];
  store_u64(bytes, value);
  to.append(bytes, sizeof bytes);
}

}  // namespace sluice::storage
