#include "core/analysis/activity.h"

#include "core/analysis/while_names.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

class InactiveOps {
 public:
  InactiveOps(const Graph& graph, const Consumers& consumers, const LearningMode& mode)
      : graph_(graph),
        consumers_(consumers),
        mode_(mode),
        names_(graph, mode.of_body),
        inactive_(graph) {}

  Result<std::vector<bool>> run() {
    for (const OpId op : graph_.ops()) {
      TIDELINE_TRY(const bool other_mode, is_of_other_mode(op));
      if (other_mode || is_inside_loop(op)) inactive_.add(op);
      if (mode_.is_keras && graph_.name(op).ends_with("keras_learning_phase")) {
        mark_wrong_branches(op);
      }
    }
    while (const auto op = inactive_.next()) {
      for (const Use use : consumers_.data(*op)) consider(use.consumer);
      for (const OpId waiter : consumers_.control(*op)) consider(waiter);
    }
    return inactive_.take();
  }

 private:
  [[nodiscard]] Result<bool> is_of_other_mode(OpId op) const {
    const std::string_view type = graph_.type(op);
    if (type != "FusedBatchNorm" && type != "FusedBatchNormGrad") return false;
    TIDELINE_TRY(const auto is_training, graph_.attribute(op, "is_training"));
    // The attribute's default is true.
    return (is_training ? is_training->boolean : true) != mode_.is_training;
  }

  [[nodiscard]] bool is_inside_loop(OpId op) const {
    const std::string_view type = graph_.type(op);
    return names_.in_loop(op) && type != "Enter" && type != "Exit";
  }

  // From the learning phase through Identity ops to Switch ops; the readers of the branch that the
  // mode does not take are inactive.
  void mark_wrong_branches(OpId phase) {
    const std::uint32_t wrong_slot = mode_.is_training ? 0 : 1;
    OpWalk walk(graph_);
    walk.add(phase);
    while (const auto op = walk.next()) {
      const bool is_switch = *op != phase && graph_.type(*op) == "Switch";
      for (const Use use : consumers_.data(*op)) {
        const std::string_view type = graph_.type(use.consumer);
        if (is_switch) {
          if (graph_.inputs(use.consumer)[use.slot].slot == wrong_slot) inactive_.add(use.consumer);
        } else if (type == "Identity" || type == "Switch") {
          walk.add(use.consumer);
        }
      }
    }
  }

  // Called for ops that have an inactive input.
  void consider(OpId op) {
    const std::string_view type = graph_.type(op);
    if (type == "Merge" || type == "Switch") return;
    const auto can_start_it = [&](OpId input) {
      return !inactive_.has(input) && graph_.type(input) != "Const";
    };
    // The reference looks at the name of the op itself here, not at the names of its inputs.
    if (!has(graph_.name(op), "Variable")) {
      for (const TensorId input : graph_.inputs(op)) {
        if (can_start_it(input.op)) return;
      }
      for (const OpId input : graph_.control_inputs(op)) {
        if (can_start_it(input)) return;
      }
    }
    inactive_.add(op);
  }

  const Graph& graph_;
  const Consumers& consumers_;
  LearningMode mode_;
  WhileNames names_;
  OpWalk inactive_;
};

}  // namespace

Result<std::vector<bool>> inactive_ops(const Graph& graph, const Consumers& consumers,
                                       const LearningMode& mode) {
  return InactiveOps(graph, consumers, mode).run();
}

}  // namespace tideline
