#include "core/rewrite/lms/report.h"

#include <fmt/format.h>

#include <algorithm>

namespace tideline {

LmsReport::LmsReport(LmsFindings findings) : findings_(std::move(findings)) {
  std::stable_sort(findings_.not_swapped.begin(), findings_.not_swapped.end(),
                   [](const KeptTensor& a, const KeptTensor& b) { return a.tensor < b.tensor; });
}

const PlannedSwap* LmsReport::swap_of(TensorId tensor) const {
  const auto found =
      std::find_if(findings_.swaps.begin(), findings_.swaps.end(),
                   [tensor](const PlannedSwap& swap) { return swap.tensor == tensor; });
  return found == findings_.swaps.end() ? nullptr : &*found;
}

const KeptTensor* LmsReport::kept_of(TensorId tensor) const {
  const auto found = std::lower_bound(
      findings_.not_swapped.begin(), findings_.not_swapped.end(), tensor,
      [](const KeptTensor& entry, TensorId wanted) { return entry.tensor < wanted; });
  const bool is_there = found != findings_.not_swapped.end() && found->tensor == tensor;
  return is_there ? &*found : nullptr;
}

std::string_view LmsReport::why_no_swaps() const {
  if (findings_.already_edited) return "This graph has swaps of its own; it is left as it is.";
  if (!findings_.necessary) return "A step fits the device memory without swaps.";
  return "No swaps: change the policy, or exclude less.";
}

std::string_view LmsReport::rule(TensorId tensor) const {
  if (const KeptTensor* kept = kept_of(tensor)) return kept->why;
  const PlannedSwap* swap = swap_of(tensor);
  return swap == nullptr ? std::string_view() : swap->why;
}

std::vector<std::string> LmsReport::why(const Graph& graph, const GraphPlan& plan,
                                        TensorId tensor) const {
  const std::string name = graph.tensor_name(tensor);
  if (const KeptTensor* kept = kept_of(tensor)) {
    return {fmt::format("{} ({}) is not swapped: {}", name, format_bytes(kept->bytes), kept->why)};
  }
  const PlannedSwap* swap = swap_of(tensor);
  if (swap == nullptr) return {};
  std::vector<std::string> lines = {
      fmt::format("{} ({}) is swapped: {}", name, format_bytes(swap->bytes), swap->why)};
  for (const PlannedSwapIn& swap_in : swap->swap_ins) {
    std::string& line = lines.emplace_back();
    line = fmt::format("  {} copies it back for", plan.name(graph, swap_in.copy));
    for (const OpId consumer : swap_in.consumers) line += fmt::format(" {}", graph.name(consumer));
    if (swap_in.trigger.valid()) {
      line += fmt::format(", after {} ({} {})", graph.name(swap_in.trigger),
                          findings_.version == 1 ? "order" : "level", swap_in.trigger_level);
    } else {
      line += findings_.version == 1 ? ", at any time" : ", once its other inputs are available";
    }
  }
  return lines;
}

std::vector<std::string> LmsReport::details(const Graph& graph, const GraphPlan& plan,
                                            bool everything) const {
  std::vector<std::string> lines;
  for (const PlannedSwap& swap : findings_.swaps) {
    lines.push_back(fmt::format("  swap {} ({}): {}", graph.tensor_name(swap.tensor),
                                format_bytes(swap.bytes), swap.why));
    for (const PlannedSwapIn& swap_in : swap.swap_ins) {
      lines.push_back(fmt::format("    {} for {} consumer(s) from {}, after {}",
                                  plan.name(graph, swap_in.copy), swap_in.consumers.size(),
                                  graph.name(swap_in.consumers.front()),
                                  swap_in.trigger.valid()  ? graph.name(swap_in.trigger)
                                  : findings_.version == 1 ? "no op"
                                                           : "no single op (synchronised)"));
    }
  }
  if (!everything) return lines;
  for (const KeptTensor& kept : findings_.not_swapped) {
    lines.push_back(fmt::format("  keep {} ({}): {}", graph.tensor_name(kept.tensor),
                                format_bytes(kept.bytes), kept.why));
  }
  return lines;
}

std::vector<PlanCount> LmsReport::counts(const GraphPlan& plan) const {
  return {{static_cast<std::int64_t>(findings_.swaps.size()), "swap-out"},
          {swap_in_count(findings_.swaps), "swap-in"},
          {static_cast<std::int64_t>(plan.control.size()), "control edges"}};
}

}  // namespace tideline
