#include "plugins/formats/time_zone.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "pipeline/base/log.hpp"

namespace sluice::formats {

namespace {

constexpr std::size_t kHeaderSize = 44;
constexpr std::size_t kMaxFileSize = 1 << 20;

Error corrupt(const std::string& what) {
  return {ErrorCode::kCorrupt, "not a sound time zone file: " + what};
}

/// Big-endian two's complement of `size` bytes.
std::int64_t signed_number(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = (static_cast<std::uint8_t>(bytes[at]) & 0x80) != 0 ? ~std::uint64_t{0} : 0;
  for (std::size_t i = 0; i < size; ++i) {
    value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  }
  return static_cast<std::int64_t>(value);
}

/// The counts in a header, and where the parts of its block lie behind it.
struct Block {
  std::size_t time_size{};  ///< bytes of one transition time: 4 in the first block, else 8
  std::size_t utc_flags{}, standard_flags{}, leaps{}, times{}, types{}, letters{};
  char version{};

  std::size_t times_at() const { return kHeaderSize; }
  std::size_t indices_at() const { return times_at() + times * time_size; }
  std::size_t types_at() const { return indices_at() + times; }
  std::size_t size() const {
    return types_at() + types * 6 + letters + leaps * (time_size + 4) + standard_flags + utc_flags;
  }
};

Result<Block> read_header(std::string_view bytes, std::size_t time_size) {
  if (bytes.size() < kHeaderSize || bytes.substr(0, 4) != "TZif") return corrupt("no TZif header");
  const auto count = [&](std::size_t i) {
    return static_cast<std::size_t>(
        static_cast<std::uint32_t>(signed_number(bytes, 20 + 4 * i, 4)));
  };
  Block block;
  block.version = bytes[4];
  block.time_size = time_size;
  block.utc_flags = count(0);
  block.standard_flags = count(1);
  block.leaps = count(2);
  block.times = count(3);
  block.types = count(4);
  block.letters = count(5);
  // Each count alone first: on 32-bit machines their sum could wrap around.
  for (std::size_t i = 0; i < 6; ++i) {
    if (count(i) > bytes.size()) return corrupt("it is cut short");
  }
  if (block.types == 0 || block.size() > bytes.size()) return corrupt("it is cut short");
  return block;
}

bool is_zone_name(std::string_view name) {
  const auto good = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '+' || c == '/';
  };
  return !name.empty() && name.front() != '/' && name.size() < 100 &&
         std::all_of(name.begin(), name.end(), good);
}

}  // namespace

Result<TimeZone> TimeZone::parse(std::string_view bytes) {
  auto block = read_header(bytes, 4);
  if (!block) return std::move(block).error();
  const bool has_second_block = block->version >= '2';
  if (has_second_block) {
    // The first block holds the same in 32 bits, for readers of before 2005.
    bytes.remove_prefix(block->size());
    block = read_header(bytes, 8);
    if (!block) return std::move(block).error();
  }

  TimeZone zone;
  const auto offset_of_type = [&](std::size_t type) {
    return static_cast<std::int32_t>(signed_number(bytes, block->types_at() + 6 * type, 4));
  };
  zone.first_offset_ = offset_of_type(0);
  for (std::size_t i = 0; i < block->times; ++i) {
    const auto type = static_cast<std::uint8_t>(bytes[block->indices_at() + i]);
    if (type >= block->types) return corrupt("a change names a type that is not there");
    const std::size_t at = block->times_at() + i * block->time_size;
    zone.changes_.push_back(signed_number(bytes, at, block->time_size));
    zone.offsets_.push_back(offset_of_type(type));
  }
  if (!std::is_sorted(zone.changes_.begin(), zone.changes_.end())) {
    return corrupt("its changes are out of order");
  }

  if (has_second_block) {
    std::string_view footer = bytes.substr(block->size());
    if (footer.size() < 2 || footer.front() != '\n') return corrupt("its last line is missing");
    footer.remove_prefix(1);
    footer = footer.substr(0, footer.find('\n'));
    if (!footer.empty()) {
      auto rule = PosixZoneRule::parse(footer);
      if (!rule) return std::move(rule).error();
      zone.rule_ = *rule;
    }
  }
  return zone;
}

Result<std::shared_ptr<const TimeZone>> TimeZone::load(std::string_view name) {
  const std::string shown = "time zone \"" + printable(name) + "\"";
  if (!is_zone_name(name)) {
    return Error{ErrorCode::kInvalid, shown + ": not a zone name; use one like Europe/Berlin"};
  }
  const char* folder = std::getenv("TZDIR");
  const std::string path =
      std::string{folder != nullptr ? folder : "/usr/share/zoneinfo"} + "/" + std::string{name};
  std::ifstream file{path, std::ios::binary};
  std::string bytes(kMaxFileSize, '\0');
  if (!file || !file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())).eof()) {
    return Error{ErrorCode::kNotFound, shown + ": cannot read " + path +
                                           "; correct the name, or install the package tzdata"};
  }
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  auto zone = parse(bytes);
  if (!zone) return std::move(zone).error().with_context(shown + ": " + path);
  return std::shared_ptr<const TimeZone>{std::make_shared<TimeZone>(std::move(zone).value())};
}

std::int32_t TimeZone::offset_at(std::int64_t utc_seconds) const {
  const auto next = std::upper_bound(changes_.begin(), changes_.end(), utc_seconds);
  if (next == changes_.end() && rule_) return rule_->offset_at(utc_seconds);
  if (next == changes_.begin()) return first_offset_;
  return offsets_[static_cast<std::size_t>(std::distance(changes_.begin(), next)) - 1];
}

std::int64_t TimeZone::to_utc(std::int64_t local_seconds, std::int64_t received) const {
  // No zone changes its clocks twice within two days, so these two are all that may hold.
  constexpr std::int64_t kDay = 86'400;
  constexpr std::int64_t kClockDifference = 1'800;
  const std::int32_t before = offset_at(local_seconds - kDay);
  const std::int32_t behind = offset_at(local_seconds + kDay);
  const std::int64_t first = local_seconds - before;
  const std::int64_t second = local_seconds - behind;
  const bool first_holds = offset_at(first) == before;
  const bool second_holds = offset_at(second) == behind;
  if (!first_holds) return second_holds ? second : first;
  if (!second_holds) return first;
  return std::max(first, second) <= received + kClockDifference ? std::max(first, second)
                                                                : std::min(first, second);
}

}  // namespace sluice::formats
