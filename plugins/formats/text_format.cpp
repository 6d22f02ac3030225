// The format `text`: the whole payload is one number, as ESPHome, Home Assistant or a shell
// script with mosquitto_pub publish it.
#include <utility>

#include "pipeline/base/log.hpp"
#include "pipeline/base/text.hpp"
#include "pipeline/base/utf8.hpp"
#include "plugins/formats/bytes.hpp"
#include "plugins/formats/formats.hpp"
#include "plugins/formats/limits.hpp"
#include "plugins/formats/mapping.hpp"
#include "plugins/formats/mapping_options.hpp"

namespace sluice::formats {

namespace {

constexpr auto kOptions = with_mapping_options(std::array<OptionSpec, 3>{{
    kSensorOption,
    {.name = "level",
     .type = OptionType::kText,
     .help = "selector of the level",
     .fallback = "payload"},
    kDecimalCommaOption,
}});

constexpr SelectorRules kRules{.format = "text", .payload = true};

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

class TextDecoder final : public Decoder {
 public:
  explicit TextDecoder(Mapping mapping)
      : mapping_{std::move(mapping)}, found_(mapping_.sources().size()) {}

  void decode(const MessageView& message, DecodeSink& sink) const override {
    if (reject_too_large(message, sink)) return;
    if (!is_utf8(message.payload)) {
      sink.reject(RejectReason::kMalformed,
                  "the text \"" + printable(message.payload) + "\" is not UTF-8");
      return;
    }
    MessageView bare = message;
    bare.payload = without_quotes(trimmed(without_accidents(message.payload)));
    mapping_.fill_from_message(bare, found_);
    mapping_.emit(found_, message, sink);
  }

 private:
  Mapping mapping_;
  mutable std::vector<Value> found_;  ///< scratch; decoders run on one thread
};

class TextFormat final : public Format {
 public:
  std::string_view name() const override { return "text"; }
  std::string_view help() const override { return "One bare number as the whole payload"; }
  std::span<const OptionSpec> options() const override { return kOptions; }

  Result<std::unique_ptr<Decoder>> make_decoder(const Options& options) const override {
    auto mapping = Mapping::make(options, kRules);
    if (!mapping) return std::move(mapping).error();
    return std::unique_ptr<Decoder>{std::make_unique<TextDecoder>(std::move(mapping).value())};
  }
};

}  // namespace

const Format& text_format() {
  static const TextFormat format;
  return format;
}

}  // namespace sluice::formats
