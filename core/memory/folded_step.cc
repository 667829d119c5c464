// Problem: which ops fold is known for the graph of the file (core/analysis/as_run/folding.h); a
// plan changes what they read, and a step runs only part of them.
// Idea: four passes over the step. Conditionals lose the branch that is not taken. Folded ops,
// producers first, are replaced by what they stand for, unless the plan gave them other inputs.
// Then, from the fetches back, an op without side effects that others only wait for loses its
// outputs: it need not compute anything. Last, edges go past ops that only wait or hand on
// (bypass.h). Copies of swaps are marked so that TensorFlow keeps them, whether or not something
// reads them: an op whose constant was computed from one waits for it. Cost: O(ops + edges).
// Source: own; what TensorFlow does is said in folding.cc and bypass.cc. Tested by
// unit/memory/folded_step_test.cc.
#include "core/memory/folded_step.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/memory/bypass.h"
#include "core/memory/step_schedule.h"
#include "core/memory/taken_branches.h"

namespace tideline {
namespace {

// What the step wants of an op: nothing, to know when it has run, or its outputs.
enum class Need : std::uint8_t { kNothing, kEnd, kValue };

constexpr Bytes kSmall = 256;  // of a shape, or of axes

class StepFold {
 public:
  StepFold(const Folding& folding, StepGraph& step)
      : folding_(folding),
        step_(step),
        same_(step.tensors.size()),
        is_fetched_(step.ops.size()),
        small_from_copy_(step.ops.size()),
        reads_constants_(step.ops.size()),
        passes_(step.ops.size()),
        hands_on_(step.ops.size()),
        need_(step.ops.size()) {
    std::iota(same_.begin(), same_.end(), 0U);
    producers_first_ = by_level(step.file_levels);
    for (const OpId op : step.fetches) is_fetched_[op.index()] = true;
  }

  void run() {
    instead_.resize(step_.ops.size());
    find_small_from_copies();
    for (const FoldedOp& folded : folding_.ops) {
      if (is_fetched_[folded.op.index()] || step_.file_levels[folded.op.index()] < 0) continue;
      switch (folded.fold) {
        case Fold::kConstant: make_constant(folded); break;
        case Fold::kPassedOn: pass_on(folded); break;
        case Fold::kMerged: merge(folded); break;
      }
    }
    for (StepInput& input : step_.inputs) {
      if (!input.is_back_edge) input.tensor = same_[input.tensor];
    }
    read_past_reshapes();
    // Who waited for an op that does not run waits for the one that has its value.
    for (OpId& op : step_.controls) {
      while (instead_[op.index()].valid()) op = instead_[op.index()];
    }
    leave_out_unread();
    std::vector<OpId> order = producers_first_;
    std::erase_if(order, [&](OpId op) { return need_[op.index()] == Need::kNothing; });
    bypass(order, passes_, *folding_.graph, step_);
  }

 private:
  void make_constant(const FoldedOp& folded) {
    StepOp& entry = step_.ops[folded.op.index()];
    const auto inputs = step_.inputs_of(folded.op);
    reads_constants_[folded.op.index()] =
        std::all_of(inputs.begin(), inputs.end(),
                    [this](const StepInput& input) { return is_there(source_of(input)); });
    make_pinned(entry);
    if (!folded.twin.valid()) return;
    const OpId twin = first_in_step(folded);
    if (twin == folded.op || !can_share(folded.op, twin)) return;
    const StepOp& other = step_.ops[twin.index()];
    same_[entry.first_tensor] = same_[other.first_tensor];
    instead_[folded.op.index()] = twin;
  }
  void make_pinned(StepOp& entry) {
    read_nothing(entry);
    for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
      StepTensor& tensor = step_.tensors[entry.first_tensor + slot];
      tensor.is_pinned = true;
      tensor.kind = MemoryKind::kConstant;
    }
  }
  // Of several with one value the first that the step needs stands for the others.
  OpId first_in_step(const FoldedOp& folded) {
    if (step_.file_levels[folded.twin.index()] >= 0) return folded.twin;
    return first_of_.try_emplace(folded.twin, folded.op).first->second;
  }
  [[nodiscard]] OpId source_of(const StepInput& input) const {
    return step_.producer_of[same_[input.tensor]];
  }
  // Whether it is a constant that waits for nothing.
  [[nodiscard]] bool is_there(OpId op) const {
    const StepOp& entry = step_.ops[op.index()];
    if (entry.tensor_count == 0 || entry.control_count > 0) return false;
    const StepTensor& tensor = step_.tensors[entry.first_tensor];
    return tensor.is_pinned && tensor.kind == MemoryKind::kConstant &&
           (entry.input_count == 0 || reads_constants_[op.index()]);
  }
  // Constants of one value in one place.
  [[nodiscard]] bool can_share(OpId op, OpId twin) const {
    if (!is_there(op) || !is_there(twin)) return false;
    const StepOp& one = step_.ops[op.index()];
    const StepOp& other = step_.ops[twin.index()];
    return one.tensor_count == 1 && other.tensor_count == 1 &&
           step_.tensors[one.first_tensor].home == step_.tensors[other.first_tensor].home;
  }

  void pass_on(const FoldedOp& folded) {
    const auto inputs = step_.inputs_of(folded.op);
    const StepOp& entry = step_.ops[folded.op.index()];
    if (inputs.empty() || entry.tensor_count == 0) return;
    const StepInput& input = inputs.front();
    if (input.space != step_.tensors[entry.first_tensor].home) return;
    // Behind a copy of the plan: Grappler looks past ops of one device only.
    if (step_.ops[step_.producer_of[input.tensor].index()].space != entry.space) return;
    // True unless the file has a cycle.
    const OpId source = source_of(input);
    if (step_.file_levels[source.index()] >= step_.file_levels[folded.op.index()]) return;
    const bool waits = waits_for_copy(inputs.subspan(1));
    if (waits) hand_on(folded.op);
    if (waits || entry.control_count > 0) {
      passes_[folded.op.index()] = true;
      return;
    }
    same_[entry.first_tensor] = same_[input.tensor];
    instead_[folded.op.index()] = source;
  }

  // A Reshape of a Reshape reads what the first one reads.
  void read_past_reshapes() {
    const Graph& graph = *folding_.graph;
    std::vector<bool> is_reshape(step_.ops.size());
    for (const OpId op : producers_first_) {
      const StepOp& entry = step_.ops[op.index()];
      if (op.index() >= graph.op_count() || graph.type(op) != "Reshape") continue;
      if (instead_[op.index()].valid() || entry.only_waits || entry.input_count == 0) continue;
      is_reshape[op.index()] = !passes_[op.index()] && entry.control_count == 0;
      StepInput& input = step_.inputs[entry.first_input];
      const OpId from = source_of(input);
      if (!is_reshape[from.index()] || is_fetched_[from.index()]) continue;
      const StepInput& first = step_.inputs_of(from).front();
      if (first.space == input.space) input.tensor = first.tensor;
    }
  }

  // What becomes known of shapes and axes still waits for what it was computed from.
  void find_small_from_copies() {
    if (std::none_of(step_.ops.begin(), step_.ops.end(),
                     [](const StepOp& op) { return op.is_kept; })) {
      return;
    }
    for (const OpId op : producers_first_) {
      const StepOp& entry = step_.ops[op.index()];
      const auto outputs = std::span(step_.tensors).subspan(entry.first_tensor, entry.tensor_count);
      small_from_copy_[op.index()] =
          std::all_of(outputs.begin(), outputs.end(),
                      [](const StepTensor& output) { return output.bytes <= kSmall; }) &&
          waits_for_copy(step_.inputs_of(op));
    }
  }
  [[nodiscard]] bool waits_for_copy(std::span<const StepInput> inputs) const {
    return std::any_of(inputs.begin(), inputs.end(), [this](const StepInput& input) {
      const OpId op = step_.producer_of[input.tensor];
      return step_.ops[op.index()].is_kept || small_from_copy_[op.index()];
    });
  }
  // Makes the op an Identity of its first input, which waits for the others.
  void hand_on(OpId op) {
    hands_on_[op.index()] = true;
    StepOp& entry = step_.ops[op.index()];
    for (std::uint32_t i = 1; i < entry.input_count; ++i) {
      step_.inputs[entry.first_input + i].space = Space::kElsewhere;
    }
    entry.scratch = 0;
    entry.flops = 0;
    entry.runs_kernel = entry.is_expensive = false;
    entry.first_link = static_cast<std::uint32_t>(step_.links.size());
    entry.link_count = 1;
    step_.links.push_back({.output = 0, .input = 0, .is_alias = true});
  }

  void merge(const FoldedOp& folded) {
    const OpId twin = first_in_step(folded);
    if (twin == folded.op) return;
    const StepOp& entry = step_.ops[folded.op.index()];
    const StepOp& other = step_.ops[twin.index()];
    if (entry.tensor_count != other.tensor_count || !read_the_same(folded.op, twin)) return;
    for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
      same_[entry.first_tensor + slot] = same_[other.first_tensor + slot];
    }
    instead_[folded.op.index()] = twin;
  }
  [[nodiscard]] bool read_the_same(OpId op, OpId twin) const {
    if (!std::ranges::equal(step_.controls_of(op), step_.controls_of(twin))) return false;
    const auto source = [this](const StepInput& input) { return same_[input.tensor]; };
    return std::ranges::equal(step_.inputs_of(op), step_.inputs_of(twin), {}, source, source) ||
           read_by(op) == read_by(twin);
  }

  // Sorted, because the inputs of a sum may come in any order.
  [[nodiscard]] std::vector<std::uint32_t> read_by(OpId op) const {
    std::vector<std::uint32_t> tensors;
    for (const StepInput& input : step_.inputs_of(op)) tensors.push_back(same_[input.tensor]);
    std::sort(tensors.begin(), tensors.end());
    return tensors;
  }

  // An op without side effects that others only wait for computes nothing; it waits in its turn.
  void leave_out_unread() {
    std::vector<Need>& need = need_;
    std::vector<OpId> waiting;
    const auto raise = [&](OpId op, Need to) {
      const StepOp& entry = step_.ops[op.index()];
      if (!entry.is_pure || entry.is_kept) to = Need::kValue;
      if (need[op.index()] >= to) return;
      need[op.index()] = to;
      waiting.push_back(op);
    };
    for (const OpId op : step_.fetches) raise(op, Need::kValue);
    while (!waiting.empty()) {
      const OpId op = waiting.back();
      waiting.pop_back();
      const auto inputs = step_.inputs_of(op);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const bool reads = !step_.ops[op.index()].only_waits && (i == 0 || !hands_on_[op.index()]);
        raise(step_.producer_of[inputs[i].tensor], reads ? need[op.index()] : Need::kEnd);
      }
      for (const OpId control : step_.controls_of(op)) raise(control, Need::kEnd);
    }
    for (std::size_t op = 0; op < need.size(); ++op) {
      if (need[op] != Need::kEnd) continue;
      read_nothing(step_.ops[op]);
      step_.ops[op].tensor_count = 0;
    }
  }
  void read_nothing(StepOp& entry) {
    entry.only_waits = true;
    entry.link_count = 0;
    entry.scratch = 0;
    entry.flops = 0;
    entry.runs_kernel = entry.is_expensive = false;
    for (std::uint32_t i = 0; i < entry.input_count; ++i) {
      step_.inputs[entry.first_input + i].space = Space::kElsewhere;
    }
  }

  const Folding& folding_;
  StepGraph& step_;
  std::vector<std::uint32_t> same_;  // by tensor
  std::vector<OpId> instead_;        // by op; invalid where it runs
  std::map<OpId, OpId> first_of_;    // by a twin that does not run
  std::vector<bool> is_fetched_;
  std::vector<bool> small_from_copy_;  // by op: of few bytes, computed from a copy that is kept
  std::vector<bool> reads_constants_;  // by op: became a constant, and reads such as are there
  std::vector<bool> passes_;           // by op: reads one tensor, waits, and hands that tensor on
  std::vector<bool> hands_on_;         // of these, those that wait for all inputs but the first
  std::vector<Need> need_;
  std::vector<OpId> producers_first_;
};

}  // namespace

// Where a loop's rounds are not known, the step has each op of it once; what reads a result of the
// loop runs after all of them.
static void end_loops(const Folding& folding, StepGraph& step) {
  for (const Folding::LoopEnds& loop : folding.loops) {
    for (const OpId exit : loop.exits) {
      StepOp& entry = step.ops[exit.index()];
      std::vector<OpId> controls(step.controls_of(exit).begin(), step.controls_of(exit).end());
      std::ranges::copy_if(loop.next_iterations, std::back_inserter(controls),
                           [&](OpId op) { return step.file_levels[op.index()] >= 0; });
      entry.first_control = static_cast<std::uint32_t>(step.controls.size());
      entry.control_count = static_cast<std::uint32_t>(controls.size());
      step.controls.insert(step.controls.end(), controls.begin(), controls.end());
    }
  }
}

void fold(std::shared_ptr<const Folding> folding, StepGraph& step) {
  step.file_levels = step_levels(step);
  take_branches(*folding, step);
  if (!folding->is_done) StepFold(*folding, step).run();
  if (!step.rounds) end_loops(*folding, step);
  for (const OpId op : folding->fed) {
    const StepOp& entry = step.ops[op.index()];
    for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
      step.tensors[entry.first_tensor + slot].is_fed = true;
    }
  }
  step.folding = std::move(folding);
}

StepGraph folded(std::shared_ptr<const StepGraph> unfolded,
                 std::shared_ptr<const Folding> folding) {
  StepGraph step = *unfolded;
  fold(std::move(folding), step);
  step.unfolded = std::move(unfolded);
  return step;
}

Result<StepGraph> with_fetches(const StepGraph& step, const Graph& graph,
                               const Collections& collections,
                               const std::vector<std::string>& fetches) {
  TIDELINE_TRY(Fetches found, find_fetches(graph, collections, fetches));
  StepGraph changed = step.unfolded != nullptr ? *step.unfolded : step;
  changed.fetches = std::move(found.ops);
  changed.fetch_rule = found.rule;
  if (step.unfolded == nullptr) return changed;
  return folded(std::make_shared<const StepGraph>(std::move(changed)), step.folding);
}

}  // namespace tideline
