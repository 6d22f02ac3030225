// Fields: an element of a document's job, read as Jackson's ObjectMapper fills a Java object by
// default: what is missing or null is null, 0 or false; texts of numbers count as numbers; what
// cannot become the field's type throws std::invalid_argument.
#pragma once

#include "tests/parity/harness/values.hpp"

namespace sluice::parity {

class Fields {
 public:
  /// Throws if `value` is no object. `value` must outlive this.
  explicit Fields(const Json& value);

  std::int32_t int_of(const char* name) const;
  std::int64_t long_of(const char* name) const;
  double double_of(const char* name) const;
  bool bool_of(const char* name) const;
  /// "null" for null, which is how it is printed.
  std::string text_of(const char* name) const;
  /// Null is refused (KS-07).
  std::string key_of(const char* name) const;

 private:
  /// The member; null also for texts that stand for null.
  const Json& field(const char* name) const;

  const Json& value_;
};

}  // namespace sluice::parity
