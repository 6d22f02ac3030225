// The option tables of the configuration file's own sections; those of formats, monitor kinds and
// the transport come from the catalog.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "daemon/config/plugins_config.hpp"
#include "daemon/log_level_words.hpp"
#include "pipeline/plugin/options.hpp"

namespace sluice::daemon {

inline constexpr double kMinute = 60'000;
inline constexpr double kDay = 24 * 60 * kMinute;
inline constexpr double kMebi = 1 << 20;

inline constexpr std::array kSiteOptions{
    OptionSpec{.name = "id",
               .type = OptionType::kText,
               .help = "the name of this site, part of every topic",
               .required = true},
    OptionSpec{.name = "prefix",
               .type = OptionType::kText,
               .help = "what all topics of this site begin with; sluice/<id> unless set"},
    OptionSpec{.name = "data_dir",
               .type = OptionType::kText,
               .help = "the folder for journal and checkpoints; unless set, what systemd provides, "
                       "else /var/lib/sluice"},
    OptionSpec{.name = "log_level",
               .type = OptionType::kText,
               .help = "the least severe messages that are logged",
               .fallback = "info",
               .choices = kLogLevelWords},
};

inline constexpr std::array kSourceOptions{
    OptionSpec{.name = "name",
               .type = OptionType::kText,
               .help = "what this source is called in logs, topics and metrics",
               .required = true},
    OptionSpec{.name = "topic",
               .type = OptionType::kText,
               .help = "the MQTT topic filter to subscribe to, with + and # as wildcards",
               .required = true},
    OptionSpec{.name = "qos",
               .type = OptionType::kInteger,
               .help =
                   "quality of service: 0 promises nothing, 1 loses nothing and repeats are "
                   "recognised; 2 is not offered, because with it repeats after a crash are not",
               .fallback = "1",
               .minimum = 0,
               .maximum = 1},
    OptionSpec{.name = "format",
               .type = OptionType::kText,
               .help = "the format of the payloads",
               .fallback = "json"},
};

inline constexpr std::array kMonitorOptions{
    OptionSpec{.name = "name",
               .type = OptionType::kText,
               .help = "what this monitor is called in topics and alerts; its state is kept under "
                       "this name",
               .required = true},
    OptionSpec{.name = "kind",
               .type = OptionType::kText,
               .help = "what this monitor does, such as delta or threshold",
               .required = true},
    OptionSpec{.name = "sources",
               .type = OptionType::kTextList,
               .help = "the sources it listens to; all unless set"},
    OptionSpec{.name = "sensors",
               .type = OptionType::kTextList,
               .help = "the sensors it listens to, with * and ? as wildcards; all unless set"},
    OptionSpec{.name = "qos",
               .type = OptionType::kInteger,
               .help = "quality of service of the values it publishes; alerts always go out with 1",
               .fallback = "1",
               .minimum = 0,
               .maximum = 1},
    OptionSpec{.name = "retain",
               .type = OptionType::kBoolean,
               .help = "whether the broker keeps its latest values for new subscribers",
               .fallback = "false"},
};

inline constexpr std::array kTimeOptions{
    OptionSpec{.name = "disorder",
               .type = OptionType::kDuration,
               .help = "how much later than newer ones a reading may arrive without being late",
               .fallback = "5s",
               .minimum = 0,
               .maximum = 7 * kDay},
    OptionSpec{.name = "idle",
               .type = OptionType::kDuration,
               .help = "after this long without a message a source no longer holds back the others",
               .fallback = "1min",
               .minimum = 100,
               .maximum = 7 * kDay},
    OptionSpec{.name = "future",
               .type = OptionType::kDuration,
               .help = "readings dated further ahead than this are rejected",
               .fallback = "1h",
               .minimum = 0,
               .maximum = 3660 * kDay},
};

inline constexpr std::array kCheckpointOptions{
    OptionSpec{.name = "interval",
               .type = OptionType::kDuration,
               .help = "how often changed state is saved",
               .fallback = "1min",
               .minimum = 100,
               .maximum = kDay},
    OptionSpec{.name = "journal_size",
               .type = OptionType::kSize,
               .help = "state is saved as well when the journal has grown by this much",
               .fallback = "16MiB",
               .minimum = 65536,
               .maximum = 65536 * kMebi},
};

inline constexpr std::array kJournalOptions{
    OptionSpec{.name = "sync",
               .type = OptionType::kText,
               .help = "when messages are forced to disk: before an alert goes out, before each is "
                       "acknowledged, or never",
               .fallback = "alert",
               .choices = "alert|each|never"},
    OptionSpec{.name = "sync_interval",
               .type = OptionType::kDuration,
               .help = "with sync = \"alert\", they are forced to disk at least this often",
               .fallback = "5s",
               .minimum = 10,
               .maximum = 60 * kMinute},
    OptionSpec{.name = "segment_size",
               .type = OptionType::kSize,
               .help = "the size of one journal file",
               .fallback = "8MiB",
               .minimum = 65536,
               .maximum = 1024 * kMebi},
    OptionSpec{.name = "keep_age",
               .type = OptionType::kDuration,
               .help = "how long messages are kept as history after their state was saved",
               .fallback = "0s",
               .minimum = 0,
               .maximum = 3660 * kDay},
    OptionSpec{.name = "keep_size",
               .type = OptionType::kSize,
               .help = "how much history is kept at most",
               .fallback = "1GiB",
               .minimum = 0},
    OptionSpec{.name = "max_size",
               .type = OptionType::kSize,
               .help = "how large the journal may grow if state cannot be saved for long: then "
                       "history gives way first, and new messages are watched in memory only; 0 "
                       "for no limit",
               .fallback = "4GiB",
               .minimum = 0},
};

inline constexpr std::array kLimitsOptions{
    OptionSpec{.name = "payload_size",
               .type = OptionType::kSize,
               .help = "messages larger than this are rejected",
               .fallback = "256KiB",
               .minimum = 64,
               .maximum = kMebi / 4},  // no format takes apart more
    OptionSpec{.name = "intake_messages",
               .type = OptionType::kInteger,
               .help = "how many messages wait in memory; more wait in the journal",
               .fallback = "10000",
               .minimum = 1,
               .maximum = 10'000'000,
               .unit = "messages"},
    OptionSpec{.name = "outbox_messages",
               .type = OptionType::kInteger,
               .help = "how many publications wait for the broker; then values give way, alerts "
                       "last",
               .fallback = "100000",
               .minimum = 1,
               .maximum = 10'000'000,
               .unit = "publications"},
    OptionSpec{.name = "outbox_size",
               .type = OptionType::kSize,
               .help = "how many bytes of publications wait for the broker",
               .fallback = "8MiB",
               .minimum = 65536,
               .maximum = 1024 * kMebi},
};

inline constexpr std::array kMetricsOptions{
    OptionSpec{.name = "listen",
               .type = OptionType::kText,
               .help = "address and port on which GET /metrics answers, as in \"127.0.0.1:9479\" "
                       "or \"[::1]:9479\"; without it nothing is served. There is no password: "
                       "whoever reaches it may read"},
};

inline constexpr std::array kPluginsOptions{
    OptionSpec{.name = "load",
               .type = OptionType::kTextList,
               .help = "plugins to load, as absolute paths"},
    OptionSpec{.name = "dir",
               .type = OptionType::kText,
               .help = "the folder of which every *.so is loaded as well; \"\" for none",
               .fallback = kPluginDir},
};

/// One table of the file, for whoever walks over all of them.
struct Section {
  std::string_view name;
  bool repeated;          ///< `[[name]]`
  std::string_view help;  ///< one sentence, without full stop
  std::span<const OptionSpec> options;
};

/// `[site]`, `[[source]]`: as it stands in the file.
inline std::string header_of(const Section& section) {
  const std::string name{section.name};
  return section.repeated ? "[[" + name + "]]" : "[" + name + "]";
}

inline constexpr Section kSite{"site", false, "This site", kSiteOptions};
inline constexpr Section kSource{
    "source", true, "Where readings come from; one table for each source", kSourceOptions};
inline constexpr Section kMonitor{"monitor", true, "What is watched; one table for each monitor",
                                  kMonitorOptions};
inline constexpr Section kTime{"time", false, "How the times in payloads are treated",
                               kTimeOptions};
inline constexpr Section kCheckpoint{"checkpoint", false, "When state is saved",
                                     kCheckpointOptions};
inline constexpr Section kJournal{"journal", false, "The log of all messages on disk",
                                  kJournalOptions};
inline constexpr Section kLimits{
    "limits", false, "Bounds, so that no sender can exhaust the machine", kLimitsOptions};
inline constexpr Section kMetrics{"metrics", false, "Figures for Prometheus and its like",
                                  kMetricsOptions};
inline constexpr Section kPlugins{
    "plugins", false, "Monitor kinds and formats that do not come with Sluice", kPluginsOptions};
/// The table of the transport; its options come from the catalog.
inline constexpr Section kMqtt{"mqtt", false, "The connection to the broker", {}};

/// All tables, in the order in which the reference shows them.
inline constexpr std::array kSections{kSite,       kMqtt,    kSource, kMonitor, kTime,
                                      kCheckpoint, kJournal, kLimits, kMetrics, kPlugins};

}  // namespace sluice::daemon
