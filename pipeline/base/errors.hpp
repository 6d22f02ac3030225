// What the runtime throws when user code breaks a rule of the API.
//
// These are bugs of the job, not conditions of the site: thrown where the rule is broken, caught
// at the wall around the operator, reported with uid and key. Expected failures use Result.
#pragma once

#include <stdexcept>

namespace sluice {

/// A rule of the API was broken at this point of a life cycle ("no key set", KS-04; RF-04).
class IllegalState : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// An argument that is never right (a null list element, LS-02; a TTL of zero, TTL-22).
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Something this kind of stream cannot do (timers on a stream without key, TM-20).
class UnsupportedOperation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// A container was changed under a running iteration (LS-08, MS-10).
class ConcurrentModification : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Restored state and the new code do not fit (SE-01, TTL-20). Names uid, state and both types.
class StateMigrationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A user function failed. Carries the operator's uid and the key it was working on.
class OperatorFailure : public std::runtime_error {
 public:
  OperatorFailure(std::string uid, std::string key, const std::string& cause)
      : std::runtime_error("operator '" + uid + "'" + (key.empty() ? "" : ", key '" + key + "'") +
                           ": " + cause),
        uid_{std::move(uid)},
        key_{std::move(key)},
        cause_{cause} {}

  const std::string& uid() const { return uid_; }
  /// Empty where the operator has no key, or none was set.
  const std::string& key() const { return key_; }
  const std::string& cause() const { return cause_; }

 private:
  std::string uid_;
  std::string key_;
  std::string cause_;
};

}  // namespace sluice
