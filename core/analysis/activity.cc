#include "core/analysis/activity.h"

namespace tideline {
namespace {

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

class InactiveOps {
 public:
  InactiveOps(const Graph& graph, const Consumers& consumers, const LearningMode& mode)
      : graph_(graph), consumers_(consumers), mode_(mode), inactive_(graph.op_count()) {}

  Result<std::vector<bool>> run() {
    for (const OpId op : graph_.ops()) {
      TIDELINE_TRY(const bool other_mode, is_of_other_mode(op));
      if (other_mode || is_inside_loop(op)) mark(op);
      if (mode_.is_keras && graph_.name(op).ends_with("keras_learning_phase")) {
        mark_wrong_branches(op);
      }
    }
    spread();
    return std::move(inactive_);
  }

 private:
  void mark(OpId op) {
    if (inactive_[op.index()]) return;
    inactive_[op.index()] = true;
    todo_.push_back(op);
  }

  [[nodiscard]] Result<bool> is_of_other_mode(OpId op) const {
    const std::string_view type = graph_.type(op);
    if (type != "FusedBatchNorm" && type != "FusedBatchNormGrad") return false;
    TIDELINE_TRY(const auto is_training, graph_.attribute(op, "is_training"));
    // The attribute's default is true.
    return (is_training ? is_training->boolean : true) != mode_.is_training;
  }

  [[nodiscard]] bool is_inside_loop(OpId op) const {
    const std::string_view type = graph_.type(op);
    return has(graph_.name(op), "while/") && type != "Enter" && type != "Exit";
  }

  // From the learning phase through Identity ops to Switch ops; the readers of the branch that the
  // mode does not take are inactive.
  void mark_wrong_branches(OpId phase) {
    const std::uint32_t wrong_slot = mode_.is_training ? 0 : 1;
    std::vector<OpId> from = {phase};
    std::vector<bool> seen(graph_.op_count());
    while (!from.empty()) {
      const OpId op = from.back();
      from.pop_back();
      for (const Use use : consumers_.data(op)) {
        if (seen[use.consumer.index()]) continue;
        const std::string_view type = graph_.type(use.consumer);
        if (type != "Identity" && type != "Switch") continue;
        seen[use.consumer.index()] = true;
        if (type == "Identity") {
          from.push_back(use.consumer);
          continue;
        }
        for (const Use branch : consumers_.data(use.consumer)) {
          if (graph_.inputs(branch.consumer)[branch.slot].slot == wrong_slot) mark(branch.consumer);
        }
      }
    }
  }

  void spread() {
    while (!todo_.empty()) {
      const OpId op = todo_.back();
      todo_.pop_back();
      for (const Use use : consumers_.data(op)) consider(use.consumer);
      for (const OpId waiter : consumers_.control(op)) consider(waiter);
    }
  }

  // Called for ops that have an inactive input.
  void consider(OpId op) {
    const std::string_view type = graph_.type(op);
    if (type == "Merge" || type == "Switch") return;
    const auto can_start_it = [&](OpId input) {
      return !inactive_[input.index()] && graph_.type(input) != "Const";
    };
    // The reference asks for the name of the op itself here, not for those of its inputs.
    if (!has(graph_.name(op), "Variable")) {
      for (const TensorId input : graph_.inputs(op)) {
        if (can_start_it(input.op)) return;
      }
      for (const OpId input : graph_.control_inputs(op)) {
        if (can_start_it(input)) return;
      }
    }
    mark(op);
  }

  const Graph& graph_;
  const Consumers& consumers_;
  LearningMode mode_;
  std::vector<bool> inactive_;
  std::vector<OpId> todo_;
};

}  // namespace

Result<std::vector<bool>> inactive_ops(const Graph& graph, const Consumers& consumers,
                                       const LearningMode& mode) {
  return InactiveOps(graph, consumers, mode).run();
}

}  // namespace tideline
