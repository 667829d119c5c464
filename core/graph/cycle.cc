#include "core/graph/cycle.h"

namespace tideline {

std::vector<std::string> Cycle::fetches_of(const CycleRun& run) const {
  std::vector<std::string> fetches;
  if (!run.target.empty()) {
    fetches.push_back(run.target);
  } else if (!loss.empty()) {
    fetches.push_back(loss);
  }
  for (const auto& [tensor, name] : run.keeps) fetches.push_back(tensor);
  return fetches;
}

}  // namespace tideline
