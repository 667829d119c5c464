// Tested by unit/memory/faithful_test.cc and property/prediction_property.cc.
#include "core/memory/step_graph.h"

#include <algorithm>
#include <limits>

#include "core/analysis/placement.h"
#include "core/analysis/structure/loop_rounds.h"
#include "core/analysis/structure/while_frames.h"
#include "core/analysis/variable_values.h"
#include "core/base/check.h"
#include "core/graph/graph_plan.h"
#include "core/graph/nearest_names.h"
#include "core/graph/op_facts.h"
#include "core/graph/op_flops.h"
#include "core/graph/op_types.h"
#include "core/graph/walks.h"
#include "core/memory/folded_step.h"
#include "core/memory/handed_on.h"
#include "core/memory/loop_holds.h"
#include "core/memory/step_measures.h"
#include "core/memory/step_rounds.h"
#include "core/memory/taken_branches.h"

namespace tideline {
namespace {

// Whether ops of a kind compute on a device, if their tensors lie there.
bool has_kernel(OpKind kind) {
  switch (kind) {
    case OpKind::kUnknown:
    case OpKind::kElementwise:
    case OpKind::kLayout:
    case OpKind::kReduce:
    case OpKind::kCompute:
    case OpKind::kGradient:
    case OpKind::kUpdate:
    case OpKind::kAssign:
    case OpKind::kRandom:
    case OpKind::kCall:
    case OpKind::kContainer: return true;
    default: return false;
  }
}

// Whether TensorFlow's executor takes kernels of a kind for expensive.
bool is_expensive(OpKind kind) {
  switch (kind) {
    case OpKind::kView:
    case OpKind::kShape:
    case OpKind::kConstant:
    case OpKind::kPlaceholder:
    case OpKind::kVariable:
    case OpKind::kRead:
    case OpKind::kSwitch:
    case OpKind::kMerge:
    case OpKind::kEnter:
    case OpKind::kExit:
    case OpKind::kNextIteration:
    case OpKind::kLoopCond:
    case OpKind::kControl: return false;
    default: return true;
  }
}

class StepGraphBuilder {
 public:
  StepGraphBuilder(const GraphFacts& known, const TensorTable& tensors, const StepOptions& options)
      : graph_(known.graph()),
        tensors_(tensors),
        placement_(graph_, options.gpu_device),
        spaces_(options.spaces),
        loops_(graph_),
        known_(known),
        facts_(known.ops()) {
    for (const std::string_view type : graph_.types()) {
      is_copy_.push_back(copies_to_host(type) || copies_from_host(type));
    }
  }

  Result<StepGraph> build(const Collections& collections, const std::vector<std::string>& fetches) {
    TIDELINE_TRY(Fetches found, find_fetches(graph_, collections, fetches));
    step_.fetches = std::move(found.ops);
    step_.fetch_rule = found.rule;
    step_.ops.resize(graph_.op_count());
    for (const OpId op : graph_.ops()) add_outputs(op);
    for (const OpId op : graph_.ops()) add_op(op);
    TIDELINE_RETURN_IF_ERROR(add_variables());
    TIDELINE_RETURN_IF_ERROR(set_kinds_and_loops());
    if (sums_could_overflow()) {
      return fail(Code::kUnsupported,
                  "the sizes of the tensors are too large: their sums do not fit 64 bits");
    }
    return std::move(step_);
  }

 private:
  // A tensor lies at most once on the device for itself and once for each reader, and as often on
  // the host; variables come on top.
  [[nodiscard]] bool sums_could_overflow() const {
    constexpr Bytes kMost = std::numeric_limits<Bytes>::max();
    std::vector<std::int64_t> times(step_.tensors.size(), 2);
    for (const StepInput& input : step_.inputs) ++times[input.tensor];
    Bytes total = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto bytes = checked_multiply(step_.tensors[i].bytes, times[i]);
      total = saturating_add(total, bytes.value_or(kMost));
    }
    for (const LiveTensor& variable : step_.variables) {
      total = saturating_add(total, variable.bytes);
    }
    for (const StepHold& hold : step_.holds) total = saturating_add(total, hold.bytes);
    return total == kMost;
  }

  [[nodiscard]] const OpFacts& facts(OpId op) const { return facts_.of(graph_.type_id(op)); }
  // The copies of TensorFlow's memory optimizer name the device, but are counted where their copy
  // lies: its readers there have it moved back, as with the copies of LMS.
  [[nodiscard]] Space space(OpId op) const {
    if (spaces_ != nullptr) return (*spaces_)[op.index()];
    if (placement_.on_cpu(op)) return Space::kHost;
    if (!placement_.on_device(op)) return Space::kElsewhere;
    return is_copy_[graph_.type_id(op)] ? Space::kHost : Space::kDevice;
  }
  // Small integers stay on the host for many ops, because they are shapes and indices.
  [[nodiscard]] Space space_of(OpId op, DataType type, bool is_host) const {
    const Space at = space(op);
    if (at != Space::kDevice) return at;
    if (is_host || (facts(op).is_int32_host && base_type(type) == DataType::kInt32)) {
      return Space::kHost;
    }
    return at;
  }

  void add_outputs(OpId op) {
    StepOp& entry = step_.ops[op.index()];
    entry.space = space(op);
    entry.first_tensor = static_cast<std::uint32_t>(step_.tensors.size());
    entry.tensor_count = tensors_.output_count(op);
    const OpFacts& about = facts(op);
    for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
      StepTensor tensor;
      tensor.content = tensors_.bytes({op, slot});
      tensor.bytes = whole_blocks(tensor.content);
      tensor.type = base_type(tensors_.type({op, slot}));
      tensor.home = space_of(op, tensor.type, is_host_output(op, slot));
      tensor.is_pinned = about.kind == OpKind::kConstant || about.kind == OpKind::kVariable ||
                         about.kind == OpKind::kRead;
      // A variable's bytes are counted with the variables, its value is read where it lies.
      if (about.kind == OpKind::kVariable || about.kind == OpKind::kRead) tensor.bytes = 0;
      if (about.kind == OpKind::kConstant) tensor.kind = MemoryKind::kConstant;
      step_.tensors.push_back(tensor);
      step_.producer_of.push_back(op);
    }
  }
  [[nodiscard]] bool is_host_output(OpId op, std::uint32_t slot) const {
    const OpSignature* signature = graph_.signature(op);
    // The only output argument is all outputs; else slots count as arguments.
    const bool is_only = signature != nullptr && signature->outputs.size() == 1;
    const auto& host = facts(op).host_outputs;
    return std::find(host.begin(), host.end(), is_only ? 0 : slot) != host.end();
  }

  void add_op(OpId op) {
    StepOp& entry = step_.ops[op.index()];
    entry.first_input = static_cast<std::uint32_t>(step_.inputs.size());
    const auto inputs = graph_.inputs(op);
    for (const TensorId input : inputs) {
      step_.inputs.push_back({step_.tensor(input), space_of(op, tensors_.type(input), false),
                              loops_.is_back_edge(graph_, input.op, op)});
    }
    entry.input_count = static_cast<std::uint32_t>(inputs.size());
    if (entry.space == Space::kDevice) {
      for (const std::uint8_t argument : facts(op).host_inputs) {
        const auto slots = argument_slots(graph_, op, argument);
        if (!slots) continue;
        for (std::uint32_t i = 0; i < slots->count && slots->first + i < inputs.size(); ++i) {
          step_.inputs[entry.first_input + slots->first + i].space = Space::kHost;
        }
      }
    }
    entry.first_control = static_cast<std::uint32_t>(step_.controls.size());
    const auto controls = graph_.control_inputs(op);
    step_.controls.insert(step_.controls.end(), controls.begin(), controls.end());
    entry.control_count = static_cast<std::uint32_t>(controls.size());
    entry.first_link = static_cast<std::uint32_t>(step_.links.size());
    add_links(op, entry, facts(op).aliases, true);
    add_links(op, entry, facts(op).in_place, false);
    if (hands_on(graph_, tensors_, facts(op), op)) add_equal_links(op, entry);
    entry.link_count = static_cast<std::uint32_t>(step_.links.size()) - entry.first_link;
    add_work(op, entry);
  }

  void add_work(OpId op, StepOp& entry) {
    const OpFacts& about = facts(op);
    const auto inputs = step_.inputs_of(op);
    entry.is_expensive = is_expensive(about.kind);
    entry.only_waits = graph_.type(op) == "NoOp";
    const bool is_summary = about.kind == OpKind::kSummary && entry.tensor_count > 0;
    entry.is_pure =
        (is_pure(about.kind) || is_summary) && !about.is_stateful && about.reference_inputs.empty();
    if (entry.space != Space::kDevice || !has_kernel(about.kind)) return;
    const auto outputs = std::span(step_.tensors).subspan(entry.first_tensor, entry.tensor_count);
    entry.runs_kernel = std::ranges::count(inputs, Space::kDevice, &StepInput::space) > 0 ||
                        std::ranges::count(outputs, Space::kDevice, &StepTensor::home) > 0;
    const OpFlops flops = op_flops(graph_, tensors_, facts(op), op);
    entry.flops = flops.count;
    entry.flops_type = flops.type;
    entry.share = kernel_share(graph_, tensors_, facts(op), op);
  }

  void add_links(OpId op, const StepOp& entry, const std::vector<BufferLink>& links, bool alias) {
    for (const BufferLink& link : links) {
      const auto slots = argument_slots(graph_, op, link.input);
      if (!slots) continue;
      const bool one_each = is_list(op, link.output) && entry.tensor_count == slots->count;
      for (std::uint32_t i = 0; i < slots->count; ++i) {
        const std::uint32_t output = one_each ? i : link.output;
        if (output < entry.tensor_count) step_.links.push_back({output, slots->first + i, alias});
      }
    }
  }

  void add_equal_links(OpId op, const StepOp& entry) {
    const auto inputs = graph_.inputs(op);
    for (const BufferLink& link : facts(op).maybe) {
      if (link.output >= entry.tensor_count || link.input >= inputs.size()) continue;
      if (tensors_.is_unknown({op, link.output}) || tensors_.is_unknown(inputs[link.input]))
        continue;
      step_.links.push_back({link.output, link.input, true, true});
    }
  }

  // Whether output argument `output` stands for several outputs.
  [[nodiscard]] bool is_list(OpId op, std::uint8_t output) const {
    const OpSignature* signature = graph_.signature(op);
    return signature != nullptr && output < signature->outputs.size() &&
           signature->outputs[output].is_list();
  }

  // Of optimizers that are composed of elementary ops, as those of Keras.
  void add_slots_by_use(std::vector<bool>& is_slot) const {
    const std::vector<VariableUse>& uses = known_.variables();
    const bool has_slots = std::any_of(uses.begin(), uses.end(), [](const VariableUse& use) {
      return use.role == VariableRole::kSlot;
    });
    if (!has_slots) return;  // what is shared then is a step count
    for (const VariableUse& use : uses) {
      const bool is_own = use.role == VariableRole::kSlot || use.role == VariableRole::kShared;
      if (is_own) is_slot[use.variable.index()] = true;
    }
  }

  Status add_variables() {
    std::vector<bool> is_slot(graph_.op_count());
    for (const OpId op : graph_.ops()) {
      const OpFacts& about = facts(op);
      if (about.kind != OpKind::kUpdate) continue;
      for (const auto* arguments : {&about.slots, &about.shared}) {
        for (const std::uint8_t argument : *arguments) {
          const auto slots = argument_slots(graph_, op, argument);
          if (!slots || slots->count == 0) continue;
          const OpId behind = behind_views(graph_, facts_, graph_.inputs(op)[slots->first].op);
          if (behind.valid()) is_slot[behind.index()] = true;
        }
      }
    }
    if (std::find(is_slot.begin(), is_slot.end(), true) == is_slot.end()) add_slots_by_use(is_slot);
    TIDELINE_TRY(const VariableValues values, VariableValues::find(known_, tensors_));
    for (const OpId op : values.resident()) {
      if (space(op) != Space::kDevice) continue;
      TIDELINE_TRY(const Bytes bytes, values.bytes(op));
      LiveTensor variable;
      variable.tensor = {op, 0};
      variable.bytes = whole_blocks(bytes);
      variable.kind = is_slot[op.index()] ? MemoryKind::kOptimizerSlot : MemoryKind::kVariable;
      step_.variables.push_back(variable);
    }
    return {};
  }

  Status set_kinds_and_loops() {
    const GradientFlow& flow = known_.passes().flow();
    const Phases& phases = known_.passes().phases();
    for (const OpId op : graph_.ops()) {
      const StepOp& entry = step_.ops[op.index()];
      for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
        StepTensor& tensor = step_.tensors[entry.first_tensor + slot];
        if (tensor.kind != MemoryKind::kTemporary) continue;
        if (flow.carries(op)) {
          tensor.kind = MemoryKind::kGradient;
        } else if (phases.of(op) == Phase::kForward) {
          tensor.kind = MemoryKind::kActivation;
        }
      }
    }
    describe_copies(known_.copies());
    TIDELINE_TRY(const WhileFrames frames,
                 find_while_frames(graph_, facts_, known_.stacks(), phases));
    TIDELINE_TRY(step_.loops, count_loops(graph_, facts_, frames, tensors_));
    if (frames.frames.empty()) return {};
    const LoopGraph loops{graph_, facts_, frames};
    step_.holds = find_loop_holds(loops, step_);
    step_.rounds = std::make_shared<const StepRounds>(find_step_rounds(loops, step_.loops));
    return {};
  }

  void describe_copies(const SwapCopies& copies) {
    for (const FileSwap& swap : copies.swaps) {
      const MemoryKind kind = step_.tensors[step_.tensor(swap.tensor)].kind;
      describe_copy(swap.swap_out, kind);
      for (const FileSwapIn& in : swap.swap_ins) describe_copy(in.copy, kind);
    }
  }
  // A copy is what it copies.
  void describe_copy(OpId copy, MemoryKind kind) {
    step_.tensors[step_.tensor({copy, 0})].kind = kind;
    const auto kept = graph_.attribute(copy, kKeptFromGrappler);
    if (kept && *kept && (*kept)->boolean) step_.ops[copy.index()].is_kept = true;
  }

  const Graph& graph_;
  const TensorTable& tensors_;
  Placement placement_;
  const std::vector<Space>* spaces_;
  std::vector<bool> is_copy_;  // by type id
  LoopTypes loops_;
  const GraphFacts& known_;
  const OpFactsTable& facts_;
  StepGraph step_;
};

}  // namespace

Bytes whole_blocks(Bytes bytes) {
  constexpr Bytes kBlock = StepGraph::kBlockBytes;
  if (bytes > std::numeric_limits<Bytes>::max() - kBlock) return bytes;
  return (bytes + kBlock - 1) / kBlock * kBlock;
}

Result<Fetches> find_fetches(const Graph& graph, const Collections& collections,
                             const std::vector<std::string>& names) {
  Fetches fetches;
  const auto add = [&](const std::string& name) {
    const OpId op = graph.find(name.substr(0, name.find(':')));
    if (op.valid()) fetches.ops.push_back(op);
    return op.valid();
  };
  for (const std::string& name : names) {
    if (!add(name)) {
      return fail(Code::kNotFound, "{{fetch}}: '{}' names no op{}; expected the name of an op",
                  name, nearest_ops(graph, name));
    }
  }
  if (fetches.ops.empty()) {
    if (const auto found = collections.names.find("train_op"); found != collections.names.end()) {
      for (const std::string& name : found->second) add(name);
    }
  }
  if (!fetches.ops.empty()) return fetches;
  fetches.rule = FetchRule::kUpdates;
  for (const OpId op : graph.ops()) {
    if (applies_gradients(graph.type(op))) fetches.ops.push_back(op);
  }
  if (!fetches.ops.empty()) return fetches;
  fetches.rule = FetchRule::kAll;
  for (const OpId op : graph.ops()) fetches.ops.push_back(op);
  return fetches;
}

Result<StepGraph> build_step_graph(const Graph& graph, const TensorTable& tensors,
                                   const Collections& collections, const StepOptions& options) {
  std::optional<GraphFacts> found;
  if (options.facts == nullptr) found.emplace(graph, options.functions);
  const GraphFacts& facts = found ? *found : *options.facts;
  TIDELINE_CHECK(&facts.graph() == &graph);
  TIDELINE_TRY(StepGraph step,
               StepGraphBuilder(facts, tensors, options).build(collections, options.fetches));
  if (options.measured != nullptr) add_measured_scratch(options.measured->scratch, step);
  step.run = with_executor(options.run, facts);
  step.run.is_in_traced_order = false;
  if (step.run.as_run == AsRun::kOff) return step;
  if (options.measured != nullptr) add_measured_places(*options.measured, facts.copies(), step);
  if (step.run.executor == Executor::kGpu) {
    for (StepOp& op : step.ops) op.is_expensive = false;
  }
  std::shared_ptr<const Folding> folding = facts.folding(tensors);
  TIDELINE_RETURN_IF_ERROR(check_branches(facts, *folding, step.run.branches));
  if (step.run.as_run == AsRun::kExact) {
    auto done = std::make_shared<Folding>(*folding);
    done->ops.clear();
    done->is_done = true;
    folding = std::move(done);
  }
  return folded(std::make_shared<const StepGraph>(std::move(step)), std::move(folding));
}

}  // namespace tideline
