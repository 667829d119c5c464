// Problem: which ops does a tower need a copy of? All that leads from its part of the batch to the
// loss, the gradients, the predictions and the metrics; but variables exist once, and so does what
// writes them, what makes the batch, and what the caller feeds.
// Idea: from these ends, go back over data and control edges and over the stacks of loops, and stop
// at what is shared: variables and the reads made with them, placeholders, the ops that the split
// tensors come from, writes. What is met on the way is replicated, constants included. In a loop
// nothing is shared, because a copy of the loop runs in a frame of its own.
//   x -> Split -> x0, x1      w (once)
//   tower 0: MatMul(x0, w)    tower 1: tower_1/MatMul(x1, w)
// Some graphs would silently compute something else, and are refused with the op and the rule: a
// fixed batch size (it is part of constants already), a queue inside (every tower would take an
// element of its own), a write of a value of the batch other than a moving average, another input
// with a first dimension of unknown size (part of the batch, or the towers would all see it whole).
// Cost: O(ops + edges). Limits: effects of Python functions are not seen. Source: the reference
// runs the model's Python function once for each tower; here the same is found in a finished graph.
// Tested by unit/rewrite/replicate/regions_test.cc and unit/rewrite/replicate/refusals_test.cc.
#include "core/rewrite/replicate/regions.h"

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/graph/walks.h"
#include "core/rewrite/plan/named_outputs.h"
#include "core/rewrite/replicate/called_functions.h"
#include "core/rewrite/replicate/metric_variables.h"
#include "core/rewrite/replicate/moving_average.h"
#include "core/rewrite/replicate/split_check.h"

namespace tideline::replicate {
namespace {

class RegionSearch {
 public:
  RegionSearch(const Context& context, const Targets& targets, const ReplicateOptions& options)
      : context_(context), graph_(context.graph), targets_(targets), options_(options) {
    regions_.is_replicated.resize(graph_.op_count());
    is_private_.resize(graph_.op_count());
  }

  Result<Regions> run() {
    TIDELINE_RETURN_IF_ERROR(check_outputs());
    TIDELINE_RETURN_IF_ERROR(check_split(context_, targets_));
    TIDELINE_TRY(regions_.marks, find_marks(context_, targets_, options_.gradient_scope));
    if (targets_.train_op.valid()) {
      TIDELINE_TRY(regions_.update, find_update_region(context_, marks(), targets_));
    } else {
      regions_.update.is_update.resize(graph_.op_count());
    }
    if (!targets_.metrics.empty()) {
      TIDELINE_TRY(regions_.metrics, find_metric_variables(context_, marks(), targets_));
      note_private();
    }
    TIDELINE_RETURN_IF_ERROR(walk());
    TIDELINE_RETURN_IF_ERROR(check_inputs());
    find_read();
    TIDELINE_RETURN_IF_ERROR(check_targets());
    note_others();
    for (const OpId op : graph_.ops()) {
      if (regions_.is_replicated[op.index()]) regions_.replicated.push_back(op);
    }
    return std::move(regions_);
  }

 private:
  [[nodiscard]] const Marks& marks() const { return regions_.marks; }
  [[nodiscard]] OpKind kind(OpId op) const { return context_.kind(op); }
  [[nodiscard]] bool is_fed(OpId op) const { return kind(op) == OpKind::kPlaceholder; }

  // Whether the tensors that the user named exist.
  Status check_outputs() const {
    const auto check = [this](std::string_view option, TensorId tensor) {
      return check_output(graph_, context_.tensors, option, tensor);
    };
    for (const TensorId tensor : targets_.split) {
      TIDELINE_RETURN_IF_ERROR(check("{split}", tensor));
    }
    if (targets_.loss) TIDELINE_RETURN_IF_ERROR(check("{loss}", *targets_.loss));
    for (const Prediction& one : targets_.predictions) {
      TIDELINE_RETURN_IF_ERROR(check("{predictions}", one.tensor));
    }
    for (const Metric& metric : targets_.metrics) {
      TIDELINE_RETURN_IF_ERROR(check("{metrics}", metric.value));
    }
    return {};
  }

  // Ops that may be copied although they are, or write, a variable.
  void note_private() {
    for (const MetricVariable& metric : regions_.metrics) {
      is_private_[metric.variable.index()] = true;
      const auto use =
          std::find_if(context_.variables.begin(), context_.variables.end(),
                       [&](const VariableUse& one) { return one.variable == metric.variable; });
      for (const OpId op : use->assigns) is_private_[op.index()] = true;
      // A mean with weights multiplies by ones, and is taken for a gradient.
      for (const OpId op : use->updates) is_private_[op.index()] = true;
      for (const OpId op : use->reads) is_private_[op.index()] = true;
    }
  }

  Status walk() {
    const auto add_root = [this](OpId op, std::string what) {
      roots_.push_back(std::move(what));
      root_ = roots_.size() - 1;
      add(op);
    };
    if (targets_.loss) add_root(targets_.loss->op, "the loss");
    for (const Cut& cut : regions_.update.cuts) {
      if (!regions_.update.is_update[cut.tensor.op.index()]) add_root(cut.tensor.op, "the update");
    }
    for (const Prediction& one : targets_.predictions) {
      if (!marks().of_batch[one.tensor.op.index()]) continue;
      add_root(one.tensor.op, fmt::format("the prediction '{}'", printable(one.key)));
    }
    for (const Metric& metric : targets_.metrics) {
      add_root(metric.update, fmt::format("the metric '{}'", printable(metric.name)));
    }
    for (const MetricVariable& metric : regions_.metrics) {
      for (const OpId op : metric.initializers) add_root(op, "the initializer of a metric");
    }
    roots_.emplace_back("a moving average");
    root_ = roots_.size() - 1;
    for (const OpId writer : regions_.update.writers) {
      TIDELINE_RETURN_IF_ERROR(meet_writer(writer));
    }
    while (!todo_.empty()) {
      const auto [op, root] = todo_.back();
      todo_.pop_back();
      root_ = root;
      TIDELINE_RETURN_IF_ERROR(visit(op));
    }
    return {};
  }
  void add(OpId op) { todo_.emplace_back(op, root_); }

  Status meet_writer(OpId writer) {
    if (std::find(regions_.writers.begin(), regions_.writers.end(), writer) !=
        regions_.writers.end()) {
      return {};
    }
    TIDELINE_RETURN_IF_ERROR(check_moving_average(context_, marks(), writer));
    regions_.writers.push_back(writer);
    if (options_.batch_norm_update == BatchNormUpdate::kFirst) return {};
    for (Cut& cut : moving_average_cuts(context_, marks(), writer)) {
      add(cut.tensor.op);
      regions_.update.cuts.push_back(std::move(cut));
    }
    return {};
  }

  Status visit(OpId op) {
    if (regions_.is_replicated[op.index()] || marks().above[op.index()]) return {};
    if (!is_private_[op.index()]) {
      if (is_fed(op) || context_.is_variable(op) || context_.is_shared_read(op)) return {};
      if (context_.is_writer(op)) {
        if (context_.is_in_loop(op)) return refuse(op, "writes a variable inside a loop");
        if (marks().of_gradient[op.index()]) return refuse_update(op);
        return writes_of_batch(context_, marks(), op) ? meet_writer(op) : Status();
      }
    }
    if (is_after_backward(op)) return refuse_update(op);
    if (kind(op) == OpKind::kQueue || kind(op) == OpKind::kInput) {
      return refuse(op,
                    "takes elements from a queue or data set, and every tower would take others; "
                    "split its output instead ({split})");
    }
    // Tables and the like: what makes a handle from nothing is shared.
    const bool makes_handle = graph_.inputs(op).empty() && kind(op) == OpKind::kHost;
    if (makes_handle) return {};
    if (kind(op) == OpKind::kSave) return refuse(op, "reads or writes files");
    if (const auto why = why_not_called(context_, op)) return refuse(op, *why);
    regions_.is_replicated[op.index()] = true;
    for_each_producer(graph_, context_.facts, context_.stacks, op,
                      [this](OpId producer) { add(producer); });
    for (const OpId input : graph_.control_inputs(op)) {
      // It happens once, and all towers may wait for it.
      if (!is_after_backward(input)) add(input);
    }
    return {};
  }
  [[nodiscard]] bool is_after_backward(OpId op) const {
    return regions_.update.is_update[op.index()] && marks().after_backward[op.index()];
  }

  [[nodiscard]] Status refuse(OpId op, std::string_view why) const {
    return fail(Code::kUnsupported, "op {} is needed by every tower, and {}", shown(graph_, op),
                why);
  }
  [[nodiscard]] Status refuse_update(OpId op) const {
    return fail(Code::kUnsupported,
                "op {} belongs to the update, and {} depends on its result; expected what is "
                "computed before the update",
                shown(graph_, op), roots_[root_]);
  }

  // Inputs of the towers that are not split: either the same for the whole batch, or forgotten.
  Status check_inputs() {
    std::set<TensorId> noted;
    const std::vector<bool> of_input = find_ops_of_input();
    for (const OpId op : graph_.ops()) {
      if (!regions_.is_replicated[op.index()]) continue;
      for (const TensorId input : graph_.inputs(op)) {
        const OpId from = input.op;
        if (regions_.is_replicated[from.index()] || is_split(input)) continue;
        const bool is_given = is_input(from);
        if (!is_given && !(marks().above[from.index()] && of_input[from.index()])) continue;
        if (context_.is_variable(from)) continue;
        const Shape& shape = context_.tensors.shape(input);
        const bool is_whole = shape.rank() == 0 ||
                              (shape.has_rank && shape.dims.front() != kUnknownDim) ||
                              (is_fed(from) && !shape.has_rank);
        if (is_whole && is_given) {
          if (!shape.has_rank && noted.insert(input).second) {
            regions_.notices.push_back(fmt::format(
                "the shape of '{}' is not recorded; every tower gets the whole tensor, which is "
                "wrong if it has an entry for each example ({{split}})",
                graph_.tensor_name(input)));
          }
          continue;
        }
        return fail(Code::kUnsupported,
                    "op {} reads '{}' (shape {}), which may hold a part for every example; "
                    "add it to {{split}}",
                    shown(graph_, op), graph_.tensor_name(input), to_string(shape));
      }
    }
    return {};
  }

  [[nodiscard]] bool is_split(TensorId tensor) const {
    return std::find(targets_.split.begin(), targets_.split.end(), tensor) != targets_.split.end();
  }

  // By op: depends on a placeholder, a queue or a data set.
  [[nodiscard]] std::vector<bool> find_ops_of_input() const {
    OpWalk found(graph_);
    for (const OpId op : graph_.ops()) {
      if (is_input(op)) found.add(op);
    }
    while (const auto op = found.next()) found.add_readers(context_.consumers, *op, Edges::kData);
    return found.take();
  }
  [[nodiscard]] bool is_input(OpId op) const {
    return is_fed(op) || kind(op) == OpKind::kInput || kind(op) == OpKind::kQueue;
  }

  // A model need not read all that it is given: what no tower reads stays whole.
  void find_read() {
    for (const SplitInput& input : targets_.inputs) {
      const bool is_read =
          std::any_of(input.tensors.begin(), input.tensors.end(), [this](TensorId tensor) {
            const auto uses = context_.consumers.data(tensor.op);
            return std::any_of(uses.begin(), uses.end(), [&](Use use) {
              return regions_.is_replicated[use.consumer.index()] &&
                     graph_.inputs(use.consumer)[use.slot] == tensor;
            });
          });
      regions_.is_read.push_back(is_read);
      if (is_read) continue;
      regions_.notices.push_back(fmt::format("{{split}}: no tower reads '{}', which is not split",
                                             graph_.tensor_name(input.tensors.front())));
    }
  }

  // Whether what the user named makes sense for the regions.
  Status check_targets() {
    if (std::find(regions_.is_read.begin(), regions_.is_read.end(), true) ==
        regions_.is_read.end()) {
      return fail(
          Code::kUnsupported,
          "{{split}}: what the towers compute does not depend on '{}'; expected tensors that "
          "they read",
          graph_.tensor_name(targets_.split.front()));
    }
    if (targets_.loss) {
      TIDELINE_RETURN_IF_ERROR(
          check_result(*targets_.loss, "{loss}", marks().of_batch[targets_.loss->op.index()]));
    }
    for (const Prediction& one : targets_.predictions) {
      if (!marks().of_batch[one.tensor.op.index()]) {
        regions_.notices.push_back(fmt::format(
            "{{predictions}}: '{}' does not depend on what the towers read, and stays as "
            "it is",
            graph_.tensor_name(one.tensor)));
        continue;
      }
      TIDELINE_RETURN_IF_ERROR(check_result(one.tensor, "{predictions}", true));
      if (context_.tensors.shape(one.tensor).rank() != 0) continue;
      return fail(
          Code::kUnsupported,
          "{{predictions}}: '{}' is a scalar; expected a tensor whose first dimension is the "
          "batch",
          graph_.tensor_name(one.tensor));
    }
    for (const Metric& metric : targets_.metrics) {
      TIDELINE_RETURN_IF_ERROR(check_result({metric.update, 0}, "{metrics}", true));
      if (waits_for_batch(metric.update)) continue;
      regions_.notices.push_back(
          fmt::format("{{metrics}}: the update of '{}' does not depend on a tensor that is split",
                      printable(metric.name)));
    }
    for (const Cut& cut : regions_.update.cuts) {
      const OpId op = cut.tensor.op;
      if (context_.frames.output_frame(op) != 0) {
        return fail(Code::kUnsupported, "op {} is read by the update inside a loop",
                    shown(graph_, op));
      }
      if (cut.kind == CutKind::kIndices || regions_.is_replicated[op.index()]) continue;
      return fail(Code::kUnsupported,
                  "the update reads '{}', which is shared by the towers although it depends on the "
                  "batch",
                  graph_.tensor_name(cut.tensor));
    }
    return {};
  }

  Status check_result(TensorId tensor, std::string_view option, bool is_of_batch) const {
    const std::string name = graph_.tensor_name(tensor);
    if (!regions_.is_replicated[tensor.op.index()] || !is_of_batch) {
      return fail(Code::kUnsupported, "{}: '{}' does not depend on a tensor that is split", option,
                  name);
    }
    if (context_.frames.output_frame(tensor.op) != 0) {
      return fail(Code::kUnsupported, "{}: '{}' is inside a loop", option, name);
    }
    return {};
  }
  // The update of a metric may depend on the batch over control edges alone: a group of updates, or
  // a read of a resource variable that waits for the write.
  [[nodiscard]] bool waits_for_batch(OpId update) const {
    OpWalk walk(graph_);
    walk.add(update);
    while (const auto op = walk.next()) {
      if (!regions_.is_replicated[op->index()]) continue;
      if (marks().of_batch[op->index()]) return true;
      walk.add_inputs(*op, Edges::kDataAndControl);
    }
    return false;
  }

  void note_others() {
    if (!targets_.train_op.valid()) return;
    std::int64_t others = 0;
    OpId first;
    for (const OpId op : context_.phases.updates) {
      if (regions_.update.is_update[op.index()] || !marks().of_gradient[op.index()]) continue;
      if (others++ == 0) first = op;
    }
    if (others == 0) return;
    regions_.notices.push_back(fmt::format(
        "{} writes of gradients are not part of the train op and see the first tower's part of the "
        "batch alone; the first is {}",
        others, shown(graph_, first)));
  }

  const Context& context_;
  const Graph& graph_;
  const Targets& targets_;
  const ReplicateOptions& options_;
  Regions regions_;
  std::vector<bool> is_private_;    // by op: of a metric's variable
  std::vector<std::string> roots_;  // what towers are made for
  std::size_t root_ = 0;            // for which of them an op is met
  std::vector<std::pair<OpId, std::size_t>> todo_;
};

}  // namespace

Result<Regions> find_regions(const Context& context, const Targets& targets,
                             const ReplicateOptions& options) {
  return RegionSearch(context, targets, options).run();
}

}  // namespace tideline::replicate
