// Expected failures are values: Status (it worked, or an Error) and Result<T> (a T, or an Error).
//
// Both are [[nodiscard]]: an ignored failure does not compile. Exceptions are kept for bugs and
// for user functions (see errors.hpp). Any thread; no shared state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace sluice {

/// What kind of failure it was: enough to decide between retry, fall back and give up.
enum class ErrorCode : std::uint8_t {
  kInvalid,      ///< the caller's input is wrong; trying again cannot help
  kNotFound,     ///< a file, name or row that should be there is not
  kUnavailable,  ///< broker away, database locked, …: try again later
  kIo,           ///< the disk or the network refused
  kFull,         ///< no space, or a bound was reached
  kCorrupt,      ///< stored bytes are not what we wrote
  kVersion,      ///< written by another version than this one understands
  kConflict,     ///< two things claim one name
  kInternal,     ///< a bug of ours
};

/// Lower-case word for logs and JSON, e.g. "not-found".
std::string_view to_string(ErrorCode code);

/// A failure: its kind, and a sentence in lower case that names the object (path, topic, key).
class Error {
 public:
  Error(ErrorCode code, std::string message) : code_{code}, message_{std::move(message)} {}

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }

  /// The same failure seen from one level up: "open checkpoint store: <message>".
  Error with_context(std::string_view context) && {
    message_ = std::string{context} + ": " + message_;
    return std::move(*this);
  }

 private:
  ErrorCode code_;
  std::string message_;
};

/// Success, or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_{std::move(error)} {}  // NOLINT(google-explicit-constructor)

  static Status ok() { return {}; }
  bool has_value() const { return error_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  /// Only when there is an error.
  const Error& error() const& { return std::get<Error>(error_); }
  Error&& error() && { return std::get<Error>(std::move(error_)); }

 private:
  std::variant<std::monostate, Error> error_;
};

/// A T, or the Error that kept us from having one.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : value_{std::in_place_index<0>, std::move(value)} {}  // NOLINT(google-explicit-constructor)
  Result(Error error)
      : value_{std::in_place_index<1>, std::move(error)} {}  // NOLINT(google-explicit-constructor)

  bool has_value() const { return value_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  /// Only when there is a value.
  T& value() & { return std::get<0>(value_); }
  const T& value() const& { return std::get<0>(value_); }
  T&& value() && { return std::get<0>(std::move(value_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// Only when there is an error.
  const Error& error() const& { return std::get<1>(value_); }
  Error&& error() && { return std::get<1>(std::move(value_)); }

 private:
  std::variant<T, Error> value_;
};

/// Returns from the calling function if `expr` (a Status) failed.
#define SLUICE_RETURN_IF_ERROR(expr)                                                          \
  do {                                                                                        \
    if (auto sluice_status = (expr); !sluice_status) return std::move(sluice_status).error(); \
  } while (false)

}  // namespace sluice
