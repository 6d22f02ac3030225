// kBuildStamp: how this file's reader was compiled, as far as it decides whether C++ objects can
// pass between two binaries. Equal stamps can; the compiler itself does not matter (g++ and clang
// agree on everything else).
#pragma once

#include <string_view>

namespace sluice {

#if __cplusplus == 202002L
#define SLUICE_STAMP_STANDARD "C++20"
#elif __cplusplus > 202002L
#define SLUICE_STAMP_STANDARD "C++23 or later"
#else
#define SLUICE_STAMP_STANDARD "before C++20"
#endif

#define SLUICE_STAMP_TEXT_OF(x) #x
#define SLUICE_STAMP_TEXT(x) SLUICE_STAMP_TEXT_OF(x)
#if defined(_GLIBCXX_RELEASE)
#define SLUICE_STAMP_LIBRARY "libstdc++ " SLUICE_STAMP_TEXT(_GLIBCXX_RELEASE)
#elif defined(_LIBCPP_VERSION)
#define SLUICE_STAMP_LIBRARY "libc++ " SLUICE_STAMP_TEXT(_LIBCPP_VERSION)
#else
#define SLUICE_STAMP_LIBRARY "an unknown library"
#endif

#if defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define SLUICE_STAMP_STRINGS "old strings"
#else
#define SLUICE_STAMP_STRINGS "new strings"
#endif

// _GLIBCXX_DEBUG makes containers larger. _GLIBCXX_ASSERTIONS only checks, and changes no layout.
#if defined(_GLIBCXX_DEBUG)
#define SLUICE_STAMP_DEBUG "debug containers"
#else
#define SLUICE_STAMP_DEBUG "plain containers"
#endif

#if defined(__has_feature)
#define SLUICE_HAS_FEATURE(x) __has_feature(x)
#else
#define SLUICE_HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || SLUICE_HAS_FEATURE(address_sanitizer)
#define SLUICE_STAMP_SANITIZER "address sanitizer"
#elif defined(__SANITIZE_THREAD__) || SLUICE_HAS_FEATURE(thread_sanitizer)
#define SLUICE_STAMP_SANITIZER "thread sanitizer"
#elif SLUICE_HAS_FEATURE(memory_sanitizer)
#define SLUICE_STAMP_SANITIZER "memory sanitizer"
#else
#define SLUICE_STAMP_SANITIZER "no sanitizer"
#endif

/// The stamp as it stands in a binary, so that it can be found there without running anything.
inline constexpr std::string_view kBuildStampMark = "sluice-build-stamp: ";
inline constexpr char kMarkedBuildStamp[] =
    "sluice-build-stamp: " SLUICE_STAMP_STANDARD ", " SLUICE_STAMP_LIBRARY ", " SLUICE_STAMP_STRINGS
    ", " SLUICE_STAMP_DEBUG ", " SLUICE_STAMP_SANITIZER;

/// "C++20, libstdc++ 12, new strings, plain containers, no sanitizer"
inline constexpr const char* kBuildStamp = kMarkedBuildStamp + kBuildStampMark.size();

#undef SLUICE_STAMP_STANDARD
#undef SLUICE_STAMP_TEXT_OF
#undef SLUICE_STAMP_TEXT
#undef SLUICE_STAMP_LIBRARY
#undef SLUICE_STAMP_STRINGS
#undef SLUICE_STAMP_DEBUG
#undef SLUICE_HAS_FEATURE
#undef SLUICE_STAMP_SANITIZER

}  // namespace sluice
