#include <string>

#include "daemon/cli.hpp"
#include "daemon/config/toml_reader.hpp"
#include "daemon/logging.hpp"

namespace sluice::daemon {

std::string version_text() {
  return "sluice " SLUICE_VERSION
         "\n"
#ifdef __clang__
         "compiler: clang " __clang_version__
         "\n"
#else
         "compiler: g++ " __VERSION__
         "\n"
#endif
         "libraries: " +
         log_library() + ", " + toml_library() + ", " + command_line_library() + "\n";
}

}  // namespace sluice::daemon
