#include "core/rewrite/lms1/log.h"

#include <algorithm>

#include "core/analysis/edges.h"

namespace tideline::lms1 {

void log_graph(const Context& context, const std::vector<OpId>& starting,
               std::vector<std::string>& log) {
  const Graph& graph = context.graph;
  const Lms1Options& options = context.options;
  log.push_back(fmt::format("The graph has {} vertices and {} edges.", graph.op_count(),
                            count_edges(graph).data));
  log.push_back(fmt::format(
      "{} ops are backward ops, {} ops are reachable from {} starting ops.",
      std::count(context.backward.begin(), context.backward.end(), true),
      std::count(context.order.is_reachable.begin(), context.order.is_reachable.end(), true),
      starting.size()));
  log.push_back(fmt::format("The step has {} orders; the backward phase begins at order {}.",
                            context.order.orders.count(), context.order.backward_start));
  log.emplace_back("LMS will use the following parameter set:");
  log.push_back(options.n_tensors < 0 ? "  n_tensors: all tensors"
                                      : fmt::format("  n_tensors: {}", options.n_tensors));
  log.push_back(fmt::format("  lb: {}, ub: {}", options.lb, options.ub));
  log.push_back(fmt::format("  ctrld_strategy: {}", name_of(options.ctrld_strategy)));
  log.push_back(fmt::format("  fuse_swapins: {}", options.fuse_swapins));
  log.push_back(options.swap_branches ? fmt::format("  swap_branches: true, branch_threshold: {}",
                                                    options.branch_threshold)
                                      : "  swap_branches: false");
}

}  // namespace tideline::lms1
