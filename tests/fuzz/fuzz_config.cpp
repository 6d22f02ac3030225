// Any bytes as a configuration file: no crash, and either no problem or a printable one.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "daemon/config/config.hpp"
#include "tests/unit/daemon/config/fake_catalog.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const sluice::daemon::FakeCatalog catalog;
  const auto loaded = sluice::daemon::load_config_text(
      std::string{reinterpret_cast<const char*>(data), size}, "fuzz.toml", catalog);
  if (!loaded.ok() && loaded.rendered().empty()) std::abort();
  // What a terminal would act on must never come through from the file.
  for (const char c : loaded.rendered()) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') std::abort();
  }
  return 0;
}
