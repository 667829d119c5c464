// Tested by unit/rewrite/replicate/regions_test.cc.
#include "core/rewrite/replicate/marks.h"

#include "core/base/scope_name.h"
#include "core/base/text.h"
#include "core/graph/nearest_names.h"
#include "core/graph/walks.h"

namespace tideline::replicate {
namespace {

class Marking {
 public:
  Marking(const Context& context, const Targets& targets) : context_(context), targets_(targets) {
    const std::size_t ops = context.graph.op_count();
    for (auto* set : {&marks_.above, &marks_.of_batch, &marks_.backward, &marks_.of_seed,
                      &marks_.after_backward, &marks_.of_gradient}) {
      set->resize(ops);
    }
  }

  Result<Marks> run(const std::string& scope) {
    mark_above();
    mark_batch();
    // Without a train op nothing is a gradient: metrics multiply by ones, too, and write the
    // result.
    if (!targets_.train_op.valid() && scope.empty()) return std::move(marks_);
    TIDELINE_RETURN_IF_ERROR(mark_backward(scope));
    const Graph& graph = context_.graph;
    for (const OpId op : graph.ops()) {
      if (!marks_.backward[op.index()] || !marks_.of_seed[op.index()]) continue;
      add_behind(op, marks_.after_backward, /*with_control=*/true);
      add_behind(op, marks_.of_gradient, /*with_control=*/false);
    }
    spread_outside(marks_.after_backward, /*with_control=*/true);
    spread_outside(marks_.of_gradient, /*with_control=*/false);
    return std::move(marks_);
  }

 private:
  void mark_above() {
    OpWalk above(context_.graph);
    for (const TensorId tensor : targets_.split) above.add(tensor.op);
    while (const auto op = above.next()) above.add_inputs(*op, Edges::kDataAndControl);
    marks_.above = above.take();
  }

  // Follows data edges and stacks.
  [[nodiscard]] std::vector<bool> behind(OpWalk walk) const {
    std::vector<bool> stack_done(context_.stacks.count());
    while (const auto op = walk.next()) {
      walk.add_readers(context_.consumers, *op, Edges::kData);
      const std::uint32_t stack = context_.stacks.stack_of(*op);
      if (stack == StackLinks::kNone || context_.of(*op).popped || stack_done[stack]) continue;
      stack_done[stack] = true;
      for (const OpId pop : context_.stacks.pops(stack)) walk.add(pop);
    }
    return walk.take();
  }

  void mark_batch() {
    const Graph& graph = context_.graph;
    OpWalk of_batch(graph);
    for (const TensorId tensor : targets_.split) {
      for (const Use use : context_.consumers.data(tensor.op)) {
        // Ops from which another split tensor is computed see the whole batch.
        if (marks_.above[use.consumer.index()]) continue;
        if (graph.inputs(use.consumer)[use.slot] == tensor) of_batch.add(use.consumer);
      }
    }
    marks_.of_batch = behind(std::move(of_batch));
  }

  Status mark_backward(const std::string& given) {
    const Graph& graph = context_.graph;
    const std::string_view scope = without_slash(given);
    if (scope.empty()) {
      for (const OpId op : graph.ops()) {
        marks_.backward[op.index()] = context_.phases.of(op) == Phase::kBackward;
      }
      OpWalk of_seed(graph);
      for (const OpId op : context_.flow.seeds) of_seed.add(op);
      marks_.of_seed = behind(std::move(of_seed));
      if (!context_.flow.seeds.empty()) return {};
      // The first gradient is fed, or was cut off: what is left of the pass depends on the batch.
      for (const OpId op : graph.ops()) {
        marks_.of_seed[op.index()] = marks_.backward[op.index()] && marks_.of_batch[op.index()];
      }
      return {};
    }
    bool any = false;
    for (const OpId op : graph.ops()) {
      if (!is_within(graph.name(op), scope)) continue;
      any = true;
      marks_.backward[op.index()] = true;
      marks_.of_seed[op.index()] = context_.kind(op) != OpKind::kConstant;
    }
    if (any) return {};
    return fail(Code::kNotFound,
                "{{gradient-scope}}: no op is in '{}'{}; expected the scope of the "
                "backward pass, such as gradients",
                printable(scope), nearest_scopes(graph, scope));
  }

  void add_behind(OpId op, std::vector<bool>& set, bool with_control) {
    const auto visit = [&](OpId next) {
      if (!marks_.backward[next.index()]) set[next.index()] = true;
    };
    for (const Use use : context_.consumers.data(op)) visit(use.consumer);
    if (!with_control) return;
    for (const OpId next : context_.consumers.control(op)) visit(next);
  }

  void spread_outside(std::vector<bool>& set, bool with_control) {
    OpWalk walk(context_.graph, std::move(set));
    while (const auto op = walk.next()) {
      const auto visit = [&](OpId next) {
        if (!marks_.backward[next.index()]) walk.add(next);
      };
      for (const Use use : context_.consumers.data(*op)) visit(use.consumer);
      if (!with_control) continue;
      for (const OpId next : context_.consumers.control(*op)) visit(next);
    }
    set = walk.take();
  }

  const Context& context_;
  const Targets& targets_;
  Marks marks_;
};

}  // namespace

Result<Marks> find_marks(const Context& context, const Targets& targets,
                         const std::string& gradient_scope) {
  return Marking(context, targets).run(gradient_scope);
}

}  // namespace tideline::replicate
