#include "tests/support/random_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tideline::test {
namespace {

// Types for 0, 1, 2 and more inputs, with what the facts of op types can say of buffers.
const std::vector<std::vector<const char*>> kTypes = {
    {"Placeholder", "Const", "VariableV2", "MadeUp"},
    {"Relu", "Identity", "Neg", "Softmax", "Square", "MadeUp", "Shape"},
    {"Add", "Mul", "MatMul", "BiasAdd", "ReluGrad", "MadeUp"},
    {"AddN", "MadeUp"},
};

}  // namespace

std::string random_graph(std::uint32_t seed, const RandomGraphOptions& options) {
  std::mt19937 random(seed);
  const auto below = [&](int limit) {
    return static_cast<int>(random() % static_cast<std::uint32_t>(limit));
  };
  const auto chance = [&](double share) { return below(1000) < share * 1000; };
  std::vector<std::string> lines;
  for (int i = 0; i < options.ops; ++i) {
    std::vector<std::string> inputs;
    const int wanted = i == 0 ? 0 : below(options.max_inputs + 1);
    for (int k = 0; k < wanted; ++k) {
      // Mostly near, sometimes far back: long edges are what LMS lives on.
      const int from = chance(0.3) ? below(i) : std::max(0, i - 1 - below(4));
      inputs.push_back(fmt::format("n{}", from));
    }
    const auto& types = kTypes[std::min(inputs.size(), kTypes.size() - 1)];
    const std::string type =
        options.real_types ? types[static_cast<std::size_t>(below(static_cast<int>(types.size())))]
                           : "MadeUp";
    if (i > 0 && chance(options.control_share)) inputs.push_back(fmt::format("^n{}", below(i)));
    const char* device = chance(options.cpu_share) ? "@/cpu:0" : "@/device:GPU:0";
    // With real types few widths, so that results fit the buffers of inputs.
    const int width = options.real_types ? 64 * (1 + below(3)) : 1 + below(9);
    const bool is_variable = type == "VariableV2";
    lines.push_back(fmt::format("n{} = {}({}) {} f32[{},{}]{}\n", i, type, fmt::join(inputs, ", "),
                                device, is_variable ? "4" : "?", width,
                                is_variable ? fmt::format(" +shape=[4,{}]", width) : ""));
  }
  if (options.shuffled) std::shuffle(lines.begin(), lines.end(), random);
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace tideline::test
