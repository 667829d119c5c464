// Seeded random graphs in the shape of training graphs.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace tideline::test {

struct RandomGraphOptions {
  int ops = 60;
  int max_inputs = 3;
  double control_share = 0.2;  ///< ops with a control edge
  double cpu_share = 0.1;      ///< ops on the host
  bool real_types = false;     ///< op types that share buffers, hold variables, or have two outputs
  bool shuffled = false;       ///< list ops in an order that is not topological
};

/// The text of a graph (graph_text.h): a DAG of ops with rank-2 outputs. Same seed, same text.
[[nodiscard]] std::string random_graph(std::uint32_t seed, const RandomGraphOptions& options);

}  // namespace tideline::test
