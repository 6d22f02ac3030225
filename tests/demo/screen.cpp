#include "tests/demo/screen.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace sluice::demo {
namespace {

constexpr std::size_t kWidth = 88;
constexpr std::size_t kTimeWidth = 16;
constexpr std::size_t kLevelWidth = 7;

bool wants_colours() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr &&
         terminal != nullptr && std::string_view{terminal} != "dumb";
}

const char* code(Tone tone) {
  switch (tone) {
    case Tone::kFaint: return "\x1b[2m";
    case Tone::kBold: return "\x1b[1m";
    case Tone::kRed: return "\x1b[31m";
    case Tone::kGreen: return "\x1b[32m";
    case Tone::kYellow: return "\x1b[33m";
    case Tone::kCyan: return "\x1b[36m";
    case Tone::kPlain: break;
  }
  return "";
}

std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace

Screen::Screen() : colours_{wants_colours()} {
  // A person watches: each line when it happens, also through a pipe.
  std::setvbuf(stdout, nullptr, _IOLBF, 4096);
}

std::string Screen::toned(const std::string& text, Tone tone) const {
  return colours_ && tone != Tone::kPlain ? code(tone) + text + "\x1b[0m" : text;
}

void Screen::line(const std::string& text, Tone tone) { std::puts(toned(text, tone).c_str()); }

void Screen::heading(const std::string& text) {
  line("");
  line(text, Tone::kBold);
}

void Screen::event(std::string_view sign, const std::string& when, const std::string& what,
                   const std::string& text, Tone tone) {
  line("  " + std::string{sign} + " " + padded(when, 11) + "  " +
           toned(padded(what, 9), Tone::kBold) + (colours_ ? code(tone) : "") + text,
       tone);
}

void Screen::check(bool ok, const std::string& text) {
  line("  " + toned(ok ? "✓" : "✗", ok ? Tone::kGreen : Tone::kRed) + " " +
       (ok ? text : toned(text, Tone::kRed)));
}

void Screen::table_head(const std::vector<std::string>& gauges, const std::string& unit) {
  gauges_ = gauges;
  const std::size_t share = (kWidth - kTimeWidth) / std::max<std::size_t>(1, gauges.size());
  spark_width_ = std::clamp<std::size_t>(share - kLevelWidth - 2, 4, 24);
  std::string text = padded("    highest, " + unit, kTimeWidth);
  for (const std::string& gauge : gauges) {
    const std::size_t width = spark_width_ + kLevelWidth;
    const std::string name = gauge.size() > width ? gauge.substr(gauge.size() - width) : gauge;
    text += right_aligned(name, width) + "  ";
  }
  line(text, Tone::kFaint);
}

void Screen::table_row(const std::string& when, const std::map<std::string, double>& levels) {
  std::string text = padded("    " + when, kTimeWidth);
  for (const std::string& gauge : gauges_) {
    std::vector<double>& history = history_[gauge];
    const auto level = levels.find(gauge);
    history.push_back(level == levels.end() ? std::nan("") : level->second);
    text += toned(sparkline(history), Tone::kCyan) +
            right_aligned(level == levels.end() ? "·" : level_text(level->second), kLevelWidth) +
            "  ";
  }
  line(text);
}

// From the lowest to the highest of all levels that the table has shown for this gauge.
std::string Screen::sparkline(const std::vector<double>& levels) const {
  static constexpr std::array kBlocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (const double level : levels) {
    if (std::isnan(level)) continue;
    low = std::min(low, level);
    high = std::max(high, level);
  }
  const std::size_t shown = std::min(spark_width_, levels.size());
  std::string text(spark_width_ - shown, ' ');
  for (std::size_t i = levels.size() - shown; i < levels.size(); ++i) {
    if (std::isnan(levels[i])) {
      text += ' ';
      continue;
    }
    const double part = high > low ? (levels[i] - low) / (high - low) : 0;
    text += kBlocks[std::min<std::size_t>(static_cast<std::size_t>(part * 8), 7)];
  }
  return text;
}

std::string level_text(double level) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), std::abs(level) < 20 ? "%.2f" : "%.1f", level);
  return text.data();
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = columns(text);
  return used >= width ? text + " " : text + std::string(width - used, ' ');
}

std::string right_aligned(const std::string& text, std::size_t width) {
  const std::size_t used = columns(text);
  return used >= width ? text : std::string(width - used, ' ') + text;
}

std::string counted(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

}  // namespace sluice::demo
