// parity CASES_DIR EXPECTED_DIR: plays every script through our operators, twice: with full and
// with incremental snapshots, and compares with what Flink answered. Ends with a line
// "N passed, N failed, N not applicable"; exits with 1 if any failed.
//
// parity --answer FILE prints our own answers to one script, in Flink's format.

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "tests/parity/harness/by_choice.hpp"
#include "tests/parity/harness/compare.hpp"
#include "tests/parity/harness/player.hpp"

namespace sluice::parity {
namespace {

namespace fs = std::filesystem;

const Catalog& catalog() {
  static const Catalog kCatalog = [] {
    Catalog made;
    add_document_jobs(made);
    add_probes(made);
    return made;
  }();
  return kCatalog;
}

/// What a step's records tell to be different by choice.
void print_choices(const std::string& script, std::size_t step, const Json& answer) {
  for (const auto& record : answer["out"]) {
    const Json& text = member(record, "v");
    if (!text.is_string()) continue;
    const Json value = Json::parse(text.get_ref<const std::string&>(), nullptr, false);
    const Json& choice = member(value, "by_choice");
    if (!choice.is_object()) continue;
    std::cout << "by choice: " << script << ", step " << step << ", "
              << as_text(choice, "statement") << ", " << as_text(value, "op") << ": "
              << as_text(choice, "why") << '\n';
  }
}

/// Only full snapshots leave expired entries out, so increments have another content (TTL-17).
bool only_full_snapshots(const Script& script) {
  const auto cleans_snapshots = [](const Json& options) {
    const Json& cleanup = member(member(options, "ttl"), "cleanup");
    return cleanup.is_string() && as_text(cleanup).find("full") != std::string::npos;
  };
  return cleans_snapshots(script.options) ||
         std::any_of(script.steps.begin(), script.steps.end(), [&](const Json& step) {
           return step.contains("options") && cleans_snapshots(step["options"]);
         });
}

/// What differs in one playing of a script; empty if nothing does.
std::vector<std::string> play_and_compare(const Script& script, const std::vector<Json>& expected,
                                          Snapshots snapshots) {
  const auto job = catalog().find(script.job);
  if (job == catalog().end()) return {"unknown job " + script.job};
  const auto got = Player{script, job->second, snapshots}.play();
  std::vector<std::string> problems;
  if (expected.size() != got.size()) {
    problems.push_back("expected " + std::to_string(expected.size()) + " answers, got " +
                       std::to_string(got.size()));
  }
  for (std::size_t step = 0; step < std::min(expected.size(), got.size()); ++step) {
    if (snapshots == Snapshots::kFull) print_choices(script.name, step, got[step]);
    const Json wanted = normal_form(expected[step], script);
    const Json ours = normal_form(got[step], script);
    for (const auto& difference : differences(wanted, ours)) {
      problems.push_back(
          "step " + std::to_string(step) + " " + got[step]["do"].dump() + "\n    " + difference +
          (got[step].contains("error") ? "\n    error: " + as_text(got[step], "error") : ""));
    }
  }
  return problems;
}

class Run {
 public:
  /// Whatever is wrong with a script or its answers fails it, and not the run.
  void script(const fs::path& file, const fs::path& answers) {
    try {
      play(file, answers);
    } catch (const std::exception& e) {
      fail(file.stem().string(), {e.what()});
    }
  }

  int finish() const {
    std::cout << passed_ << " passed, " << failed_ << " failed, " << not_applicable_
              << " not applicable\n";
    return failed_ == 0 && passed_ > 0 ? 0 : 1;
  }

 private:
  void play(const fs::path& file, const fs::path& answers) {
    const auto script = read_script(file);
    if (!script) return fail(file.stem().string(), {script.error().message()});
    if (skip(script->name)) return;
    const auto expected = read_lines(answers);
    if (!expected) return fail(script->name, {expected.error().message()});
    for (const auto snapshots : {Snapshots::kFull, Snapshots::kIncremental}) {
      if (snapshots == Snapshots::kIncremental && only_full_snapshots(*script)) continue;
      const auto problems = play_and_compare(*script, *expected, snapshots);
      if (problems.empty()) continue;
      const bool full = snapshots == Snapshots::kFull;
      return fail(script->name + (full ? "" : " (incremental snapshots)"), problems);
    }
    ++passed_;
  }

  void fail(const std::string& name, const std::vector<std::string>& problems) {
    ++failed_;
    std::cout << "FAILED: " << name << '\n';
    for (const auto& problem : problems) std::cout << "  " << problem << '\n';
  }

  bool skip(const std::string& name) {
    for (const auto& entry : not_applicable()) {
      if (name != entry.script) continue;
      ++not_applicable_;
      std::cout << "not applicable: " << name << ", " << entry.statement << ": " << entry.why
                << '\n';
      return true;
    }
    return false;
  }

  int passed_{0};
  int failed_{0};
  int not_applicable_{0};
};

int run_all(const fs::path& cases, const fs::path& expected) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator{cases, error}) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  if (error) {
    std::cerr << "cannot read " << cases.string() << ": " << error.message() << '\n';
    return 2;
  }
  std::sort(files.begin(), files.end());
  Run run;
  for (const auto& file : files) {
    run.script(file, expected / (file.stem().string() + ".out.jsonl"));
  }
  return run.finish();
}

int print_answers(const fs::path& file) {
  const auto script = read_script(file);
  if (!script) {
    std::cerr << script.error().message() << '\n';
    return 2;
  }
  const auto job = catalog().find(script->job);
  if (job == catalog().end()) {
    std::cerr << "unknown job " << script->job << '\n';
    return 2;
  }
  std::size_t step = 0;
  for (auto& answer : Player{*script, job->second, Snapshots::kFull}.play()) {
    answer["step"] = step++;
    std::cout << answer.dump() << '\n';
  }
  return 0;
}

}  // namespace
}  // namespace sluice::parity

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() == 2 && arguments[0] == "--answer") {
      return sluice::parity::print_answers(arguments[1]);
    }
    if (arguments.size() == 2) return sluice::parity::run_all(arguments[0], arguments[1]);
  } catch (const std::exception& e) {
    std::cerr << "parity: " << e.what() << '\n';
    return 2;
  }
  std::cerr << "usage: parity CASES_DIR EXPECTED_DIR | parity --answer SCRIPT\n";
  return 2;
}
