// Any bytes as a text or CSV payload.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/fuzz/fuzz_formats.hpp"

using sluice::formats::csv_format;
using sluice::formats::text_format;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto decoders = [] {
    std::vector<std::unique_ptr<sluice::Decoder>> made;
    made.push_back(fuzz::decoder(text_format(), {{"sensor", "payload"}}));
    made.push_back(fuzz::decoder(text_format(), {{"sensor", "topic:1"}, {"decimal_comma", true}}));
    made.push_back(fuzz::decoder(
        csv_format(),
        {{"sensor", "col:0"}, {"level", "col:1"}, {"time", "col:2"}, {"on_bad_time", "receipt"}}));
    made.push_back(fuzz::decoder(
        csv_format(),
        {{"sensor", "col:id"}, {"level", "col:level"}, {"header", true}, {"separator", ";"}}));
    return made;
  }();
  return fuzz::decode_all(decoders, data, size);
}
