// Copies: tells apart a message that came twice from two messages that are alike.
//
// Where filters overlap, a broker that speaks MQTT 5 may send a message once for each, marked with
// the identifier of the subscription. The n-th copy by one identifier and the n-th by another are
// the same message, so of each such group the first is news and the others are not. A copy is never
// taken for one by the same identifier: alike messages are not lost. Paho's receiving thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::mqtt {

class Copies {
 public:
  /// `id` in 1…63: the subscription it came by. `again`: the broker may have sent this copy before,
  /// over a connection that was lost; what was news then is news again, for the journal to tell.
  bool is_news(std::string_view topic, std::string_view payload, unsigned id, bool again);

 private:
  struct Seen {
    std::uint64_t topic{};
    std::uint64_t payload{};
    std::uint64_t ids{};    ///< one bit for each subscription it came by
    std::uint64_t first{};  ///< the bit of the copy that was news
  };

  // Copies follow each other closely; one that comes later than this many others counts as news.
  std::array<Seen, 256> seen_{};
  std::size_t next_{};
};

}  // namespace sluice::mqtt
