// Words for what code that is not ours has thrown: it may be anything.
#pragma once

#include <string>

namespace sluice {

/// What the exception at hand says of itself, or that it is no std::exception. Call it in a handler
/// only. Not made safe for a log: see printable().
std::string thrown_words();

}  // namespace sluice
