// Tested by unit/rewrite/replicate/metrics_test.cc and integration/replicate_test.py.
#include "core/rewrite/replicate/metric_variables.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/graph/walks.h"
#include "core/rewrite/replicate/moving_average.h"

namespace tideline::replicate {
namespace {

constexpr const char* kCollection = "metric_variables";

// Ops that the metrics' update ops need, without what the split tensors need.
std::vector<OpId> needed_ops(const Context& context, const Marks& marks, const Targets& targets) {
  const Graph& graph = context.graph;
  OpWalk walk(graph);
  for (const Metric& metric : targets.metrics) walk.add(metric.update);
  std::vector<OpId> found;
  while (const auto op = walk.next()) {
    if (marks.above[op->index()]) continue;
    walk.add_inputs(*op, Edges::kDataAndControl);
    found.push_back(*op);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool adds(const Graph& graph, OpId writer) {
  const std::string_view type = graph.type(writer);
  return type == "AssignAdd" || type == "AssignAddVariableOp" || type == "ScatterAdd" ||
         type == "ResourceScatterAdd";
}

}  // namespace

Result<std::vector<MetricVariable>> find_metric_variables(const Context& context,
                                                          const Marks& marks,
                                                          const Targets& targets) {
  const Graph& graph = context.graph;
  std::set<std::string_view> listed;
  const bool has_list = context.collections.has_variables(kCollection);
  if (has_list) {
    for (const VariableEntry& entry : context.collections.variables.at(kCollection)) {
      listed.insert(std::string_view(entry.name).substr(0, entry.name.find(':')));
    }
  }
  std::map<OpId, MetricVariable> found;
  for (const OpId op : needed_ops(context, marks, targets)) {
    const VariableUse* use = context.is_writer(op) ? context.written_by(op) : nullptr;
    if (use == nullptr) continue;
    const bool is_metric =
        has_list ? listed.contains(graph.name(use->variable))
                 : !marks.of_batch[op.index()] || !check_moving_average(context, marks, op);
    if (!is_metric) continue;
    if (!adds(graph, op)) {
      return fail(
          Code::kUnsupported,
          "{{metrics}}: op {} writes the variable '{}' of a metric otherwise than by adding; "
          "the variables of the towers can only be added up",
          shown(graph, op), graph.name(use->variable));
    }
    MetricVariable& metric = found[use->variable];
    if (metric.variable.valid()) continue;
    metric.variable = use->variable;
    for (const OpId assign : use->assigns) {
      const std::string_view type = graph.type(assign);
      const bool sets = type == "Assign" || type == "AssignVariableOp";
      if (sets && !marks.of_batch[assign.index()]) metric.initializers.push_back(assign);
    }
    if (metric.initializers.empty()) {
      return fail(Code::kUnsupported,
                  "{{metrics}}: no op initializes the variable '{}' of a metric; the copies of the "
                  "other towers would have no value",
                  graph.name(use->variable));
    }
  }
  std::vector<MetricVariable> variables;
  for (auto& [variable, metric] : found) variables.push_back(std::move(metric));
  return variables;
}

}  // namespace tideline::replicate
