#include "pipeline/base/thrown.hpp"

#include <exception>

namespace sluice {

std::string thrown_words() {
  try {
    throw;
  } catch (const std::exception& fault) {
    return fault.what();
  } catch (...) {
    return "something that is no std::exception was thrown";
  }
}

}  // namespace sluice
