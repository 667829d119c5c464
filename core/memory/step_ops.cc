// Problem: a saver is part of every training graph, and restores tensors whose size nothing says;
// no step reads them. Idea: a step with a training op needs its ancestors alone. Without one, every
// op counts but the savers': what saves and restores, what hands restored values on to variables,
// and what nothing else reads, such as the list of names.
// Tested by unit/memory/step_ops_test.cc.
#include "core/memory/step_ops.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/consumers.h"
#include "core/graph/op_facts.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

std::vector<bool> with_ancestors(OpWalk walk) {
  while (const auto op = walk.next()) walk.add_inputs(*op, Edges::kDataAndControl);
  return walk.take();
}

class Savers {
 public:
  explicit Savers(const Graph& graph)
      : graph_(graph),
        consumers_(graph),
        facts_(OpFactsTable::for_graph(graph)),
        reached_(graph),
        kept_(graph),
        left_out_(graph) {}

  std::vector<bool> run() {
    for (const OpId op : graph_.ops()) {
      if (kind(op) == OpKind::kSave) reached_.add(op);
    }
    while (const auto op = reached_.oldest()) follow(*op);
    // A restored value that the step reads keeps what it comes from.
    while (const auto op = kept_.oldest()) {
      for (const TensorId input : graph_.inputs(*op)) keep(input.op);
    }
    for (const OpId op : graph_.ops()) {
      if (reached_.has(op) && !kept_.has(op)) left_out_.add(op);
    }
    // Readers first: an op that only left-out ops read is left out, too.
    while (const auto op = left_out_.oldest()) {
      for (const TensorId input : graph_.inputs(*op)) leave_out_if_unread(input.op);
      for (const OpId input : graph_.control_inputs(*op)) leave_out_if_unread(input);
    }
    return left_out_.take();
  }

 private:
  [[nodiscard]] OpKind kind(OpId op) const { return facts_.of(graph_.type_id(op)).kind; }

  // Saves, restores, or hands a restored value on to a variable.
  [[nodiscard]] bool only_restores(OpId op) const {
    const OpKind is = kind(op);
    return is == OpKind::kAssign || is == OpKind::kControl || is == OpKind::kView ||
           is == OpKind::kSave;
  }

  void follow(OpId op) {
    for (const Use use : consumers_.data(op)) {
      if (only_restores(use.consumer)) {
        reached_.add(use.consumer);
      } else {
        keep(op);
      }
    }
    for (const OpId waiter : consumers_.control(op)) {
      if (only_restores(waiter)) reached_.add(waiter);
    }
  }

  void keep(OpId op) {
    if (reached_.has(op)) kept_.add(op);
  }

  void leave_out_if_unread(OpId op) {
    for (const Use use : consumers_.data(op)) {
      if (!left_out_.has(use.consumer)) return;
    }
    for (const OpId waiter : consumers_.control(op)) {
      if (!left_out_.has(waiter)) return;
    }
    left_out_.add(op);
  }

  const Graph& graph_;
  Consumers consumers_;
  OpFactsTable facts_;
  OpWalk reached_;  // from a saver
  OpWalk kept_;
  OpWalk left_out_;
};

}  // namespace

std::vector<bool> step_ops(const Graph& graph, const Fetches& fetches) {
  OpWalk walk(graph);
  if (fetches.rule != FetchRule::kAll) {
    for (const OpId op : fetches.ops) walk.add(op);
    return with_ancestors(std::move(walk));
  }
  const std::vector<bool> left_out = Savers(graph).run();
  for (const OpId op : graph.ops()) {
    if (!left_out[op.index()]) walk.add(op);
  }
  return with_ancestors(std::move(walk));
}

std::vector<bool> computed_ops(const StepGraph& step, std::span<const OpId> schedule) {
  std::vector<bool> computes(step.ops.size());
  for (const OpId op : schedule) computes[op.index()] = !step.ops[op.index()].only_waits;
  return computes;
}

std::vector<bool> computed_of(std::vector<bool> of_step, const StepGraph& step,
                              std::span<const OpId> schedule) {
  const std::vector<bool> computes = computed_ops(step, schedule);
  for (std::size_t op = 0; op < of_step.size(); ++op) of_step[op] = of_step[op] && computes[op];
  return of_step;
}

std::int64_t unknown_sizes(const Graph& graph, const TensorTable& tensors,
                           const std::vector<bool>& of_step) {
  std::int64_t count = 0;
  for (const OpId op : graph.ops()) {
    if (!of_step[op.index()]) continue;
    for (std::uint32_t slot = 0; slot < tensors.output_count(op); ++slot) {
      if (tensors.is_unknown({op, slot})) ++count;
    }
  }
  return count;
}

std::string expected_sizes(const Graph& graph, const TensorTable& tensors,
                           const std::vector<bool>& of_step) {
  std::string batch;
  std::string shape;
  for (const OpId op : graph.ops()) {
    const std::string_view type = graph.type(op);
    if (!of_step[op.index()] || (!type.starts_with("Placeholder") && type != "_Arg")) continue;
    if (tensors.output_count(op) == 0 || !tensors.is_unknown({op, 0})) continue;
    const auto& dims = tensors.shape({op, 0}).dims;
    const bool has_rank = tensors.shape({op, 0}).has_rank;
    if (has_rank && !dims.empty() && dims[0] == kUnknownDim && !tensors.batch_size()) {
      batch = "{batch-size} N";
    }
    const bool is_more = !has_rank || std::count(dims.begin(), dims.end(), kUnknownDim) >
                                          (dims.empty() || dims[0] != kUnknownDim ? 0 : 1);
    if (is_more && shape.empty())
      shape = fmt::format("{{shape}} {}=DIMS", printable(graph.name(op)));
  }
  if (batch.empty() && shape.empty()) return "";
  return fmt::format("; expected {}{}{}", batch, batch.empty() || shape.empty() ? "" : " and ",
                     shape);
}

}  // namespace tideline
