#include "tests/property/reference_lms2.h"
#include "tests/support/own_aheads.h"

#include <algorithm>

namespace tideline::test {
namespace {

bool on_cpu(const Graph& graph, OpId op) {
  return graph.device(op).find("cpu") != std::string_view::npos;
}

struct SlowSwap {
  TensorId tensor;
  std::vector<std::vector<OpId>> groups;
};

// Whether `from` leads to `to` over data edges of rising level that are not swapped.
bool reaches(const Graph& graph, const std::vector<int>& levels,
             const std::set<std::pair<OpId, TensorId>>& swapped, OpId from, OpId to) {
  std::set<OpId> reached = {from};
  for (int level = levels[from.index()] + 1; level <= levels[to.index()]; ++level) {
    for (const OpId op : graph.ops()) {
      if (levels[op.index()] != level) continue;
      for (const TensorId input : graph.inputs(op)) {
        if (reached.count(input.op) > 0 && swapped.count({op, input}) == 0) reached.insert(op);
      }
    }
  }
  return reached.count(to) > 0;
}

std::vector<SlowSwap> choose(const Graph& graph, const std::vector<int>& levels,
                             const Lms2Options& options) {
  std::vector<SlowSwap> swaps;
  for (const OpId op : graph.ops()) {
    if (on_cpu(graph, op)) continue;
    std::vector<std::pair<int, OpId>> far;
    for (const OpId reader : graph.ops()) {
      const auto inputs = graph.inputs(reader);
      const bool reads = std::find(inputs.begin(), inputs.end(), TensorId{op, 0}) != inputs.end();
      const int distance = levels[reader.index()] - levels[op.index()];
      if (reads && !on_cpu(graph, reader) && distance > options.swapout_threshold) {
        far.emplace_back(levels[reader.index()], reader);
      }
    }
    std::sort(far.begin(), far.end());
    if (far.empty()) continue;
    SlowSwap swap{{op, 0}, {}};
    int last = 0;
    for (const auto& [level, reader] : far) {
      const bool joins = !swap.groups.empty() && options.swapin_groupby > 0 &&
                         level - last <= options.swapin_groupby;
      if (!joins) swap.groups.emplace_back();
      swap.groups.back().push_back(reader);
      last = level;
    }
    swaps.push_back(swap);
  }
  return swaps;
}

}  // namespace

std::vector<int> slow_levels(const Graph& graph) {
  std::vector<int> levels(graph.op_count(), -1);
  for (int level = 0;; ++level) {
    std::vector<OpId> ready;
    for (const OpId op : graph.ops()) {
      if (levels[op.index()] >= 0) continue;
      bool waits = false;
      for (const TensorId input : graph.inputs(op)) waits |= levels[input.op.index()] < 0;
      for (const OpId input : graph.control_inputs(op)) waits |= levels[input.index()] < 0;
      if (!waits) ready.push_back(op);
    }
    if (ready.empty()) return levels;
    for (const OpId op : ready) levels[op.index()] = level;
  }
}

SlowPlan slow_lms2(const Graph& graph, const Lms2Options& options) {
  const std::vector<int> levels = slow_levels(graph);
  const std::vector<SlowSwap> swaps = choose(graph, levels, options);
  std::set<std::pair<OpId, TensorId>> swapped;
  for (const SlowSwap& swap : swaps) {
    for (const auto& group : swap.groups) {
      for (const OpId reader : group) swapped.insert({reader, swap.tensor});
    }
  }
  SlowPlan plan;
  for (const SlowSwap& swap : swaps) {
    for (const auto& group : swap.groups) {
      SlowGroup slow;
      for (const OpId reader : group) slow.consumers.emplace(graph.name(reader));
      const OpId dest = group.front();
      const int ahead =
          own_ahead(options.ahead_tensors, graph.tensor_name(swap.tensor), options.swapin_ahead);
      const int first = levels[dest.index()] - ahead - 1;
      const int last = std::max(first - 9, levels[swap.tensor.op.index()] + 1);
      for (int level = first; level >= last && slow.trigger.empty(); --level) {
        for (const OpId op : graph.ops()) {
          if (levels[op.index()] != level || on_cpu(graph, op) || !slow.trigger.empty()) continue;
          if (reaches(graph, levels, swapped, op, dest)) slow.trigger = graph.name(op);
        }
      }
      plan[graph.tensor_name(swap.tensor)].push_back(slow);
    }
  }
  return plan;
}

}  // namespace tideline::test
