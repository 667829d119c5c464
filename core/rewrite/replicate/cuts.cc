// Problem: between the towers and the optimizer lies a border. Before it, every tower computes its
// own; behind it, things happen once: clipping, removing duplicate rows, the writes, the counters
// of steps. Tensors that cross it are aggregated. Idea: the update is everything that the train op
// needs, up to the backward pass and up to forward ops that depend on the batch. What it reads from
// there is cut. Dense gradients are added. The gradient of an embedding is a pair (values, row
// numbers), of which both are concatenated, before the optimizer removes duplicates; adding them
// would pair values of one tower with rows of another.
//   towers    MatMul_grad -> g           Gather_grad -> v, i
//   update    ApplyAdam(w, ..., AddN(g)) Unique(concat(i)), UnsortedSegmentSum(concat(v), .)
// Pairs are found from the ops that take both: scatters, sparse steps, segment sums. From their
// values the search goes back through elementwise ops, because a learning rate or a factor of
// clipping may be multiplied first; from their row numbers, through Unique.
// Cost: O(ops + edges) for the region; the searches visit elementwise ops of the update only.
// Limits: an integer that is used otherwise, or an activation, is refused rather than guessed.
// Source: what TensorFlow's replicate_model_fn did to the gradients of an optimizer, done here to a
// finished graph; pairing is our own. Tested by unit/rewrite/replicate/regions_test.cc
// and integration/replicate_test.py.
#include "core/rewrite/replicate/cuts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/graph/element_type.h"
#include "core/graph/walks.h"

namespace tideline::replicate {
namespace {

class UpdateSearch {
 public:
  UpdateSearch(const Context& context, const Marks& marks, const Targets& targets)
      : context_(context),
        graph_(context.graph),
        marks_(marks),
        targets_(targets),
        behind_writes_(graph_),
        passed_(graph_),
        of_loss_(graph_) {
    region_.is_update.resize(graph_.op_count());
    for (const std::string_view type : graph_.types()) {
      is_unique_.push_back(type.starts_with("Unique"));
      is_size_.push_back(type == "Size" || type == "Shape" || type == "StridedSlice");
      is_segment_sum_.push_back(type == "UnsortedSegmentSum");
    }
  }

  Result<UpdateRegion> run() {
    find_behind_writes();
    find_region();
    find_cuts();
    pair_rows();
    TIDELINE_RETURN_IF_ERROR(check_cuts());
    for (auto& [tensor, cut] : cuts_) {
      cut.variables = trained_with(cut);
      region_.cuts.push_back(std::move(cut));
    }
    std::sort(region_.writers.begin(), region_.writers.end());
    return std::move(region_);
  }

 private:
  [[nodiscard]] bool in_update(OpId op) const { return region_.is_update[op.index()]; }
  [[nodiscard]] bool is_gradient(OpId op) const {
    return marks_.backward[op.index()] &&
           (marks_.of_seed[op.index()] || marks_.of_batch[op.index()]);
  }

  // Whether it is the optimizer that makes row numbers unique or counts what is left, not the
  // forward pass. They come from the batch, not from a gradient.
  [[nodiscard]] bool removes_duplicates(OpId op) {
    constexpr int kMostSteps = 3;  // StridedSlice of Shape of Unique
    for (int step = 0;
         step < kMostSteps && is_size_[graph_.type_id(op)] && !graph_.inputs(op).empty(); ++step) {
      op = graph_.inputs(op)[0].op;
    }
    if (!is_unique_[graph_.type_id(op)] || !targets_.loss) return false;
    of_loss_.add(targets_.loss->op);
    while (const auto next = of_loss_.next()) of_loss_.add_inputs(*next, Edges::kData);
    return !of_loss_.has(op);
  }

  void find_region() {
    OpWalk walk(graph_);
    walk.add(targets_.train_op);
    while (const auto next = walk.next()) {
      const OpId op = *next;
      if (marks_.above[op.index()]) continue;
      if (is_gradient(op)) {
        for (const OpId update : updates_before(op)) walk.add(update);
        continue;
      }
      if (writes_of_batch(context_, marks_, op)) {
        // Its value belongs to the forward pass, but what it waits for may be the update.
        region_.writers.push_back(op);
        for (const OpId input : graph_.control_inputs(op)) walk.add(input);
        continue;
      }
      const bool is_forward = marks_.of_batch[op.index()] && !marks_.after_backward[op.index()] &&
                              !removes_duplicates(op);
      if (is_forward && op != targets_.train_op) continue;
      region_.is_update[op.index()] = true;
      walk.add_inputs(op, Edges::kDataAndControl);
    }
  }

  // Ops that write gradients, and those behind them. Gradients that nobody applies are not.
  void find_behind_writes() {
    const auto add = [&](OpId op) {
      if (!marks_.backward[op.index()]) behind_writes_.add(op);
    };
    for (const OpId op : graph_.ops()) {
      if (context_.is_writer(op) && marks_.of_gradient[op.index()]) add(op);
    }
    while (const auto op = behind_writes_.next()) {
      for (const Use use : context_.consumers.data(*op)) add(use.consumer);
      for (const OpId waiter : context_.consumers.control(*op)) add(waiter);
    }
  }

  // A second optimizer may begin its backward pass when the first has made its step.
  std::vector<OpId> updates_before(OpId gradient) {
    std::vector<OpId> found;
    passed_.add(gradient);
    while (const auto op = passed_.next()) {
      if (marks_.above[op->index()]) continue;
      passed_.add_inputs(*op, Edges::kData);
      for (const OpId input : graph_.control_inputs(*op)) {
        if (behind_writes_.has(input)) {
          found.push_back(input);
        } else {
          passed_.add(input);
        }
      }
    }
    return found;
  }

  void find_cuts() {
    for (const OpId op : graph_.ops()) {
      if (!in_update(op)) continue;
      const auto inputs = graph_.inputs(op);
      for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
        const OpId from = inputs[slot].op;
        if (in_update(from)) continue;
        if (is_gradient(from) || marks_.of_batch[from.index()]) add_use(inputs[slot], {op, slot});
      }
    }
  }

  void add_use(TensorId tensor, CutUse use) {
    Cut& cut = cuts_[tensor];
    cut.tensor = tensor;
    cut.uses.push_back(use);
    used_.emplace(use.reader.value, use.slot);
  }
  [[nodiscard]] bool is_cut(OpId reader, std::uint32_t slot) const {
    return used_.contains({reader.value, slot});
  }

  void pair_rows() {
    for (const OpId op : graph_.ops()) {
      if (!in_update(op)) continue;
      const OpFacts& facts = context_.of(op);
      std::set<TensorId> values;
      std::optional<std::uint32_t> indices;
      if (is_segment_sum_[graph_.type_id(op)]) {
        indices = 1;
        find_values(op, 0, values);
      } else if (context_.is_writer(op) && facts.indices) {
        Arguments arguments = facts.gradients;
        if (facts.value) arguments.push_back(*facts.value);
        indices = facts.indices;
        context_.facts.for_each_slot(graph_, op, arguments,
                                     [&](std::uint32_t slot) { find_values(op, slot, values); });
      }
      if (!indices || values.empty()) continue;
      for (const TensorId tensor : values) cuts_[tensor].kind = CutKind::kRows;
      cut_indices(op, *indices);
    }
  }

  // The cut tensors with the same rows as input `slot`.
  void find_values(OpId reader, std::uint32_t slot, std::set<TensorId>& found) {
    std::set<std::uint32_t> seen;
    std::vector<CutUse> todo = {{reader, slot}};
    while (!todo.empty()) {
      const CutUse use = todo.back();
      todo.pop_back();
      if (use.slot >= graph_.inputs(use.reader).size()) continue;
      const TensorId tensor = graph_.inputs(use.reader)[use.slot];
      if (is_cut(use.reader, use.slot)) {
        // A scalar is a factor of all rows.
        if (context_.tensors.shape(tensor).rank() != 0) found.insert(tensor);
        continue;
      }
      const OpKind kind = context_.kind(tensor.op);
      const bool keeps_rows = kind == OpKind::kElementwise || kind == OpKind::kCheck ||
                              (kind == OpKind::kView && graph_.inputs(tensor.op).size() == 1);
      if (!in_update(tensor.op) || !keeps_rows || !seen.insert(tensor.op.value).second) continue;
      for (std::uint32_t i = 0; i < graph_.inputs(tensor.op).size(); ++i) {
        todo.push_back({tensor.op, i});
      }
    }
  }

  // Cuts what the row numbers in input `slot` come from, whether or not they depend on the batch.
  void cut_indices(OpId reader, std::uint32_t slot) {
    constexpr int kMostSteps = 64;  // copies and casts between a gradient and its optimizer
    for (int step = 0; step < kMostSteps; ++step) {
      const auto inputs = graph_.inputs(reader);
      if (slot >= inputs.size()) return;
      const TensorId tensor = inputs[slot];
      if (is_cut(reader, slot)) {
        cuts_[tensor].kind = CutKind::kIndices;
        return;
      }
      const OpKind kind = context_.kind(tensor.op);
      const bool passes = is_unique_[graph_.type_id(tensor.op)] || kind == OpKind::kView ||
                          kind == OpKind::kElementwise;
      if (in_update(tensor.op) && passes && !graph_.inputs(tensor.op).empty()) {
        reader = tensor.op;
        slot = 0;
        continue;
      }
      add_use(tensor, {reader, slot});
      cuts_[tensor].kind = CutKind::kIndices;
      return;
    }
  }

  // Whether elements of the type cannot be gradients: integers, flags, texts.
  [[nodiscard]] static bool is_no_gradient(DataType type) {
    switch (element_family(base_type(type))) {
      case ElementFamily::kSigned:
      case ElementFamily::kUnsigned:
      case ElementFamily::kBool: return true;
      default: return base_type(type) == DataType::kString;
    }
  }

  Status check_cuts() const {
    bool any_gradient = false;
    for (const auto& [tensor, cut] : cuts_) {
      const bool is_sum = marks_.of_seed[tensor.op.index()];
      any_gradient = any_gradient || (is_sum && goes_into_write(cut));
      if (cut.kind == CutKind::kIndices) continue;
      const OpId reader = cut.uses.front().reader;
      if (is_no_gradient(context_.tensors.type(tensor))) {
        return fail(Code::kUnsupported,
                    "op {} of the update reads '{}', {} of the batch that are no row numbers; "
                    "expected floating-point gradients, which can be added over the towers",
                    shown(graph_, reader), graph_.tensor_name(tensor),
                    data_type_name(base_type(context_.tensors.type(tensor))));
      }
      // A loss that the train op hands on is added like the others; a learning rate must not be.
      if (!is_sum && (context_.tensors.shape(tensor).rank() != 0 || goes_into_write(cut))) {
        return fail(Code::kUnsupported,
                    "op {} of the update reads '{}', which depends on the batch and is no "
                    "gradient; expected gradients, which can be added over the towers",
                    shown(graph_, reader), graph_.tensor_name(tensor));
      }
    }
    if (any_gradient) return {};
    return fail(Code::kUnsupported,
                "{{train-op}}: {} applies no gradient; expected an op that trains, "
                "or {{gradient-scope}} where the backward pass is not recognised",
                shown(graph_, targets_.train_op));
  }

  // Whether a write of the update depends on the tensor.
  [[nodiscard]] bool goes_into_write(const Cut& cut) const {
    std::set<std::uint32_t> seen;
    std::vector<OpId> todo;
    const auto add = [&](OpId op) {
      if (in_update(op) && seen.insert(op.value).second) todo.push_back(op);
    };
    for (const CutUse& use : cut.uses) add(use.reader);
    while (!todo.empty()) {
      const OpId op = todo.back();
      todo.pop_back();
      if (context_.is_writer(op)) return true;
      for (const Use use : context_.consumers.data(op)) add(use.consumer);
    }
    return false;
  }

  // Follows the tensor to the writes that it goes into, but not through reductions: the norm of all
  // gradients goes into all writes.
  std::vector<OpId> trained_with(const Cut& cut) const {
    std::set<std::uint32_t> seen;
    std::vector<OpId> todo;
    std::set<OpId> variables;
    const auto visit = [&](OpId op) {
      if (!in_update(op) || !seen.insert(op.value).second) return;
      if (const VariableUse* use = context_.written_by(op)) {
        if (use->role == VariableRole::kTrainable) variables.insert(use->variable);
        if (use->slot_of.valid()) variables.insert(use->slot_of);
        return;
      }
      const bool reduces =
          context_.kind(op) == OpKind::kReduce && !is_segment_sum_[graph_.type_id(op)];
      if (!reduces) todo.push_back(op);
    };
    for (const CutUse& use : cut.uses) visit(use.reader);
    while (!todo.empty()) {
      const OpId op = todo.back();
      todo.pop_back();
      for (const Use use : context_.consumers.data(op)) visit(use.consumer);
    }
    return {variables.begin(), variables.end()};
  }

  const Context& context_;
  const Graph& graph_;
  const Marks& marks_;
  const Targets& targets_;
  OpWalk behind_writes_;
  OpWalk passed_;                     // what they wait for was looked at
  OpWalk of_loss_;                    // the loss needs them; empty until asked for
  std::vector<bool> is_unique_;       // by type id
  std::vector<bool> is_size_;         // by type id: tells how many rows there are
  std::vector<bool> is_segment_sum_;  // by type id
  UpdateRegion region_;
  std::map<TensorId, Cut> cuts_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> used_;  // reader and slot
};

}  // namespace

Result<UpdateRegion> find_update_region(const Context& context, const Marks& marks,
                                        const Targets& targets) {
  return UpdateSearch(context, marks, targets).run();
}

}  // namespace tideline::replicate
