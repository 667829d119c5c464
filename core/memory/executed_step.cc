// Problem: the faithful model runs every op of a graph once, in its own order. A traced step ran
//   other ops (fused, folded, not fetched), in another order, and the body of a loop many times.
// Idea: make each execution an op, and give it the inputs that it really read: the k-th round reads
//   what the k-th round made. Values are tokens on the edges, as in the executor:
//   - an op that ran as often as its producer reads the token of its own number;
//   - what was made once is read by every round; else the newest token before the op is read;
//   - a Switch gives a token to one side only, as its recorded outputs say;
//   - a Merge takes the oldest token that it has not taken, from whichever input.
//   loop of 3 rounds: Merge ran 4 times and reads Enter, then NextIteration 0, 1, 2.
//   No edge leads from a push to its pop, nor from a TensorArray's write to its read: containers
//   do.
// Cost: O(executions * inputs), and once for each op that did not run a walk over those before it.
// Limits: rounds of one loop that overtake each other, and constants of an inner loop while rounds
//   of the outer one overlap, may be taken for one another; sizes are mostly the same then.
// Source: TensorFlow's executor (behaviour only). Tested by unit/memory/executed_step_test.cc.
#include "core/memory/executed_step.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/memory/containers.h"

namespace tideline {
namespace {

constexpr std::uint32_t kBefore = 0;  // op, and its only tensor
constexpr std::uint32_t kNone = ExecutedStep::kNone;
// Ops that did not run and that a reader is followed through.
constexpr std::size_t kMostFollowed = 256;

// What an op reads once those that did not run are taken out; tensors of the graph.
struct Sources {
  struct Slot {
    bool runs = false;    // the producer of this slot
    bool is_fed = false;  // its value was there before the step
  };
  bool is_known = false;
  std::vector<Slot> slots;        // declared inputs
  std::vector<TensorId> through;  // read through ops that did not run
  std::vector<OpId> controls;
};

class Unroller {
 public:
  Unroller(const Graph& graph, const StepGraph& step, const OpFactsTable& facts,
           const StepTrace& trace, const MeasuredStep& measured)
      : graph_(graph),
        step_(step),
        facts_(facts),
        trace_(trace),
        measured_(measured),
        is_cpu_(is_cpu_device(measured.device)),
        containers_(graph, facts) {}

  ExecutedStep run() {
    find_runs();
    find_fed();
    sources_.resize(graph_.op_count());
    add_before();
    for (std::uint32_t at = 1; at < out_.execution_of.size(); ++at) add_execution(at);
    add_end();
    finish();
    return std::move(out_);
  }

 private:
  [[nodiscard]] OpKind kind(OpId op) const { return facts_.of(graph_, op).kind; }
  [[nodiscard]] OpId op_of(std::uint32_t at) const {
    return measured_.executions[out_.execution_of[at]].op;
  }
  [[nodiscard]] const TracedOp& row_of(std::uint32_t at) const {
    return trace_.ops[measured_.executions[out_.execution_of[at]].row];
  }
  [[nodiscard]] bool runs(OpId op) const {
    return first_run_[op.index()] != first_run_[op.index() + 1];
  }
  [[nodiscard]] std::span<const std::uint32_t> runs_of(OpId op) const {
    return {runs_.data() + first_run_[op.index()],
            first_run_[op.index() + 1] - first_run_[op.index()]};
  }

  void find_runs() {
    out_.execution_of.push_back(kNone);
    out_.op_at.assign(measured_.executions.size(), kNone);
    first_run_.assign(graph_.op_count() + std::size_t{1}, 0);
    for (std::uint32_t i = 0; i < measured_.executions.size(); ++i) {
      const OpId op = measured_.executions[i].op;
      if (!op.valid()) continue;
      out_.op_at[i] = static_cast<std::uint32_t>(out_.execution_of.size());
      out_.execution_of.push_back(i);
      ++first_run_[op.index() + 1];
    }
    for (std::size_t i = 1; i < first_run_.size(); ++i) first_run_[i] += first_run_[i - 1];
    runs_.resize(first_run_.back());
    number_of_.resize(out_.execution_of.size());
    std::vector<std::uint32_t> next(first_run_.begin(), first_run_.end() - 1);
    for (std::uint32_t at = 1; at < out_.execution_of.size(); ++at) {
      const OpId op = op_of(at);
      number_of_[at] = next[op.index()] - first_run_[op.index()];
      runs_[next[op.index()]++] = at;
    }
    for (const OpId op : graph_.ops()) {
      if (kind(op) == OpKind::kSwitch && runs(op)) find_sides(op);
    }
  }

  // The executions of a Switch that gave a value to each of its outputs.
  void find_sides(OpId op) {
    for (const std::uint32_t at : runs_of(op)) {
      for (const TracedOutput& output : trace_.outputs_of(row_of(at))) {
        if (output.slot >= step_.ops[op.index()].tensor_count) continue;
        auto& side = sides_[step_.tensor({op, output.slot})];
        if (side.empty() || side.back() != at) side.push_back(at);
      }
    }
  }

  // "_arg_x_0_3" brings output 0 of x, which then does not run.
  void find_fed() {
    fed_.assign(graph_.op_count(), false);
    for (const OpId op : graph_.ops()) fed_[op.index()] = kind(op) == OpKind::kPlaceholder;
    for (const MeasuredExecution& execution : measured_.executions) {
      std::string_view name = trace_.ops[execution.row].name;
      if (!name.starts_with("_arg_")) continue;
      name.remove_prefix(5);
      for (int i = 0; i < 2; ++i) name = name.substr(0, name.rfind('_'));
      const OpId op = graph_.find(name);
      if (op.valid()) fed_[op.index()] = true;
    }
  }

  const Sources& sources_of(OpId op) {
    Sources& sources = sources_[op.index()];
    const auto inputs = graph_.inputs(op);
    if (sources.is_known) return sources;
    sources.is_known = true;
    std::vector<OpId> skipped;
    for (const TensorId input : inputs) {
      const bool is_there = runs(input.op);
      sources.slots.push_back({is_there, !is_there && fed_[input.op.index()]});
      if (!is_there) skipped.push_back(input.op);
    }
    for (const OpId control : graph_.control_inputs(op)) {
      if (runs(control)) {
        sources.controls.push_back(control);
      } else {
        skipped.push_back(control);
      }
    }
    follow(std::move(skipped), sources);
    return sources;
  }

  void follow(std::vector<OpId> skipped, Sources& sources) const {
    for (std::size_t i = 0; i < skipped.size() && skipped.size() < kMostFollowed; ++i) {
      const OpId op = skipped[i];
      const auto reach = [&](OpId from) {
        const bool is_new = std::find(skipped.begin(), skipped.end(), from) == skipped.end();
        if (is_new) skipped.push_back(from);
      };
      if (fed_[op.index()]) continue;
      for (const TensorId input : graph_.inputs(op)) {
        if (!runs(input.op)) {
          reach(input.op);
        } else if (std::find(sources.through.begin(), sources.through.end(), input) ==
                   sources.through.end()) {
          sources.through.push_back(input);
        }
      }
      for (const OpId control : graph_.control_inputs(op)) {
        if (runs(control)) {
          sources.controls.push_back(control);
        } else {
          reach(control);
        }
      }
    }
  }

  [[nodiscard]] std::span<const std::uint32_t> tokens_of(TensorId tensor) const {
    if (kind(tensor.op) != OpKind::kSwitch) return runs_of(tensor.op);
    const auto side = sides_.find(step_.tensor(tensor));
    if (side == sides_.end()) return {};
    return side->second;
  }

  // Which of `tokens` execution `at` reads; kNone for none before it.
  [[nodiscard]] std::uint32_t token_for(std::uint32_t at,
                                        std::span<const std::uint32_t> tokens) const {
    if (tokens.size() == runs_of(op_of(at)).size() && tokens[number_of_[at]] < at) {
      return tokens[number_of_[at]];
    }
    const auto after = std::lower_bound(tokens.begin(), tokens.end(), at);
    return after == tokens.begin() ? kNone : *(after - 1);
  }

  // The slot whose oldest token not yet taken is the oldest of all, and that token.
  std::pair<std::uint32_t, std::uint32_t> take_merged(std::uint32_t at, OpId op) {
    const auto inputs = graph_.inputs(op);
    auto& taken = taken_[op.value];
    taken.resize(inputs.size());
    std::pair<std::uint32_t, std::uint32_t> best{0, kNone};
    for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
      if (!runs(inputs[slot].op)) continue;
      const auto tokens = tokens_of(inputs[slot]);
      if (taken[slot] >= tokens.size()) continue;
      const std::uint32_t token = tokens[taken[slot]];
      if (token < at && token < best.second) best = {slot, token};
    }
    if (best.second != kNone) ++taken[best.first];
    return best;
  }

  void add_before() {
    StepGraph& graph = out_.graph;
    StepOp op;
    op.tensor_count = 1;
    graph.ops.push_back(op);
    StepTensor tensor;
    tensor.is_pinned = true;
    graph.tensors.push_back(tensor);
    graph.producer_of.push_back(OpId{kBefore});
  }

  [[nodiscard]] std::uint32_t tensor_of(std::uint32_t at, std::uint32_t slot) const {
    const StepOp& op = out_.graph.ops[at];
    return slot < op.tensor_count ? op.first_tensor + slot : kNone;
  }
  void read(std::uint32_t tensor, Space space) {
    if (tensor == kNone) {
      out_.graph.inputs.push_back({kBefore, Space::kElsewhere, false});
    } else {
      out_.graph.inputs.push_back({tensor, space, false});
    }
  }

  void add_execution(std::uint32_t at) {
    StepGraph& graph = out_.graph;
    const OpId op = op_of(at);
    StepOp entry;
    entry.first_input = static_cast<std::uint32_t>(graph.inputs.size());
    add_inputs(at, op);
    entry.first_link = static_cast<std::uint32_t>(graph.links.size());
    const auto links = step_.links_of(op);
    graph.links.insert(graph.links.end(), links.begin(), links.end());
    use_container(op, static_cast<std::uint32_t>(graph.inputs.size()) - entry.first_input);
    entry.input_count = static_cast<std::uint32_t>(graph.inputs.size()) - entry.first_input;
    entry.link_count = static_cast<std::uint32_t>(graph.links.size()) - entry.first_link;
    entry.first_control = static_cast<std::uint32_t>(graph.controls.size());
    for (const OpId control : sources_of(op).controls) {
      const std::uint32_t token = token_for(at, runs_of(control));
      if (token != kNone) graph.controls.push_back(OpId{token});
    }
    entry.control_count = static_cast<std::uint32_t>(graph.controls.size()) - entry.first_control;
    entry.first_tensor = static_cast<std::uint32_t>(graph.tensors.size());
    entry.tensor_count = step_.ops[op.index()].tensor_count;
    graph.ops.push_back(entry);
    add_outputs(at, op);
  }

  void add_inputs(std::uint32_t at, OpId op) {
    const Sources& sources = sources_of(op);
    const auto inputs = graph_.inputs(op);
    const bool is_merge = kind(op) == OpKind::kMerge;
    const auto merged = is_merge ? take_merged(at, op) : std::pair{0U, kNone};
    for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
      const StepInput& known = step_.inputs_of(op)[slot];
      const bool is_host = !is_cpu_ && known.space == Space::kHost;
      const Space space = is_host ? Space::kHost : Space::kDevice;
      if (sources.slots[slot].is_fed) {
        read(kBefore, space);
      } else if (is_merge) {
        read(slot == merged.first && merged.second != kNone
                 ? tensor_of(merged.second, inputs[slot].slot)
                 : kNone,
             space);
      } else {
        const std::uint32_t token =
            sources.slots[slot].runs ? token_for(at, tokens_of(inputs[slot])) : kNone;
        read(token == kNone ? kNone : tensor_of(token, inputs[slot].slot), space);
      }
    }
    for (const TensorId input : sources.through) {
      const std::uint32_t token = token_for(at, tokens_of(input));
      if (token != kNone) read(tensor_of(token, input.slot), Space::kDevice);
    }
  }

  void use_container(OpId op, std::uint32_t next_slot) {
    const ContainerUse use = containers_.use_of(op);
    if (use == ContainerUse::kNone) return;
    if (use == ContainerUse::kPut) {
      const std::uint32_t slot = Containers::value_slot(graph_.type(op));
      if (slot >= next_slot) return;
      const StepInput& value = out_.graph.inputs[out_.graph.inputs.size() - next_slot + slot];
      if (value.space != Space::kElsewhere) containers_.put(op, value.tensor);
      return;
    }
    for (const std::uint32_t value : containers_.take(op, use)) {
      read(value, Space::kDevice);
      if (use != ContainerUse::kTakeAll) out_.graph.links.push_back({0, next_slot, true});
    }
  }

  void add_outputs(std::uint32_t at, OpId op) {
    StepGraph& graph = out_.graph;
    const StepOp& known = step_.ops[op.index()];
    const TracedOp& row = row_of(at);
    const bool is_told = row.output_count > 0;
    const std::size_t first = graph.tensors.size();
    for (std::uint32_t slot = 0; slot < known.tensor_count; ++slot) {
      StepTensor tensor = step_.tensors[known.first_tensor + slot];
      tensor.home = Space::kDevice;
      if (is_told) tensor.content = tensor.bytes = 0;  // of an output that is not told: dead
      graph.tensors.push_back(tensor);
      graph.producer_of.push_back(OpId{at});
    }
    for (const TracedOutput& output : trace_.outputs_of(row)) {
      if (output.slot >= known.tensor_count) continue;
      StepTensor& tensor = graph.tensors[first + output.slot];
      tensor.content = output.requested > 0 ? output.requested : output.bytes();
      tensor.bytes = output.bytes();
      if (!is_memory_of(measured_.device, trace_.allocators[output.allocator])) {
        tensor.home = Space::kHost;
      }
    }
    const std::string_view type = traced_type(row);
    const bool is_resident = type == "Const" || kind(op) == OpKind::kConstant;
    for (std::size_t i = first; i < graph.tensors.size(); ++i) {
      StepTensor& tensor = graph.tensors[i];
      tensor.is_pinned = tensor.is_pinned || is_resident;
      if (tensor.is_pinned) tensor.bytes = 0;
    }
  }

  // Reads what is fetched and what containers still hold, after everything else.
  void add_end() {
    StepGraph& graph = out_.graph;
    StepOp end;
    end.first_input = static_cast<std::uint32_t>(graph.inputs.size());
    for (const std::uint32_t value : containers_.rest()) read(value, Space::kDevice);
    for (const MeasuredExecution& execution : measured_.executions) {
      const std::uint32_t value = fetched_by(trace_.ops[execution.row]);
      if (value != kNone) read(value, Space::kDevice);
    }
    end.input_count = static_cast<std::uint32_t>(graph.inputs.size()) - end.first_input;
    end.first_control = static_cast<std::uint32_t>(graph.controls.size());
    end.control_count = static_cast<std::uint32_t>(graph.ops.size());
    for (std::uint32_t at = 0; at < graph.ops.size(); ++at) graph.controls.push_back(OpId{at});
    graph.ops.push_back(end);
    out_.execution_of.push_back(kNone);
  }

  // "_retval_loss_0_1 = _Retval(loss)" keeps its input.
  [[nodiscard]] std::uint32_t fetched_by(const TracedOp& row) const {
    if (traced_type(row) != "_Retval") return kNone;
    const std::size_t open = row.label.find('(');
    std::string_view name = row.label.substr(open + 1);
    name = name.substr(0, name.find_first_of("),"));
    const auto tensor = graph_.find_tensor(name);
    if (!tensor || !runs(tensor->op)) return kNone;
    const auto tokens = tokens_of(*tensor);
    return tokens.empty() ? kNone : tensor_of(tokens.back(), tensor->slot);
  }

  void finish() {
    StepSchedule& schedule = out_.schedule;
    for (std::uint32_t at = 0; at < out_.graph.ops.size(); ++at) {
      schedule.ops.push_back(OpId{at});
      schedule.level.push_back(static_cast<std::int32_t>(at));
      schedule.step.push_back(static_cast<std::int32_t>(at));
    }
    out_.graph.fetches = {schedule.ops.back()};
  }

  const Graph& graph_;
  const StepGraph& step_;
  const OpFactsTable& facts_;
  const StepTrace& trace_;
  const MeasuredStep& measured_;
  bool is_cpu_;
  Containers containers_;
  ExecutedStep out_;
  std::vector<std::uint32_t> first_run_, runs_;  // executions of each op, as ops of out_.graph
  std::vector<std::uint32_t> number_of_;         // by op of out_.graph: which execution of its op
  std::vector<bool> fed_;                        // by op
  std::vector<Sources> sources_;                 // by op, once known
  // By tensor of the graph, for outputs of Switch; by Merge: tokens taken. Only looked up.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> sides_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> taken_;
};

}  // namespace

ExecutedStep executed_step(const Graph& graph, const StepGraph& step, const OpFactsTable& facts,
                           const StepTrace& trace, const MeasuredStep& measured) {
  return Unroller(graph, step, facts, trace, measured).run();
}

}  // namespace tideline
