// Tested by unit/memory/fold_text_test.cc and the golden case as_run.
#include "core/memory/fold_text.h"

#include <algorithm>

#include "core/analysis/as_run/folding.h"
#include "core/base/text.h"
#include "core/memory/taken_branches.h"

namespace tideline {
namespace {

std::string tensor_text(const Graph& graph, TensorId tensor) {
  return printable(graph.tensor_name(tensor), 200);
}

// Empty if the fold does not say what the tensor is.
std::string instead(const Graph& graph, const FoldedOp& folded, TensorId tensor, bool runs) {
  if (folded.fold == Fold::kConstant) return "its value is known before the step";
  if (runs) return {};
  if (folded.fold == Fold::kMerged) {
    return "it is the same as " + tensor_text(graph, {folded.twin, tensor.slot});
  }
  const auto inputs = graph.inputs(folded.op);
  if (tensor.slot > 0 || inputs.empty()) return {};
  return "it is its input " + tensor_text(graph, inputs.front());
}

}  // namespace

std::string fold_text(const Graph& graph, const StepGraph& step, TensorId tensor, bool runs) {
  if (!step.folding) return {};
  const auto& fetches = step.fetches;
  if (std::find(fetches.begin(), fetches.end(), tensor.op) != fetches.end()) return {};
  if (step.file_levels[tensor.op.index()] < 0) return {};  // not in the step of the file either
  const auto& ops = step.folding->ops;
  const auto folded = std::find_if(ops.begin(), ops.end(),
                                   [&](const FoldedOp& entry) { return entry.op == tensor.op; });
  std::string text = runs ? std::string() : skipped_text(step, tensor.op);
  if (text.empty() && folded != ops.end()) text = instead(graph, *folded, tensor, runs);
  if (text.empty() && !runs) text = "nothing that runs there reads it";
  if (text.empty()) return {};
  return (runs ? "it is a constant of the step that TensorFlow runs: "
               : "it does not exist in the step that TensorFlow runs: ") +
         text;
}

}  // namespace tideline
