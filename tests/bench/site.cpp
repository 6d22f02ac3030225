#include "tests/bench/site.hpp"

#include <cstdio>
#include <stdexcept>

namespace sluice::bench {

namespace {

// Without a log: the test support's broker logs each message otherwise.
test::BrokerSetup fast_broker() {
  return {.persistence = false,
          .users = {},
          .listener_lines = {},
          .global_lines = "log_type none\nmax_queued_messages 0\nmax_queued_bytes 0\n",
          .start = true};
}

constexpr const char* kMonitors = R"([[source]]
name = "levels"
topic = "site/levels"
sensor = "/sensor"
level = "/level"

[[monitor]]
name = "jump"
kind = "delta"
limit = 10

[[monitor]]
name = "flood"
kind = "threshold"
above = 400
)";

}  // namespace

Site::Site() : broker_{fast_broker()} {
  folder_.write("sluice.toml", "[site]\nid = \"bench\"\nlog_level = \"warning\"\ndata_dir = \"" +
                                   data_dir() + "\"\n\n[mqtt]\nservers = [\"" + broker_.uri() +
                                   "\"]\n\n" + kMonitors);
}

std::string site_payload(std::size_t number, std::size_t sensors) {
  const double level = 100.0 + static_cast<double>(number % 7) + (number % 1000 == 999 ? 90 : 0);
  char text[160];
  std::snprintf(
      text, sizeof text,
      R"({"sensor":"sensor-%06zu","level":%.3f,"battery":3.61,"rssi":-71,"seq":%zu,"unit":"cm"})",
      number % sensors, level, 1'000'000 + number % 1'000'000);
  return text;
}

void publish_readings(Site& site, std::size_t count) {
  const std::string command = "mosquitto_pub -h 127.0.0.1 -p " +
                              std::to_string(site.broker().port()) + " -V 5 -q 1 -l -t " +
                              kSiteTopic;
  FILE* pipe = ::popen(command.c_str(), "w");
  if (pipe == nullptr) throw std::runtime_error("cannot start mosquitto_pub");
  for (std::size_t i = 0; i < count; ++i) std::fprintf(pipe, "%s\n", site_payload(i).c_str());
  if (::pclose(pipe) != 0) throw std::runtime_error("mosquitto_pub failed");
}

}  // namespace sluice::bench
