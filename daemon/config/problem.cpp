#include "daemon/config/problem.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "pipeline/base/log.hpp"

namespace sluice::daemon {

namespace {

constexpr std::size_t kShownProblems = 100;  ///< more than anyone mends in one go
constexpr std::size_t kShownBefore = 60;     ///< characters of a long line left of the caret
constexpr std::size_t kShownLine = 100;      ///< characters of a line in all

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

std::string_view skip_characters(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (continues_character(text[at])) continue;
    if (count == 0) break;
    --count;
  }
  return text.substr(at);
}

/// One column per character, so that the caret below stays under its place: tabs and anything a
/// terminal would act on become one blank or one question mark.
std::string drawable(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    const std::string_view rest = skip_characters(line, 1);
    const std::string_view character = line.substr(0, line.size() - rest.size());
    const bool plain = character == "\"" || character == "\\" || printable(character) == character;
    out += character == "\t" ? " " : plain ? std::string{character} : "?";
    line = rest;
  }
  return out;
}

/// The line and the caret line, cut to a window around the place.
std::string draw(std::string_view line, const Position& at) {
  const std::size_t start = std::min(at.column == 0 ? 0 : at.column - 1, line.size());
  const std::size_t wide = count_characters(line.substr(start, at.length));
  std::size_t before = count_characters(line.substr(0, start));
  std::string lead = "  ";
  if (before > kShownBefore) {
    line = skip_characters(line, before - kShownBefore);
    before = kShownBefore;
    lead = "  …";
  }
  const std::string_view tail = skip_characters(line, kShownLine);
  const std::string_view shown = line.substr(0, line.size() - tail.size());
  const std::size_t room = kShownLine - std::min(before, kShownLine - 1);
  const std::size_t marks = std::clamp<std::size_t>(wide, 1, room);
  std::string out = lead + drawable(shown) + (tail.empty() ? "" : "…") + "\n";
  out += std::string((lead.size() > 2 ? 3 : 2) + before, ' ') + "^" + std::string(marks - 1, '~');
  return out + "\n";
}

/// Optimal string alignment: a swapped pair of letters is one slip.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> older(b.size() + 1);
  std::vector<std::size_t> old(b.size() + 1);
  std::vector<std::size_t> now(b.size() + 1);
  std::iota(old.begin(), old.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] =
          std::min({old[j] + 1, now[j - 1] + 1, old[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], older[j - 2] + 1);
      }
    }
    std::swap(older, old);
    std::swap(old, now);
  }
  return old[b.size()];
}

}  // namespace

std::string_view line_of(std::string_view source, std::size_t number) {
  for (std::size_t line = 1; line < number; ++line) {
    const std::size_t end = source.find('\n');
    if (end == std::string_view::npos) return {};
    source.remove_prefix(end + 1);
  }
  std::string_view line = source.substr(0, source.find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

void sort_problems(Problems& problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.file, a.at.line, a.at.column) < std::tie(b.file, b.at.line, b.at.column);
  });
}

std::string render_problems(const Problems& problems, std::string_view source) {
  std::string out;
  const std::size_t shown = std::min(problems.size(), kShownProblems);
  for (std::size_t i = 0; i < shown; ++i) {
    const Problem& problem = problems[i];
    out += problem.file;
    const std::string_view line =
        problem.at.line == 0 ? std::string_view{} : line_of(source, problem.at.line);
    if (problem.at.line != 0) {
      const std::size_t before = problem.at.column == 0 ? 0 : problem.at.column - 1;
      out += ":" + std::to_string(problem.at.line) + ":" +
             std::to_string(count_characters(line.substr(0, before)) + 1);
    }
    out += ": error: " + problem.message + "\n";
    if (!line.empty()) out += draw(line, problem.at);
    if (!problem.hint.empty()) out += "  hint: " + problem.hint + "\n";
  }
  if (shown == problems.size()) return out;
  return out + problems.front().file + ": error: and " + std::to_string(problems.size() - shown) +
         " more\n";
}

std::string_view closest(std::string_view word, const std::vector<std::string_view>& known) {
  constexpr std::size_t kLongestWord = 64;
  if (word.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t best_distance = 1 + std::max<std::size_t>(1, word.size() / 3);
  for (const std::string_view candidate : known) {
    // "warn" for "warning" is many letters away, and yet plain.
    if (word.size() >= 3 && candidate.substr(0, word.size()) == word) return candidate;
    const std::size_t d = distance(word, candidate);
    if (d >= best_distance) continue;
    best = candidate;
    best_distance = d;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known) {
  const std::string_view best = closest(word, known);
  return best.empty() ? std::string{} : "did you mean \"" + std::string{best} + "\"?";
}

}  // namespace sluice::daemon
