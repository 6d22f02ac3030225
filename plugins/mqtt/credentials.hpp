// User name and password from a file of their own, so that the configuration can be shown around.
#pragma once

#include <string>

#include "pipeline/base/result.hpp"

namespace sluice::mqtt {

struct Credentials {
  std::string user;
  std::string password;   ///< may be empty
  bool world_readable{};  ///< any user of the machine can read the file: worth a warning
};

/// Reads either two lines (user name, password) or lines `user = …` and `password = …`, with or
/// without double quotes; lines that begin with # and blank lines before the first are skipped.
/// Errors name the file and the cure and never repeat what stands in it.
Result<Credentials> read_credentials(const std::string& path);

}  // namespace sluice::mqtt
