// Reading structs of Datums that the engine saved itself. Pure functions, any thread.
#pragma once

#include <string_view>

#include "pipeline/base/datum.hpp"

namespace sluice::daemon {

/// The member of that name as a T; nullptr if there is none, or it holds another alternative.
template <class T>
const T* member_if(const Datum& saved, std::string_view name) {
  const Datum* member = saved.member(name);
  return member == nullptr ? nullptr : member->get_if<T>();
}

}  // namespace sluice::daemon
