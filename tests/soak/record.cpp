#include "tests/soak/record.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/support/process.hpp"

namespace sluice::soak {
namespace {

constexpr double kWarmUp = 300;        // seconds
constexpr double kShortestSpan = 240;  // seconds, of which a third still says something
constexpr std::size_t kPlotted = 300;  // samples at most, or the picture gets large

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<std::string> names_of(const std::vector<Blow>& blows) {
  std::vector<std::string> names;
  for (const Blow& blow : blows)
    if (std::find(names.begin(), names.end(), blow.name) == names.end()) names.push_back(blow.name);
  std::sort(names.rbegin(), names.rend());  // the first at the top
  return names;
}

/// Where each fault is in the picture: lines of one thing, or the picture gets large.
std::string fault_lines(const std::vector<Blow>& blows, double minutes) {
  const auto names = names_of(blows);
  std::ostringstream out;
  for (const Blow& blow : blows) {
    const auto row = std::find(names.begin(), names.end(), blow.name) - names.begin() + 1;
    const double from = blow.from / 60;
    out << from << ' ' << row << '\n'
        << std::max(blow.to / 60, from + minutes / 300) << ' ' << row << "\n\n";
  }
  return out.str();
}

std::string fault_labels(const std::vector<Blow>& blows) {
  std::string labels;
  int row = 0;
  for (const auto& name : names_of(blows)) {
    labels += row == 0 ? "" : ", ";
    labels += "\"" + name + "\" " + std::to_string(++row);
  }
  return labels;
}

std::string plot_script(const std::vector<Sample>& samples, const std::vector<Blow>& blows) {
  const double minutes = samples.back().seconds / 60;
  const std::string take =
      " every " + std::to_string(samples.size() / kPlotted + 1) + " with lines lw 1.2 ";
  const std::string x = "plot \"samples.csv\" using ($1/60):";
  return "$faults << end\n" + fault_lines(blows, minutes) + R"(end
set terminal svg size 960,1000 font "sans-serif,12" background "white"
set output "soak.svg"
set key outside top horizontal right
set grid
set multiplot layout 4,1
set lmargin 28
set rmargin 3
set yrange [0:*]
set xrange [0:)" +
         std::to_string(minutes) + R"(]
set ylabel "MiB"
set datafile separator ","
)" + x + "($4>0?$4/1048576:NaN)" +
         take + R"(title "resident memory"
)" + x + "($7/1048576)" +
         take + R"(title "journal", "samples.csv" using ($1/60):($8/1048576))" + take +
         R"(title "database and copy"
set ylabel "messages"
)" + x + "9" +
         take + R"(title "waiting in the outbox"
unset ylabel
set datafile separator
set xlabel "minutes"
set yrange [0.5:)" +
         std::to_string(names_of(blows).size()) + R"(.5]
set ytics font ",10" ()" +
         fault_labels(blows) + R"()
plot $faults with lines lw 7 lc rgb "#b03030" notitle
unset multiplot
)";
}

void write_samples(const std::filesystem::path& file, const std::vector<Sample>& samples) {
  std::ofstream out{file};
  out << "seconds,pid,process_age_s,resident_bytes,threads,open_files,journal_bytes,"
         "database_bytes,outbox_waiting,readings,alerts,published_readings,heard_alerts,healthy\n";
  for (const Sample& s : samples) {
    out << s.seconds << ',' << s.pid << ',' << s.age << ',' << s.resident << ',' << s.threads << ','
        << s.files << ',' << s.journal << ',' << s.database << ',';
    if (s.status)
      out << s.status->waiting << ',' << s.status->readings << ',' << s.status->alerts;
    else
      out << ",,";
    out << ',' << s.published << ',' << s.heard << ',';
    if (s.status) out << s.status->healthy;
    out << '\n';
  }
}

void write_blows(const std::filesystem::path& file, const std::vector<Blow>& blows) {
  std::ofstream out{file};
  out << "from_seconds,to_seconds,fault\n";
  for (const Blow& blow : blows) out << blow.from << ',' << blow.to << ',' << blow.name << '\n';
}

}  // namespace

std::string write_record(const std::filesystem::path& folder, const std::vector<Sample>& samples,
                         const std::vector<Blow>& blows) {
  write_samples(folder / "samples.csv", samples);
  write_blows(folder / "faults.csv", blows);
  if (samples.empty() || blows.empty()) return "nothing to draw";
  std::ofstream{folder / "soak.gnuplot"} << plot_script(samples, blows);
  try {
    test::Process gnuplot{
        {.program = "gnuplot", .arguments = {"soak.gnuplot"}, .environment = {}, .folder = folder}};
    return gnuplot.wait() == test::ExitStatus{0, {}} ? "" : gnuplot.errors();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}

Memory look_at_memory(const std::vector<Sample>& samples) {
  Memory memory;
  std::map<pid_t, double> ages;
  for (const Sample& sample : samples) {
    if (sample.pid == 0) continue;
    ages[sample.pid] = sample.age;
    memory.highest = std::max(memory.highest, mebibytes(sample.resident));
  }
  const auto oldest = std::max_element(
      ages.begin(), ages.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (oldest == ages.end() || oldest->second < kWarmUp + kShortestSpan) return memory;
  std::vector<double> values;
  for (const Sample& sample : samples)
    if (sample.pid == oldest->first && sample.age >= kWarmUp && sample.resident > 0)
      values.push_back(mebibytes(sample.resident));
  const auto third = static_cast<std::ptrdiff_t>(values.size() / 3);
  memory.minutes = (oldest->second - kWarmUp) / 60;
  memory.first = median({values.begin(), values.begin() + third});
  memory.last = median({values.end() - third, values.end()});
  return memory;
}

}  // namespace sluice::soak
