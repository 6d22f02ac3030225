#include "tests/unit/formats/decoding.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

namespace sluice::formats {

Result<std::unique_ptr<Decoder>> make_decoder(const Format& format, OptionList options) {
  Options checked = Options::fallbacks(format.options());
  for (const auto& [name, raw] : options) {
    const OptionSpec* known = nullptr;
    for (const OptionSpec& spec : format.options()) {
      if (spec.name == name) known = &spec;
    }
    if (known == nullptr) throw std::logic_error("no option " + std::string{name});
    auto value = check_option(*known, raw);
    if (!value) return std::move(value).error();
    checked.set(name, std::move(value).value());
  }
  return format.make_decoder(checked);
}

std::unique_ptr<Decoder> decoder(const Format& format, OptionList options) {
  auto made = make_decoder(format, options);
  if (!made) throw std::logic_error(made.error().message());
  return std::move(made).value();
}

std::string refusal(const Format& format, OptionList options) {
  const auto made = make_decoder(format, options);
  if (!made) return made.error().message();
  ADD_FAILURE() << "these options should have been refused";
  return {};
}

Decoded decode(const Decoder& decoder, std::string_view payload, std::string_view topic) {
  MessageView message;
  message.source = "test";
  message.topic = topic;
  message.payload = payload;
  message.received = kReceived;
  Decoded decoded;
  decoder.decode(message, decoded);
  return decoded;
}

std::string outcome(const Decoded& decoded) {
  std::ostringstream out;
  out.precision(17);
  std::string_view gap;
  for (const Reading& reading : decoded.readings) {
    out << gap << reading.level;
    gap = " ";
  }
  for (const Rejected& reject : decoded.rejects) {
    out << gap << to_string(reject.reason);
    gap = " ";
  }
  return out.str();
}

}  // namespace sluice::formats
