// The shared object that serves GET /metrics, in the text format of prometheus-cpp.
#include <prometheus/client_metric.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/metrics/exporter.hpp"
#include "daemon/metrics/module/document_server.hpp"

namespace sluice::daemon {

namespace {

prometheus::ClientMetric translated(const MetricSample& sample, MetricType type) {
  prometheus::ClientMetric out;
  for (const auto& [name, value] : sample.labels) out.label.push_back({name, value});
  if (type == MetricType::kCounter) {
    out.counter.value = sample.value;
  } else {
    out.gauge.value = sample.value;
  }
  return out;
}

std::string document(const std::vector<Metric>& metrics) {
  std::vector<prometheus::MetricFamily> families;
  for (const Metric& metric : metrics) {
    prometheus::MetricFamily family;
    family.name = metric.name;
    family.help = metric.help;
    family.type = metric.type == MetricType::kCounter ? prometheus::MetricType::Counter
                                                      : prometheus::MetricType::Gauge;
    for (const auto& sample : metric.samples) {
      family.metric.push_back(translated(sample, metric.type));
    }
    families.push_back(std::move(family));
  }
  return prometheus::TextSerializer{}.Serialize(families);
}

class Exporter final : public MetricsExporter {
 public:
  Exporter(int listener, CollectMetrics collect)
      : server_{listener, "text/plain; version=0.0.4; charset=utf-8",
                [collect = std::move(collect)] { return document(collect()); }} {}

 private:
  DocumentServer server_;
};

MetricsExporter* start(int listener, CollectMetrics collect, std::string& reason) noexcept {
  try {
    return std::make_unique<Exporter>(listener, std::move(collect)).release();
  } catch (const std::exception& fault) {
    // The library may have closed `listener` by now, so it is left alone: twice would be worse.
    reason = fault.what();
    return nullptr;
  }
}

}  // namespace

}  // namespace sluice::daemon

extern "C" __attribute__((visibility("default")))
const sluice::daemon::ExporterEntry sluice_metrics_exporter;
const sluice::daemon::ExporterEntry sluice_metrics_exporter{SLUICE_VERSION, sluice::kBuildStamp,
                                                            &sluice::daemon::start};
