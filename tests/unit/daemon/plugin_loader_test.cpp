// With real shared objects: tests/plugins/ builds them, SLUICE_TEST_PLUGINS is where they are.
#include "daemon/plugin_loader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "pipeline/graph/job.hpp"
#include "pipeline/plugin/descriptor.hpp"

namespace sluice::daemon {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const fs::path kBuilt{SLUICE_TEST_PLUGINS};

class LogLines final : public Log {
 public:
  void write(LogLevel level, std::string_view message,
             std::initializer_list<LogField>) noexcept override {
    lines.push_back((level == LogLevel::kError ? "error: " : "") + std::string{message});
  }
  void write_limited(std::string_view, LogLevel level, std::string_view message,
                     std::initializer_list<LogField> fields) noexcept override {
    write(level, message, fields);
  }
  std::vector<std::string> lines;
};

class PluginLoader : public testing::Test {
 protected:
  PluginLoader() {
    std::string name = testing::TempDir() + "sluice-plugins-XXXXXX";
    folder = fs::canonical(::mkdtemp(name.data()));
  }
  ~PluginLoader() override { fs::remove_all(folder); }

  PluginReport load(std::vector<std::string> paths, const std::string& dir = {},
                    const PluginTrust& trust = {}) {
    return load_plugins({std::move(paths), dir}, trust, registry, log);
  }
  /// The one refusal that loading `path` gives.
  std::string refusal(const fs::path& path, const PluginTrust& trust = {}) {
    const PluginReport report = load({path.string()}, {}, trust);
    EXPECT_THAT(report.loaded, IsEmpty());
    EXPECT_EQ(report.refused.size(), 1U);
    return report.refused.empty() ? "" : report.refused[0].message();
  }
  static std::string built(const std::string& name) { return (kBuilt / (name + ".so")).string(); }
  fs::path copy(const std::string& name, const std::string& as) const {
    fs::copy_file(built(name), folder / as);
    return folder / as;
  }
  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream{folder / name, std::ios::binary} << bytes;
    return folder / name;
  }

  fs::path folder;
  Registry registry;
  LogLines log;
};

TEST_F(PluginLoader, BringsAKindIntoTheRegistry) {
  const PluginReport report = load({built("watcher")});
  EXPECT_THAT(report.refused, IsEmpty());
  ASSERT_EQ(report.loaded.size(), 1U);
  EXPECT_EQ(report.loaded[0].name, "watcher");
  EXPECT_EQ(report.loaded[0].version, "1.2.3");
  ASSERT_NE(registry.monitor("watcher"), nullptr);
  EXPECT_EQ(registry.monitor("watcher")->help(), "Counts readings");
  EXPECT_THAT(log.lines, ElementsAre(HasSubstr("plugin watcher 1.2.3 loaded from ")));
}

TEST_F(PluginLoader, TakesAFolderByNameAndOnlyItsSharedObjects) {
  copy("watcher", "b.so");
  copy("throws", "a.so");
  copy("watcher", "c.so.disabled");
  write("README", "words");
  const PluginReport report = load({}, folder.string());
  ASSERT_EQ(report.loaded.size(), 1U);
  EXPECT_EQ(report.loaded[0].path, folder / "b.so");
  ASSERT_EQ(report.refused.size(), 1U);
  EXPECT_THAT(report.refused[0].message(), HasSubstr("a.so"));
}

TEST_F(PluginLoader, LoadsAFileThatIsNamedTwiceOnce) {
  const fs::path path = copy("watcher", "watcher.so");
  fs::create_symlink(path, folder / "another.so");
  const PluginReport report = load({path.string(), path.string()}, folder.string());
  EXPECT_EQ(report.loaded.size(), 1U);
  EXPECT_THAT(report.refused, IsEmpty());
}

TEST_F(PluginLoader, WantsAFolderThatSomebodyNamedAndNotTheUsualOne) {
  const PluginReport named = load({}, folder / "nowhere");
  ASSERT_EQ(named.refused.size(), 1U);
  EXPECT_THAT(named.refused[0].message(), AllOf(HasSubstr("nowhere"), HasSubstr("'dir'")));
}

TEST_F(PluginLoader, RefusesWhatIsNoSharedObjectWithItsPathAndTheCure) {
  EXPECT_THAT(refusal("relative.so"), AllOf(HasSubstr("plugin relative.so: "), HasSubstr("/")));
  EXPECT_THAT(refusal(folder / "absent.so"),
              AllOf(HasSubstr((folder / "absent.so").string()), HasSubstr("install the plugin")));
  EXPECT_THAT(refusal(folder), HasSubstr("it is no file"));
  EXPECT_THAT(refusal(write("empty.so", "")), HasSubstr("no shared object"));
  EXPECT_THAT(refusal(write("text.so", "#!/bin/sh\necho a script of some length\n")),
              AllOf(HasSubstr("text.so"), HasSubstr("some other file")));
  EXPECT_THAT(refusal(write("head.so", std::string("\177ELF\2\1\1", 7))),
              HasSubstr("another kind of binary"));
}

TEST_F(PluginLoader, RefusesASharedObjectOfAnotherMachine) {
  std::string bytes;
  {
    std::ifstream file{built("watcher"), std::ios::binary};
    bytes.assign(std::istreambuf_iterator<char>{file}, {});
  }
  bytes[18] = '\xfc';  // e_machine: BPF, on which no daemon runs
  bytes[19] = '\0';
  EXPECT_THAT(refusal(write("bpf.so", bytes)),
              AllOf(HasSubstr("built for machine 252"), HasSubstr("for this machine")));
}

TEST_F(PluginLoader, RefusesASharedObjectThatWasCutOff) {
  // The linker itself notices a few of these; to map the others would end the program.
  const auto whole = fs::file_size(built("watcher"));
  for (const auto size : {std::uintmax_t{100}, std::uintmax_t{3000}, whole / 2, whole - 1}) {
    const fs::path path = copy("watcher", "cut.so");
    fs::resize_file(path, size);
    EXPECT_THAT(refusal(path), AllOf(HasSubstr("it is cut off after " + std::to_string(size)),
                                     HasSubstr("install it again")));
    fs::remove(path);
  }
}

struct Fault {
  const char* plugin;
  const char* says;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.plugin; }

class BrokenPlugin : public PluginLoader, public testing::WithParamInterface<Fault> {};

TEST_P(BrokenPlugin, IsRefusedWithASentenceAndDisturbsNoOther) {
  copy(GetParam().plugin, "b.so");
  copy("watcher", "a.so");
  // One behind it as well: the next is loaded as if nothing had been.
  fs::create_symlink(built("debug_containers"), folder / "c.so");
  const PluginReport report = load({}, folder.string());
  ASSERT_EQ(report.loaded.size(), 1U);
  EXPECT_EQ(report.loaded[0].name, "watcher");
  ASSERT_EQ(report.refused.size(), 2U);
  EXPECT_THAT(
      report.refused[0].message(),
      AllOf(HasSubstr("plugin " + (folder / "b.so").string() + ": "), HasSubstr(GetParam().says)));
  EXPECT_THAT(report.refused[1].message(), HasSubstr("debug containers"));
  EXPECT_THAT(registry.plugins(), testing::SizeIs(1));
  EXPECT_EQ(registry.monitor("broken-first"), nullptr);
  EXPECT_NE(registry.monitor("watcher"), nullptr);
  EXPECT_THAT(log.lines, testing::Contains(HasSubstr("error: plugin ")));
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenPlugin,
    testing::Values(
        Fault{"no_entry", "it has no symbol sluice_plugin"},
        Fault{"returns_nothing", "returned nothing"}, Fault{"wrong_magic", "magic number"},
        Fault{"short_descriptor", "has 8 bytes"}, Fault{"other_abi", "plugin ABI 99"},
        Fault{"other_stamp", "built as \"C++98, by hand\""}, Fault{"old_strings", "old strings"},
        Fault{"other_strings_inside", "old strings"},
        Fault{"other_sanitizer", " sanitizer\", this Sluice as"},
        Fault{"bad_name", "\"not a name\""}, Fault{"taken_name", "a plugin 'watcher' already"},
        Fault{"taken_kind", "monitor kind 'watcher' of plugin 'broken' exists already"},
        Fault{"throws", "it threw: no map of the river"},
        Fault{"throws_number", "it threw something"}, Fault{"fails", "no licence"},
        Fault{"missing_symbol", "\"sluice::from_another_version(std::basic_string_view"}),
    [](const auto& i) { return std::string{i.param.plugin}; });

// --- whose file it is ---

TEST_F(PluginLoader, OfAServiceTakesOnlyTheFilesOfTrustedOwners) {
  const PluginTrust ours{std::vector<uid_t>{0, ::geteuid()}};
  const PluginTrust theirs{std::vector<uid_t>{::geteuid() + 1}};
  const fs::path path = copy("watcher", "watcher.so");
  EXPECT_THAT(refusal(path, theirs), AllOf(HasSubstr("file " + path.string() + " belongs to user " +
                                                     std::to_string(::geteuid())),
                                           HasSubstr("chown root " + path.string())));
  EXPECT_THAT(load({path.string()}, {}, ours).refused, IsEmpty());
}

TEST_F(PluginLoader, OfAServiceTakesNoFileThatOthersMayWriteTo) {
  const PluginTrust ours{std::vector<uid_t>{0, ::geteuid()}};
  const fs::path path = copy("watcher", "watcher.so");
  for (const mode_t mode : {0664U, 0646U}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_THAT(refusal(path, ours), HasSubstr("chmod go-w " + path.string()));
  }
}

TEST_F(PluginLoader, OfAServiceTakesNoFileBelowAFolderThatOthersMayWriteTo) {
  const PluginTrust ours{std::vector<uid_t>{0, ::geteuid()}};
  fs::create_directories(folder / "open" / "inner");
  const fs::path path = copy("watcher", "open/inner/watcher.so");
  ASSERT_EQ(::chmod((folder / "open").c_str(), 0777), 0);
  EXPECT_THAT(refusal(path, ours),
              AllOf(HasSubstr("folder " + (folder / "open").string()), HasSubstr("chmod go-w")));
  // A link in a sound folder does not hide where the file really is.
  fs::create_symlink(path, folder / "link.so");
  EXPECT_THAT(refusal(folder / "link.so", ours), HasSubstr("chmod go-w"));
}

// --- a loaded kind at work ---

/// Runs the watcher in a job that this program drives.
struct Bench {
  explicit Bench(const MonitorKind& kind) {
    const auto out = kind.build(
        {"w", env.from_source<Reading>("readings"), env.from_source<Setting>("settings")}, {});
    out.sink_to([this](const Output& o) {
      said.push_back(o.value.to_text() + " " + o.sensor + ": " + o.text);
    });
  }
  std::unique_ptr<Job> start(const JobSnapshot* restore = nullptr) {
    auto job = Job::start(env, {.restore = restore});
    EXPECT_TRUE(job) << job.error().message();
    return std::move(job).value();
  }
  Environment env;
  std::vector<std::string> said;
};

Reading reading(const std::string& sensor, double level) {
  Reading out;
  out.sensor = sensor;
  out.level = level;
  return out;
}

TEST_F(PluginLoader, GivesKindsWhoseStateTimersAndSideOutputsWorkInAJob) {
  ASSERT_THAT(load({built("watcher")}).refused, IsEmpty());
  Bench run{*registry.monitor("watcher")};
  MemorySnapshot snapshot;
  {
    const auto job = run.start();
    Setting setting;
    setting.value = 4.0;
    job->emit("settings", setting);
    job->emit("readings", reading("mill", 1));
    job->emit("readings", reading("mill", 5));
    job->emit("readings", reading("weir", -1));
    EXPECT_THAT(run.said, ElementsAre("1 mill: high, reading 2", "2 weir: negative"));
    job->snapshot(snapshot, true, 1);
  }
  run.said.clear();
  const auto job = run.start(&snapshot.job());
  job->emit("readings", reading("mill", 6));
  job->advance_processing_time(10'001);
  EXPECT_THAT(run.said,
              testing::UnorderedElementsAre("3 mill: high, reading 3", "4 mill: silent after 3",
                                            "5 weir: silent after 1"));
}

TEST_F(PluginLoader, GivesKindsWhoseMistakesAreCaughtByTheJob) {
  ASSERT_THAT(load({built("watcher")}).refused, IsEmpty());
  Bench run{*registry.monitor("watcher")};
  const auto job = run.start();
  EXPECT_THROW(job->emit("readings", reading("boom", 1)), OperatorFailure);
}

}  // namespace
}  // namespace sluice::daemon
