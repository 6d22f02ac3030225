#include "tests/soak/record.hpp"

#include <algorithm>
#include <fstream>

#include "tests/support/process.hpp"

namespace sluice::soak {
namespace {

constexpr double kMiB = 1024 * 1024;
constexpr double kWarmUp = 300;        // seconds
constexpr double kShortestSpan = 240;  // seconds, of which a third still says something
constexpr std::size_t kPlotted = 600;  // samples at most, or the picture gets large

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::string plot_script(std::size_t every, double minutes, std::size_t rows) {
  const std::string take = " every " + std::to_string(every) + " with lines lw 1.2 ";
  const std::string x = "using ($1/60):";
  return R"(set terminal svg size 960,900 font "sans-serif,12" background "white"
set output "soak.svg"
set datafile separator ","
set key outside top horizontal right
set grid
set multiplot layout 4,1
set lmargin 28
set rmargin 3
set style fill solid 0.5 noborder
set yrange [0:*]
set xrange [0:)" +
         std::to_string(minutes) + R"(]
set ylabel "MiB"
plot "samples.csv" )" +
         x + "($4>0?$4/1048576:NaN)" + take + R"(title "resident memory"
plot "samples.csv" )" +
         x + "($7/1048576)" + take + R"(title "journal", "samples.csv" )" + x + "($8/1048576)" +
         take + R"(title "database and copy"
set ylabel "messages"
plot "samples.csv" )" +
         x + "9" + take + R"(title "waiting in the outbox"
unset ylabel
set xlabel "minutes"
set yrange [0.5:)" +
         std::to_string(rows) + R"(.5]
set ytics 1
plot "faults.csv" )" +
         x + "3:($1/60):($2/60+" + std::to_string(minutes / 300) +
         R"():($3-0.35):($3+0.35):ytic(4) with boxxyerror lc rgb "#b03030" notitle
unset multiplot
)";
}

std::vector<std::string> names_of(const std::vector<Blow>& blows) {
  std::vector<std::string> names;
  for (const Blow& blow : blows)
    if (std::find(names.begin(), names.end(), blow.name) == names.end()) names.push_back(blow.name);
  std::sort(names.rbegin(), names.rend());  // the first at the top
  return names;
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
  const std::vector<std::string> names = names_of(blows);
  std::ofstream out{file};
  out << "from_seconds,to_seconds,row,fault\n";
  for (const Blow& blow : blows) {
    const auto row = std::find(names.begin(), names.end(), blow.name) - names.begin() + 1;
    out << blow.from << ',' << blow.to << ',' << row << ',' << blow.name << '\n';
  }
}

}  // namespace

std::string write_record(const std::filesystem::path& folder, const std::vector<Sample>& samples,
                         const std::vector<Blow>& blows) {
  write_samples(folder / "samples.csv", samples);
  write_blows(folder / "faults.csv", blows);
  if (samples.empty() || blows.empty()) return "nothing to draw";
  std::ofstream{folder / "soak.gnuplot"} << plot_script(
      samples.size() / kPlotted + 1, samples.back().seconds / 60, names_of(blows).size());
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
  std::vector<double> last_life;
  pid_t pid = 0;
  double from = 0, to = 0;
  for (const Sample& sample : samples) {
    if (sample.pid == 0 || sample.resident == 0) continue;
    const double resident = static_cast<double>(sample.resident) / kMiB;
    memory.highest = std::max(memory.highest, resident);
    if (sample.pid != pid) last_life.clear();
    pid = sample.pid;
    if (sample.age < kWarmUp) continue;
    if (last_life.empty()) from = sample.seconds;
    to = sample.seconds;
    last_life.push_back(resident);
  }
  if (last_life.empty() || to - from < kShortestSpan) return memory;
  const auto third = static_cast<std::ptrdiff_t>(last_life.size() / 3);
  memory.minutes = (to - from) / 60;
  memory.first = median({last_life.begin(), last_life.begin() + third});
  memory.last = median({last_life.end() - third, last_life.end()});
  return memory;
}

}  // namespace sluice::soak
