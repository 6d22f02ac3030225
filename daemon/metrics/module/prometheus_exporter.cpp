// The shared object that serves GET /metrics, by prometheus-cpp.
#include <prometheus/client_metric.h>
#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <prometheus/metric_family.h>

#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "daemon/metrics/exporter.hpp"

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

class Collector final : public prometheus::Collectable {
 public:
  explicit Collector(CollectMetrics collect) : collect_{std::move(collect)} {}

  std::vector<prometheus::MetricFamily> Collect() const override {
    std::vector<prometheus::MetricFamily> families;
    for (const Metric& metric : collect_()) {
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
    return families;
  }

 private:
  CollectMetrics collect_;
};

class Exporter final : public MetricsExporter {
 public:
  Exporter(const std::string& address, CollectMetrics collect)
      : collector_{std::make_shared<Collector>(std::move(collect))}, exposer_{address} {
    exposer_.RegisterCollectable(collector_);
  }

 private:
  std::shared_ptr<Collector> collector_;
  prometheus::Exposer exposer_;
};

MetricsExporter* start(const std::string& address, CollectMetrics collect,
                       std::string& reason) noexcept {
  try {
    return std::make_unique<Exporter>(address, std::move(collect)).release();
  } catch (const std::exception& fault) {
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
