// A training step as several runs: what a plan of sections says about running its graph.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tideline {

/// One run of a cycle. Tensors are "op:slot".
struct CycleRun {
  std::string name;    ///< "forward", "section 2"
  std::string target;  ///< op to run; empty for the forward run
  /// Placeholder, and the kept value that it is fed, by the name under which it was kept.
  std::vector<std::pair<std::string, std::string>> feeds;
  /// Tensor to fetch, and the name under which its value is kept.
  std::vector<std::pair<std::string, std::string>> keeps;
};

/// The runs that replace one step, in their order. The loss is fetched in the first.
struct Cycle {
  std::string loss;  ///< "op:slot"; empty where the plan does not say it
  std::vector<CycleRun> runs;
  /// Op of the original and its copy in some run, by name: whoever feeds the one feeds the other.
  std::vector<std::pair<std::string, std::string>> copies;

  /// Ops and tensors that `run`, one of them, is run for.
  [[nodiscard]] std::vector<std::string> fetches_of(const CycleRun& run) const;
};

}  // namespace tideline
