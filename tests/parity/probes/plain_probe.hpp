// PlainProbe: what a ProcessFunction may do on a stream without key. An element is {"ops": […]}.
#pragma once

#include "pipeline/functions/process_functions.hpp"
#include "tests/parity/probes/states.hpp"

namespace sluice::parity {

class PlainProbe final : public ProcessFunction<Json, std::string> {
 public:
  void process_element(const Json& element, Context& context, Collector<std::string>& out) override;
};

}  // namespace sluice::parity
