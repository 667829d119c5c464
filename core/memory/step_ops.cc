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

namespace tideline {
namespace {

std::vector<bool> with_ancestors(const Graph& graph, std::vector<OpId> from) {
  std::vector<bool> found(graph.op_count());
  const auto enter = [&](OpId op) {
    if (found[op.index()]) return;
    found[op.index()] = true;
    from.push_back(op);
  };
  std::vector<OpId> roots;
  roots.swap(from);
  for (const OpId root : roots) enter(root);
  while (!from.empty()) {
    const OpId op = from.back();
    from.pop_back();
    for (const TensorId input : graph.inputs(op)) enter(input.op);
    for (const OpId input : graph.control_inputs(op)) enter(input);
  }
  return found;
}

class Savers {
 public:
  explicit Savers(const Graph& graph)
      : graph_(graph),
        consumers_(graph),
        facts_(OpFactsTable::for_graph(graph)),
        is_reached_(graph.op_count()),
        kept_(graph.op_count()),
        left_out_(graph.op_count()) {}

  std::vector<bool> run() {
    for (const OpId op : graph_.ops()) {
      if (kind(op) == OpKind::kSave) reach(op);
    }
    for (std::size_t i = 0; i < reached_.size(); ++i) follow(reached_[i]);
    // A restored value that the step reads keeps what it comes from.
    for (std::size_t i = 0; i < read_.size(); ++i) {
      for (const TensorId input : graph_.inputs(read_[i])) keep(input.op);
    }
    for (const OpId op : reached_) {
      if (!kept_[op.index()]) leave_out(op);
    }
    // Readers first: who is read by those alone serves them alone.
    for (std::size_t i = 0; i < met_.size(); ++i) {
      for (const TensorId input : graph_.inputs(met_[i])) leave_out_if_unread(input.op);
      for (const OpId input : graph_.control_inputs(met_[i])) leave_out_if_unread(input);
    }
    return std::move(left_out_);
  }

 private:
  [[nodiscard]] OpKind kind(OpId op) const { return facts_.of(graph_.type_id(op)).kind; }

  // Saves, restores, or hands a restored value on to a variable.
  [[nodiscard]] bool only_restores(OpId op) const {
    const OpKind is = kind(op);
    return is == OpKind::kAssign || is == OpKind::kControl || is == OpKind::kView ||
           is == OpKind::kSave;
  }

  void reach(OpId op) {
    if (is_reached_[op.index()]) return;
    is_reached_[op.index()] = true;
    reached_.push_back(op);
  }

  void follow(OpId op) {
    for (const Use use : consumers_.data(op)) {
      if (only_restores(use.consumer)) {
        reach(use.consumer);
      } else {
        keep(op);
      }
    }
    for (const OpId waiter : consumers_.control(op)) {
      if (only_restores(waiter)) reach(waiter);
    }
  }

  void keep(OpId op) {
    if (!is_reached_[op.index()] || kept_[op.index()]) return;
    kept_[op.index()] = true;
    read_.push_back(op);
  }

  void leave_out(OpId op) {
    if (left_out_[op.index()]) return;
    left_out_[op.index()] = true;
    met_.push_back(op);
  }

  void leave_out_if_unread(OpId op) {
    if (left_out_[op.index()]) return;
    for (const Use use : consumers_.data(op)) {
      if (!left_out_[use.consumer.index()]) return;
    }
    for (const OpId waiter : consumers_.control(op)) {
      if (!left_out_[waiter.index()]) return;
    }
    leave_out(op);
  }

  const Graph& graph_;
  Consumers consumers_;
  OpFactsTable facts_;
  std::vector<bool> is_reached_;  // by op: from a saver
  std::vector<bool> kept_;
  std::vector<bool> left_out_;
  std::vector<OpId> reached_, read_, met_;
};

}  // namespace

std::vector<bool> step_ops(const Graph& graph, const Fetches& fetches) {
  if (fetches.rule != FetchRule::kAll) return with_ancestors(graph, fetches.ops);
  const std::vector<bool> left_out = Savers(graph).run();
  std::vector<OpId> rest;
  for (const OpId op : graph.ops()) {
    if (!left_out[op.index()]) rest.push_back(op);
  }
  return with_ancestors(graph, std::move(rest));
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
      batch = "--batch-size N";
    }
    const bool is_more = !has_rank || std::count(dims.begin(), dims.end(), kUnknownDim) >
                                          (dims.empty() || dims[0] != kUnknownDim ? 0 : 1);
    if (is_more && shape.empty()) shape = fmt::format("--shape {}=DIMS", printable(graph.name(op)));
  }
  if (batch.empty() && shape.empty()) return "";
  return fmt::format("; expected {}{}{}", batch, batch.empty() || shape.empty() ? "" : " and ",
                     shape);
}

}  // namespace tideline
