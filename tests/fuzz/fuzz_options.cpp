// Option values as a user might write them: the first byte chooses the type, the rest is the value.
// What is accepted is within its bounds and survives being written and read again; what is refused
// is refused in words that a terminal can show.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "pipeline/plugin/option_text.hpp"
#include "pipeline/plugin/options.hpp"

namespace {

using sluice::OptionSpec;
using sluice::OptionType;
using sluice::OptionValue;

void check_printable(const std::string& message) {
  if (message.empty()) std::abort();
  for (const char c : message) {
    if (static_cast<unsigned char>(c) < 0x20) std::abort();
  }
}

template <class Parse, class Format>
void check_amount(std::string_view text, Parse parse, Format format) {
  const auto amount = parse(text);
  if (!amount) {
    check_printable(amount.error().message());
    return;
  }
  if (*amount < 0) std::abort();
  const auto again = parse(format(*amount));
  if (!again || *again != *amount) std::abort();
}

void check_value(OptionType type, const OptionValue& raw) {
  const OptionSpec spec{.name = "option",
                        .type = type,
                        .help = "an option",
                        .minimum = type == OptionType::kText ? -HUGE_VAL : 10,
                        .maximum = type == OptionType::kText ? HUGE_VAL : 1000,
                        .choices = type == OptionType::kText ? "json|text" : ""};
  const auto checked = sluice::check_option(spec, raw);
  if (!checked) {
    check_printable(checked.error().message());
  } else if (const auto* number = std::get_if<std::int64_t>(&*checked)) {
    if (*number < 10 || *number > 1000) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text{reinterpret_cast<const char*>(data) + 1, size - 1};
  switch (data[0] % 4) {
    case 0: check_amount(text, sluice::parse_duration, sluice::format_duration); break;
    case 1: check_amount(text, sluice::parse_size, sluice::format_size); break;
    case 2: check_value(OptionType::kText, text); break;
    default:
      for (const auto type : {OptionType::kInteger, OptionType::kNumber, OptionType::kBoolean,
                              OptionType::kDuration, OptionType::kSize, OptionType::kTextList}) {
        check_value(type, text);
      }
  }
  return 0;
}
