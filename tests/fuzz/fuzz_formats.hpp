// What the fuzz targets of payload formats share: decoders from options, and a sink that checks
// what every format promises of a reading.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/formats/formats.hpp"

namespace fuzz {

class CheckingSink final : public sluice::DecodeSink {
 public:
  void reading(sluice::Reading reading) override {
    if (!std::isfinite(reading.level) || reading.sensor.empty()) std::abort();
  }
  void reject(sluice::RejectReason, std::string detail) override {
    if (detail.empty() || detail.size() > 1000) std::abort();
    for (const char c : detail) {
      if (static_cast<unsigned char>(c) < 0x20) std::abort();
    }
  }
};

inline std::unique_ptr<sluice::Decoder> decoder(
    const sluice::Format& format,
    std::initializer_list<std::pair<std::string_view, sluice::OptionValue>> given) {
  sluice::Options options = sluice::Options::fallbacks(format.options());
  for (const auto& [name, value] : given) options.set(name, value);
  auto made = format.make_decoder(options);
  if (!made) std::abort();
  return std::move(made).value();
}

inline int decode_all(const std::vector<std::unique_ptr<sluice::Decoder>>& decoders,
                      const std::uint8_t* data, std::size_t size) {
  sluice::MessageView message;
  message.source = "fuzz";
  message.topic = "site/well-4/level";
  message.payload = {reinterpret_cast<const char*>(data), size};
  message.received = 1'767'225'600'000;
  CheckingSink sink;
  for (const auto& one : decoders) one->decode(message, sink);
  return 0;
}

}  // namespace fuzz
