#include "core/analysis/summary.h"

#include "core/analysis/variables.h"
#include "core/graph/op_facts.h"

namespace tideline {
namespace {

bool has_open_batch(const Graph& graph, const TensorTable& tensors) {
  if (tensors.batch_size()) return false;
  const OpFactsTable facts = OpFactsTable::for_graph(graph);
  for (const OpId op : graph.ops()) {
    const OpKind kind = facts.of(graph.type_id(op)).kind;
    if (kind != OpKind::kPlaceholder && kind != OpKind::kInput) continue;
    for (std::uint32_t slot = 0; slot < tensors.output_count(op); ++slot) {
      const Shape& shape = tensors.shape({op, slot});
      const bool is_open = shape.has_rank && !shape.dims.empty() && shape.dims[0] == kUnknownDim;
      if (is_open && tensors.is_unknown({op, slot})) return true;
    }
  }
  return false;
}

}  // namespace

OpId largest_operation(const Graph& graph, const TensorTable& tensors, const Placement& placement,
                       const std::vector<bool>& inactive) {
  OpId largest;
  Bytes most = 0;
  for (const OpId op : graph.ops()) {
    if (inactive[op.index()] || !placement.on_device(op)) continue;
    if (const Bytes bytes = op_bytes(graph, tensors, op); bytes > most) {
      most = bytes;
      largest = op;
    }
  }
  return largest;
}

Result<Summary> summarize(const GraphFacts& facts, const Collections& collections,
                          const TensorTable& tensors) {
  const Graph& graph = facts.graph();
  Summary summary;
  summary.vertices = graph.op_count();
  summary.edges = count_edges(graph);
  const LevelMap levels = compatible_levels(graph);
  summary.levels = levels.count();
  summary.without_level = levels.without_level();
  summary.levels_complete = complete_levels(graph).count();

  TIDELINE_TRY(const Variables variables, find_variables(facts, collections));
  TIDELINE_TRY(summary.values, VariableValues::find(facts, tensors));
  TIDELINE_TRY(summary.learning_parameter_bytes, summary.values.bytes(variables.trainable));
  summary.trainable_variables = static_cast<std::int64_t>(variables.trainable.size());

  TIDELINE_TRY(summary.captured, captured_total(summary.values));
  TIDELINE_TRY(const std::vector<bool> inactive, inactive_ops(graph, facts.consumers(), {}));
  const Placement placement(graph, std::nullopt);
  summary.largest_operation = largest_operation(graph, tensors, placement, inactive);
  if (summary.largest_operation.valid()) {
    summary.largest_operation_bytes = op_bytes(graph, tensors, summary.largest_operation);
  }
  for (const OpId op : graph.ops()) summary.tensors += tensors.output_count(op);
  summary.unknown_size_tensors = tensors.unknown_count();
  summary.inferred_tensors = tensors.inferred_count();
  summary.is_batch_open = has_open_batch(graph, tensors);
  return summary;
}

void add_oddities(const Graph& graph, const TensorTable& tensors, const Summary& summary,
                  Diagnostics& diagnostics) {
  for (const OpId op : graph.ops()) {
    for (std::uint32_t slot = 0; slot < tensors.output_count(op); ++slot) {
      if (!tensors.is_unknown({op, slot})) continue;
      diagnostics.add(Severity::kNotice, "tensor of unknown size",
                      fmt::format("{}: {} {}", graph.tensor_name({op, slot}),
                                  data_type_name(tensors.type({op, slot})),
                                  to_string(tensors.shape({op, slot}))));
    }
    if (graph.signature(op) == nullptr) {
      diagnostics.add(Severity::kNotice, "op of unknown type",
                      fmt::format("{}: {}", graph.name(op), graph.type(op)));
    }
  }
  note_captured(graph, summary.values, diagnostics);
  if (tensors.reads_past_outputs() > 0) {
    diagnostics.add(Severity::kNotice, "op whose outputs are read past their declared number",
                    "see the producers of its readers", tensors.reads_past_outputs());
  }
  if (summary.without_level > 0) {
    diagnostics.add(Severity::kInfo, "op without a level in the compatible map",
                    "ops inside and after while loops; the complete map has levels for them",
                    summary.without_level);
  }
}

void note_contradicted_shapes(const TensorTable& tensors, Diagnostics& diagnostics) {
  if (tensors.difference_count() > 0) {
    diagnostics.add(Severity::kNotice,
                    "recorded shape that contradicts TensorFlow 2.15; the inferred one counts",
                    tensors.first_difference(), tensors.difference_count());
  }
  if (tensors.contradiction_count() > 0) {
    diagnostics.add(Severity::kNotice, "op whose inputs have incompatible shapes",
                    tensors.first_contradiction(), tensors.contradiction_count());
  }
}

}  // namespace tideline
