// The wall between Paho's C code and ours: an exception that got into it would end the process.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "pipeline/base/log.hpp"

namespace sluice::mqtt {

/// Does what a callback has to do. An exception is a bug, and logged as one.
///
/// Not for handing over messages: there the process had better end. Paho acknowledges a message
/// when the callback is over, so one whose handling failed would be lost; after a crash it comes
/// again.
template <class Work>
void guarded(Log& log, std::string_view where, Work&& work) noexcept {
  try {
    work();
  } catch (const std::exception& fault) {
    log.error("bug in the MQTT plugin, " + std::string{where} + ": " + fault.what());
  } catch (...) {
    log.error("bug in the MQTT plugin: an exception of unknown type");
  }
}

}  // namespace sluice::mqtt
