// Named points at which a test can let the process die, as kill -9 would, to see what is left.
//
// SLUICE_CRASH_AT=NAME dies where NAME is reached first, NAME:3 where it is reached the third time.
// Only in builds with the CMake option SLUICE_CRASH_POINTS (on where there are tests): what is
// shipped has no such points, and the calls cost nothing. tests/crash/crash_points has the table of
// all points and what must come of each.
// Any thread.
#pragma once

namespace sluice::storage {

#ifdef SLUICE_CRASH_POINTS

namespace crash_points {
extern const bool armed;  ///< whether SLUICE_CRASH_AT is set
void reach(const char* name) noexcept;
}  // namespace crash_points

inline void crash_point(const char* name) noexcept {
  if (crash_points::armed) crash_points::reach(name);
}

#else

inline void crash_point(const char*) noexcept {}

#endif

}  // namespace sluice::storage
