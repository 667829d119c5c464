// Tested by unit/rewrite/replicate/regions_test.cc and unit/rewrite/replicate/refusals_test.cc.
#include "core/rewrite/replicate/moving_average.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/graph/element_type.h"

namespace tideline::replicate {
namespace {

constexpr std::size_t kMostOps = 64;  // (variable - statistic) * factor, with corrections of bias

// Whether a short elementwise computation leads from the variable to the value.
bool moves_from_itself(const Context& context, OpId writer, OpId variable) {
  const Graph& graph = context.graph;
  std::vector<OpId> seen;
  const auto add = [&](OpId op) {
    if (seen.size() < kMostOps && std::find(seen.begin(), seen.end(), op) == seen.end()) {
      seen.push_back(op);
    }
  };
  context.facts.for_each_slot(graph, writer, {*context.of(writer).value},
                              [&](std::uint32_t slot) { add(graph.inputs(writer)[slot].op); });
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const OpId op = seen[i];
    if (op == variable) return true;
    const OpKind kind = context.kind(op);
    if (kind != OpKind::kElementwise && kind != OpKind::kView && kind != OpKind::kRead &&
        kind != OpKind::kSwitch && kind != OpKind::kMerge && !context.is_writer(op)) {
      continue;
    }
    for (const TensorId input : graph.inputs(op)) add(input.op);
  }
  return false;
}

}  // namespace

Status check_moving_average(const Context& context, const Marks& marks, OpId writer) {
  const Graph& graph = context.graph;
  const VariableUse* use = context.written_by(writer);
  const OpFacts& facts = context.of(writer);
  const auto refuse = [&](std::string_view why) {
    return fail(Code::kUnsupported,
                "op {} writes a value of the batch, {}; every tower would write it. Expected "
                "forward passes that write nothing but moving averages ({{batch-norm-update}})",
                shown(graph, writer), why);
  };
  if (use == nullptr || !facts.value || facts.indices) return refuse("not to a whole variable");
  if (context.is_in_loop(writer)) return refuse("in a loop");
  bool floats = true;
  context.facts.for_each_slot(graph, writer, {*facts.value}, [&](std::uint32_t slot) {
    const DataType type = context.tensors.type(graph.inputs(writer)[slot]);
    floats = floats && element_family(base_type(type)) == ElementFamily::kFloat;
  });
  if (!floats) return refuse("which is no floating-point number");
  if (!moves_from_itself(context, writer, use->variable)) {
    return refuse("which does not move what the variable was before");
  }
  for (const Use reader : context.consumers.data(writer)) {
    const OpId op = reader.consumer;
    if (writes_of_batch(context, marks, op) || context.consumers.data(op).empty()) continue;
    // Corrections of bias read one average to move another.
    const auto& next = context.consumers.data(op);
    const bool only_writers = std::all_of(next.begin(), next.end(), [&](Use one) {
      return context.kind(one.consumer) == OpKind::kElementwise ||
             writes_of_batch(context, marks, one.consumer);
    });
    if (context.kind(op) != OpKind::kElementwise || !only_writers) {
      return refuse(fmt::format("which op {} reads", shown(graph, op)));
    }
  }
  return {};
}

std::vector<Cut> moving_average_cuts(const Context& context, const Marks& marks, OpId writer) {
  std::vector<Cut> cuts;
  context.facts.for_each_slot(context.graph, writer, {*context.of(writer).value},
                              [&](std::uint32_t slot) {
                                const TensorId tensor = context.graph.inputs(writer)[slot];
                                if (!marks.of_batch[tensor.op.index()]) return;
                                cuts.push_back({tensor, CutKind::kMean, {{writer, slot}}, {}});
                              });
  return cuts;
}

}  // namespace tideline::replicate
