// Problem: one thing that is wrong in a configuration file, where, and what to do about it.
//
// All problems of a file are collected and shown at once, sorted by place. Value types, any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::daemon {

/// A place in a file. Lines and columns count from 1, columns and length in bytes; line 0 means
/// the file as a whole.
struct Position {
  std::size_t line{0};
  std::size_t column{0};
  std::size_t length{1};

  friend bool operator==(const Position&, const Position&) = default;
};

struct Problem {
  std::string file;  ///< as the user named it
  Position at;
  std::string message;  ///< a sentence that names the object, in lower case, no full stop
  std::string hint;     ///< what to do; empty where the message says it all
};

using Problems = std::vector<Problem>;

/// The line of that number, from 1, without its end; empty behind the last.
std::string_view line_of(std::string_view source, std::size_t number);

/// By line, then column; the order of finding within one place.
void sort_problems(Problems& problems);

/// `file:line:column: error: message`, the line itself with a caret below the place, and the hint,
/// for each problem; of very many, the first hundred and how many more there are. Safe to print
/// whatever `source` (the text of the file) holds.
std::string render_problems(const Problems& problems, std::string_view source);

/// The word of `known` that `word` is probably a slip of, or empty: a hint that guesses wildly
/// is worse than none.
std::string_view closest(std::string_view word, const std::vector<std::string_view>& known);

/// `did you mean "topic"?`, or empty.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace sluice::daemon
