#include "plugins/formats/csv_line.hpp"

#include "pipeline/base/text.hpp"
#include "plugins/formats/bytes.hpp"

namespace sluice::formats {

void CsvReader::start(std::string_view text, char separator) {
  rest_ = text;
  separator_ = separator;
  fields_.clear();
  unquoted_.clear();
  // Unescaping only shortens: views into this text stay valid, as it never grows beyond.
  unquoted_.reserve(text.size());
}

bool CsvReader::next() {
  fields_.clear();
  unquoted_.clear();
  broken_ = false;
  while (!rest_.empty() && at_line_end()) rest_.remove_prefix(1);
  if (rest_.empty()) return false;
  const std::string_view begin = rest_;
  while (true) {
    read_field();
    if (rest_.empty() || at_line_end()) break;
    rest_.remove_prefix(1);  // the separator
    if (rest_.empty() || at_line_end()) {
      fields_.emplace_back();
      break;
    }
  }
  record_ = begin.substr(0, begin.size() - rest_.size());
  return true;
}

bool CsvReader::at_line_end() const { return rest_.front() == '\n' || rest_.front() == '\r'; }

void CsvReader::read_field() {
  if (rest_.front() == '"') return read_quoted();
  std::size_t length = 0;
  while (length < rest_.size() && rest_[length] != separator_ && rest_[length] != '\n' &&
         rest_[length] != '\r') {
    ++length;
  }
  fields_.push_back(trimmed(rest_.substr(0, length)));
  rest_.remove_prefix(length);
}

void CsvReader::read_quoted() {
  rest_.remove_prefix(1);
  const std::size_t start = unquoted_.size();
  while (true) {
    const std::size_t quote = rest_.find('"');
    unquoted_ += rest_.substr(0, quote);
    if (quote == std::string_view::npos) {
      broken_ = true;
      rest_ = {};
      break;
    }
    rest_.remove_prefix(quote + 1);
    if (rest_.empty() || rest_.front() != '"') break;
    unquoted_ += '"';
    rest_.remove_prefix(1);
  }
  fields_.push_back(std::string_view{unquoted_}.substr(start));
  while (!rest_.empty() && rest_.front() != separator_ && !at_line_end()) {
    broken_ = broken_ || (rest_.front() != ' ' && rest_.front() != '\t');
    rest_.remove_prefix(1);
  }
}

}  // namespace sluice::formats
