// How Paho spells an address.
#pragma once

#include <string>

namespace sluice::test {

/// From what MosquittoBroker::uri() gives.
inline std::string paho_uri(const std::string& uri) {
  return uri.starts_with("mqtt://") ? "tcp://" + uri.substr(7) : uri;
}

}  // namespace sluice::test
