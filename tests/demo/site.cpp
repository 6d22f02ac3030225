#include "tests/demo/site.hpp"

#include <csignal>
#include <sstream>
#include <thread>

namespace sluice::demo {
namespace {

volatile std::sig_atomic_t interrupted = 0;

constexpr std::chrono::milliseconds kSlice{20};

std::string quoted_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "\"" : ", \"") + text + "\"";
  return "[" + list + "]";
}

std::string monitors(const Record& record) {
  std::ostringstream out;
  out << "[[monitor]]\nname = \"flood\"\nkind = \"threshold\"\nsensors = "
      << quoted_list(record.sensors) << "\ndeadband = " << record.deadband << "\n";
  if (record.flood) out << "above = " << *record.flood << "\n";
  if (record.jump)
    out << "[[monitor]]\nname = \"jump\"\nkind = \"delta\"\nlimit = " << *record.jump << "\n";
  if (record.outlier)
    out << "[[monitor]]\nname = \"outlier\"\nkind = \"spike\"\nabove = " << *record.outlier << "\n";
  if (!record.quiet.empty())
    out << "[[monitor]]\nname = \"quiet\"\nkind = \"silence\"\nafter = \"" << record.quiet
        << "\"\n";
  out << "[[monitor]]\nname = \"mean\"\nkind = \"average\"\n"
         "[[monitor]]\nname = \"peaks\"\nkind = \"top\"\n"
         "[[monitor]]\nname = \"readings\"\nkind = \"total\"\n";
  return out.str();
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
}

bool was_interrupted() { return interrupted != 0; }

void stop_if_interrupted() {
  if (was_interrupted()) throw Interrupted{};
}

Site::Site(std::filesystem::path sluice, const Record& record, Listener listener)
    : sluice_{std::move(sluice)},
      topic_{record.topic},
      listener_{std::move(listener)},
      // The daemon will be away for a while: the broker must not drop what it keeps for it.
      broker_{
          {.users = {},
           .listener_lines = {},
           .global_lines = "max_queued_messages 0\nmax_queued_bytes 0\nset_tcp_nodelay true\n"}},
      probe_{broker_.uri()} {
  std::filesystem::create_directory(data_dir());
  folder_.write("sluice.toml", configuration(record));
  probe_.subscribe("sluice/demo/#");
}

std::string Site::configuration(const Record& record) const {
  std::ostringstream out;
  out << "[site]\nid = \"demo\"\ndata_dir = \"" << data_dir().string() << "\"\n"
      << "[mqtt]\nservers = [\"" << broker_.uri() << "\"]\n"
      << "[checkpoint]\ninterval = \"2s\"\n"
      << "[plugins]\ndir = \"\"\n"
      << "[[source]]\nname = \"gauges\"\ntopic = \"" << record.topic << "\"\n"
      << record.source << monitors(record);
  return out.str();
}

void Site::start_daemon() {
  online_ = false;
  daemon_ = std::make_unique<test::Process>(
      test::Process::Setup{.program = sluice_,
                           .arguments = {"run", "--config", config_file().string()},
                           .environment = {},
                           .folder = {}});
  // The two connections come up in any order, and what is sent before the first subscription is
  // nobody's. Later the broker keeps the session.
  const std::string subscribed = "\t" + topic_ + " (QoS 1)";
  const auto ready = [&] { return online_ && broker_.log().find(subscribed) != std::string::npos; };
  if (!listen_until([&] { return ready() || !daemon_->is_running(); }) || !daemon_->is_running())
    throw std::runtime_error("the daemon does not start:\n" + daemon_log());
}

void Site::kill_daemon() { daemon_->kill(); }

bool Site::stop_daemon() {
  daemon_->signal(SIGTERM);
  return daemon_->wait() == test::ExitStatus{.code = 0, .signal = {}};
}

void Site::send(const std::string& topic, const std::string& payload) {
  stop_if_interrupted();
  probe_.publish_soon(topic, payload);
}

void Site::set(const std::string& topic, const std::string& payload) {
  stop_if_interrupted();
  probe_.flush();
  probe_.publish(topic, payload, 1, true);
}

void Site::listen() {
  test::MqttProbe::Messages fresh;
  probe_.wait_for(
      [&](const test::MqttProbe::Messages& all) {
        fresh.assign(all.begin() + static_cast<std::ptrdiff_t>(heard_), all.end());
        return true;
      },
      std::chrono::milliseconds{0});
  heard_ += fresh.size();
  for (const test::ProbeMessage& message : fresh) {
    if (message.topic == "sluice/demo/status" && !message.retain)
      online_ = message.payload == "online";
    listener_(message);
  }
}

bool Site::listen_until(const std::function<bool()>& reached) {
  const auto until = std::chrono::steady_clock::now() + test::kLimit;
  while (true) {
    stop_if_interrupted();
    listen();
    if (reached()) return true;
    if (std::chrono::steady_clock::now() >= until) return false;
    const std::size_t heard = heard_;
    probe_.wait_for([&](const auto& all) { return all.size() > heard; }, kSlice);
  }
}

}  // namespace sluice::demo
