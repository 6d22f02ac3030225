// Screen: the demonstration for the eye, on standard output. Colours on a terminal only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::demo {

enum class Tone { kPlain, kFaint, kBold, kRed, kGreen, kYellow, kCyan };

class Screen {
 public:
  Screen();

  void heading(const std::string& text);
  void line(const std::string& text, Tone tone = Tone::kPlain);
  /// "  ▲ 08-08 03:00  flood     mill-bridge is at …"
  void event(std::string_view sign, const std::string& when, const std::string& what,
             const std::string& text, Tone tone);
  void check(bool ok, const std::string& text);

  /// The running table: a line is a moment, a column a gauge: where it went, and where it is.
  void table_head(const std::vector<std::string>& gauges, const std::string& unit);
  void table_row(const std::string& when, const std::map<std::string, double>& levels);

 private:
  std::string toned(const std::string& text, Tone tone) const;
  std::string sparkline(const std::vector<double>& levels) const;

  bool colours_;
  std::vector<std::string> gauges_;
  std::size_t spark_width_{};
  std::map<std::string, std::vector<double>> history_;
};

/// Numbers of a table: 1 decimal for large ones, 2 for small ones.
std::string level_text(double level);
/// Fills up with spaces, counting UTF-8 sequences as one column; cuts what is too long.
std::string padded(const std::string& text, std::size_t width);
std::string right_aligned(const std::string& text, std::size_t width);
/// 12345 → "12,345"
std::string counted(std::int64_t number);

}  // namespace sluice::demo
