// Any bytes as a JSON payload, through mappings that use every kind of selector.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_formats.hpp"

using sluice::formats::json_format;
using Texts = std::vector<std::string>;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto decoders = [] {
    std::vector<std::unique_ptr<sluice::Decoder>> made;
    made.push_back(fuzz::decoder(json_format(), {{"sensor", "/id"}, {"level", "/level"}}));
    made.push_back(fuzz::decoder(json_format(), {{"sensor", "template:{key}/{root:/id}"},
                                                 {"level", ""},
                                                 {"each", Texts{""}},
                                                 {"bool", Texts{"true=1"}},
                                                 {"match", Texts{"key=*a*"}}}));
    made.push_back(fuzz::decoder(json_format(), {{"sensor", "@0:/id"},
                                                 {"level", "/0"},
                                                 {"time", "/1"},
                                                 {"time_format", "epoch_ns"},
                                                 {"each", Texts{"/a", "/b"}}}));
    return made;
  }();
  return fuzz::decode_all(decoders, data, size);
}
