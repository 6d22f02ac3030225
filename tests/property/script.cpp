#include "tests/property/script.hpp"

namespace sluice::property {

Script random_script(std::uint64_t seed, std::size_t steps) {
  std::mt19937_64 random{seed};
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  Script script;
  Timestamp watermark = 0;
  Timestamp clock = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    Step step;
    const auto dice = below(10);
    if (dice == 0) {
      step.kind = Step::Kind::kWatermark;
      step.at = watermark += 1 + below(20);
    } else if (dice == 1) {
      step.kind = Step::Kind::kClock;
      step.at = clock += below(40);
    } else {
      step.kind = Step::Kind::kElement;
      step.op.key = "k" + std::to_string(below(4));
      step.op.action = static_cast<Action>(below(static_cast<std::int64_t>(Action::kActions)));
      // Few different values, so that timers meet and map keys are hit again.
      step.op.a = below(8);
      step.op.b = below(60);
      step.at = watermark + below(30) - 5;
    }
    script.push_back(step);
  }
  return script;
}

std::string to_text(const Script& script) {
  std::string text;
  for (const Step& step : script) {
    switch (step.kind) {
      case Step::Kind::kWatermark: text += "  watermark " + std::to_string(step.at); break;
      case Step::Kind::kClock: text += "  clock " + std::to_string(step.at); break;
      case Step::Kind::kElement:
        text += "  element " + step.op.key + " action " +
                std::to_string(static_cast<int>(step.op.action)) + " a " +
                std::to_string(step.op.a) + " b " + std::to_string(step.op.b) + " at " +
                std::to_string(step.at);
        break;
    }
    text += '\n';
  }
  return text;
}

}  // namespace sluice::property
