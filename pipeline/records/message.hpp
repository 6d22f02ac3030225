// Message: bytes from outside, before anybody has looked into them.
#pragma once

#include <cstdint>
#include <string_view>

#include "pipeline/base/time.hpp"

namespace sluice {

/// What a source received. A view: valid during the call that hands it over.
struct MessageView {
  std::string_view source;    ///< name of the `[[source]]`, or a reserved name with '$' in front
  std::string_view topic;     ///< as published; may hold anything but NUL
  std::string_view payload;   ///< raw bytes
  Timestamp received{};       ///< wall-clock time of arrival
  std::uint16_t packet_id{};  ///< the transport's id of this delivery, 0 if it has none
  bool duplicate{};           ///< the transport says it may have delivered this before (MQTT DUP)
  bool retained{};            ///< an old message replayed at subscription, not news
  bool cut{};                 ///< larger than it may be: the payload is only its beginning
};

}  // namespace sluice
