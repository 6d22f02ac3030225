// Separated values (RFC 4180), taken apart in place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::formats {

/// The fields of one record after the other. Reuses its memory; not thread-safe.
class CsvReader {
 public:
  /// `text` must outlive the reader's use.
  void start(std::string_view text, char separator);

  /// Reads the next record that is not blank into fields(); false at the end. Line ends are LF,
  /// CRLF or CR. White space around unquoted fields is dropped.
  bool next();

  /// The last record had a quote that never ended, or text behind a closing quote.
  bool broken() const { return broken_; }
  /// Valid until the next call of next() or start().
  const std::vector<std::string_view>& fields() const { return fields_; }
  /// The bytes of the last record, for messages.
  std::string_view record() const { return record_; }

 private:
  void read_field();
  void read_quoted();
  bool at_line_end() const;

  std::string_view rest_;
  std::string_view record_;
  char separator_{','};
  bool broken_{};
  std::vector<std::string_view> fields_;
  std::string unquoted_;  ///< fields with doubled quotes, without them
};

}  // namespace sluice::formats
