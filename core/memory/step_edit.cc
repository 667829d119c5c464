// Problem: a search for a good plan simulates hundreds of them, and building a graph and finding
// its shapes, places and phases takes a hundred times as long as simulating it.
// Idea: an op that computes what another one computes needs what that one needs. An added Identity
// has the size of what it reads; a copy whose inputs carry the values that its original reads has
// the outputs of its original: sizes, shared buffers, host inputs. Following added ops back to the
// original tensor that they stand for says of every new tensor how large it is.
//   f = Relu(x); plan: f' = copy of f reading x, g reads f' instead of f:0
//   f' stands for f, so f':0 is as large as f:0, and g's inputs are as large as before.
// Loops: a copied loop reads itself. That all copies stand for their originals is assumed and then
// checked for every input of every copy, which proves it for all of them together.
// Limits: a plan with other new ops, or that changes what shapes depend on, has to be built
// (predict.h). Cost: O(ops + edges). Source: own. Tested by property/plan_property.cc and
// property/prediction_property.cc.
#include "core/memory/step_edit.h"

#include <algorithm>

#include "core/graph/op_types.h"
#include "core/memory/folded_step.h"
#include "core/memory/kept_facts.h"
#include "core/memory/step_rounds.h"

namespace tideline {
namespace {

class StepEditor {
 public:
  StepEditor(const StepGraph& step, const Graph& graph, const GraphPlan& plan,
             const std::optional<std::string>& gpu_device)
      : step_(step), graph_(graph), plan_(plan), gpu_device_(gpu_device), origins_(graph, plan) {
    const std::size_t added = plan.added.size();
    copy_with_room(step.ops, added, result_.ops);
    copy_with_room(step.inputs, plan.added_input_count(), result_.inputs);
    copy_with_room(step.tensors, added, result_.tensors);
    copy_with_room(step.producer_of, added, result_.producer_of);
    copy_with_room(step.links, added, result_.links);
    result_.fetches = step.fetches;
    result_.fetch_rule = step.fetch_rule;
    result_.variables = step.variables;
    result_.holds = step.holds;
    result_.loops = step.loops;
    result_.rounds = step.rounds;
    result_.run = step.run;
  }

  StepGraph run() {
    for (const AddedOp& op : plan_.added) add_outputs(op);
    for (std::uint32_t i = 0; i < plan_.added.size(); ++i) {
      add_inputs(OpId{graph_.op_count() + i}, plan_.added[i]);
    }
    for (const Reroute& change : plan_.rerouted) {
      StepInput& input = result_.inputs[result_.ops[change.op.index()].first_input + change.slot];
      input.tensor = result_.tensor(change.to);
      input.is_back_edge = is_back_edge(change.to.op, change.op);
    }
    for (const DeviceChange& change : plan_.devices) move(change.op, space_of(change.device));
    set_controls();
    add_variables();
    set_fetches();
    remove_ops();
    return std::move(result_);
  }

 private:
  template <typename T>
  static void copy_with_room(const std::vector<T>& from, std::size_t room, std::vector<T>& to) {
    to.reserve(from.size() + room);
    to.insert(to.end(), from.begin(), from.end());
  }

  // Neighbours share the text of their device.
  Space space_of(std::string_view device) {
    if (device.data() != last_device_.data() || device.size() != last_device_.size() ||
        !knows_space_) {
      last_device_ = device;
      last_space_ = space_on(device, gpu_device_);
      knows_space_ = true;
    }
    return last_space_;
  }
  [[nodiscard]] bool is_back_edge(OpId producer, OpId consumer) const {
    return is_merge(plan_.type(graph_, consumer)) &&
           is_next_iteration(plan_.type(graph_, producer));
  }

  void add_outputs(const AddedOp& op) {
    StepOp entry;
    entry.space = space_of(op.device);
    // As in the graph that this gives (step_graph.cc).
    const bool is_for_gpu = copies_to_host(op.type) || copies_from_host(op.type);
    if (is_for_gpu && entry.space == Space::kDevice) entry.space = Space::kHost;
    entry.first_tensor = static_cast<std::uint32_t>(result_.tensors.size());
    const OpId id{static_cast<std::uint32_t>(result_.ops.size())};
    if (op.copy_of.valid()) {
      const StepOp source = result_.ops[op.copy_of.index()];
      entry.tensor_count = source.tensor_count;
      entry.is_expensive = source.is_expensive;
      entry.is_pure = source.is_pure;
      entry.only_waits = source.only_waits;
      entry.place = source.place;
      if (entry.space == Space::kDevice) {
        entry.scratch = source.scratch;
        entry.flops = source.flops;
        entry.flops_type = source.flops_type;
        entry.share = source.share;
        entry.runs_kernel = source.runs_kernel;
      }
      for (std::uint32_t slot = 0; slot < source.tensor_count; ++slot) {
        StepTensor tensor = result_.tensors[source.first_tensor + slot];
        if (entry.space != source.space) tensor.home = entry.space;
        result_.tensors.push_back(tensor);
        result_.producer_of.push_back(id);
      }
    } else if (passes_on(op.type)) {
      entry.tensor_count = 1;
      entry.place = StepOp::kStartsWhenReady;
      entry.is_pure = true;
      entry.is_kept = op.attributes.find(kKeptFromGrappler) != std::string_view::npos;
      result_.tensors.push_back(identity_output(op, entry.space));
      result_.producer_of.push_back(id);
    } else {
      entry.only_waits = true;
      entry.place = StepOp::kStartsWhenReady;
    }
    result_.ops.push_back(entry);
  }

  // An Identity keeps small integers on the host wherever it runs.
  [[nodiscard]] StepTensor identity_output(const AddedOp& op, Space space) const {
    StepTensor tensor;
    if (const auto origin = origins_.of(plan_.inputs(op)[0])) {
      const StepTensor& source = result_.tensors[result_.tensor(*origin)];
      tensor.content = source.content;
      tensor.bytes = whole_blocks(source.content);
      tensor.type = source.type;
      tensor.kind = source.kind;
    }
    tensor.home = on_host(space, tensor.type) ? Space::kHost : space;
    return tensor;
  }
  static bool on_host(Space space, DataType type) {
    return space == Space::kDevice && type == DataType::kInt32;
  }

  void add_inputs(OpId id, const AddedOp& op) {
    StepOp entry = result_.ops[id.index()];
    entry.first_input = static_cast<std::uint32_t>(result_.inputs.size());
    entry.input_count = op.input_count;
    entry.first_link = static_cast<std::uint32_t>(result_.links.size());
    const auto inputs = plan_.inputs(op);
    if (op.copy_of.valid()) {
      const StepOp source = result_.ops[op.copy_of.index()];
      for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
        const Space there = result_.inputs[source.first_input + slot].space;
        add_input(id, inputs[slot], entry.space == source.space ? there : entry.space);
      }
      for (std::uint32_t i = 0; i < source.link_count; ++i) {
        const StepLink link = result_.links[source.first_link + i];
        result_.links.push_back(link);
      }
      entry.link_count = source.link_count;
    } else if (passes_on(op.type)) {
      add_input(id, inputs[0], result_.tensors[entry.first_tensor].home);
      result_.links.push_back({0, 0, true});
      entry.link_count = 1;
    }
    result_.ops[id.index()] = entry;
  }
  void add_input(OpId op, TensorId input, Space space) {
    result_.inputs.push_back({result_.tensor(input), space, is_back_edge(input.op, op)});
  }

  // Everything of an op that is not on the device of interest lies where the op is.
  void move(OpId op, Space space) {
    StepOp& entry = result_.ops[op.index()];
    if (entry.space == space) return;
    entry.space = space;
    entry.scratch = 0;
    entry.flops = 0;
    entry.flops_type = DataType::kInvalid;
    entry.runs_kernel = false;
    for (std::uint32_t i = 0; i < entry.tensor_count; ++i) {
      result_.tensors[entry.first_tensor + i].home = space;
    }
    for (std::uint32_t i = 0; i < entry.input_count; ++i) {
      result_.inputs[entry.first_input + i].space = space;
    }
  }

  // Control inputs as they were, behind them the added ones in their order, without those that are
  // removed.
  void set_controls() {
    std::vector<ControlEdge> removed = plan_.removed_control;
    const auto order = [](const ControlEdge& a, const ControlEdge& b) {
      return std::pair(a.op, a.after) < std::pair(b.op, b.after);
    };
    std::sort(removed.begin(), removed.end(), order);
    const auto is_kept = [&](OpId op, OpId after) {
      return removed.empty() ||
             !std::binary_search(removed.begin(), removed.end(), ControlEdge{op, after}, order);
    };
    const auto listed = [this](std::uint32_t op) {
      return op < graph_.op_count() ? step_.controls_of(OpId{op})
                                    : plan_.control_inputs(plan_.at(graph_, OpId{op}));
    };
    const std::size_t count = result_.ops.size();
    std::vector<std::uint32_t> first(count + 1);
    for (const ControlEdge& edge : plan_.control) {
      if (is_kept(edge.op, edge.after)) ++first[edge.op.index() + 1];
    }
    std::vector<std::uint32_t> kept(count);
    for (std::uint32_t op = 0; op < count; ++op) {
      const auto inputs = listed(op);
      kept[op] = static_cast<std::uint32_t>(inputs.size());
      if (!removed.empty()) {
        kept[op] = static_cast<std::uint32_t>(std::count_if(
            inputs.begin(), inputs.end(), [&](OpId after) { return is_kept(OpId{op}, after); }));
      }
      first[op + 1] += first[op] + kept[op];
    }
    std::vector<OpId> controls(first.back());
    std::vector<std::uint32_t> next(count);
    for (std::uint32_t op = 0; op < count; ++op) {
      next[op] = first[op];
      for (const OpId after : listed(op)) {
        if (is_kept(OpId{op}, after)) controls[next[op]++] = after;
      }
    }
    for (const ControlEdge& edge : plan_.control) {
      if (is_kept(edge.op, edge.after)) controls[next[edge.op.index()]++] = edge.after;
    }
    for (std::size_t op = 0; op < count; ++op) {
      result_.ops[op].first_control = first[op];
      result_.ops[op].control_count = first[op + 1] - first[op];
    }
    result_.controls = std::move(controls);
  }

  // Copies of variables come; variables that left the device of interest go, after their copies
  // were made.
  void add_variables() {
    std::vector<std::pair<OpId, OpId>> copies;  // original, copy
    for (std::uint32_t i = 0; i < plan_.added.size(); ++i) {
      const OpId of = plan_.added[i].copy_of;
      if (of.valid()) copies.emplace_back(of, OpId{graph_.op_count() + i});
    }
    std::sort(copies.begin(), copies.end());
    std::vector<LiveTensor> added;
    for (const LiveTensor& variable : result_.variables) {
      auto copy =
          std::lower_bound(copies.begin(), copies.end(), std::pair(variable.tensor.op, OpId{0}));
      for (; copy != copies.end() && copy->first == variable.tensor.op; ++copy) {
        if (result_.ops[copy->second.index()].space != Space::kDevice) continue;
        added.push_back(variable);
        added.back().tensor.op = copy->second;
      }
    }
    std::sort(added.begin(), added.end(),
              [](const LiveTensor& a, const LiveTensor& b) { return a.tensor < b.tensor; });
    if (!plan_.devices.empty()) {
      std::erase_if(result_.variables, [this](const LiveTensor& variable) {
        return result_.ops[variable.tensor.op.index()].space != Space::kDevice;
      });
    }
    result_.variables.insert(result_.variables.end(), added.begin(), added.end());
  }

  void set_fetches() {
    if (result_.fetch_rule == FetchRule::kNamed) return;
    for (std::uint32_t i = 0; i < plan_.added.size(); ++i) {
      if (result_.fetch_rule == FetchRule::kAll || applies_gradients(plan_.added[i].type)) {
        result_.fetches.push_back(OpId{graph_.op_count() + i});
      }
    }
  }

  void remove_ops() {
    if (plan_.removed.empty()) return;
    std::vector<bool> removed(result_.ops.size());
    for (const OpId op : plan_.removed) {
      removed[op.index()] = true;
      StepOp& entry = result_.ops[op.index()];
      entry.input_count = entry.control_count = entry.tensor_count = entry.link_count = 0;
    }
    std::erase_if(result_.fetches, [&](OpId op) { return removed[op.index()]; });
    std::erase_if(result_.variables,
                  [&](const LiveTensor& variable) { return removed[variable.tensor.op.index()]; });
  }

  const StepGraph& step_;
  const Graph& graph_;
  const GraphPlan& plan_;
  const std::optional<std::string>& gpu_device_;
  Origins origins_;
  StepGraph result_;
  std::string_view last_device_;
  Space last_space_ = Space::kDevice;
  bool knows_space_ = false;
};

}  // namespace

StepGraph edited(const StepGraph& step, const Graph& graph, const GraphPlan& plan,
                 const std::optional<std::string>& gpu_device) {
  if (step.folding == nullptr) return StepEditor(step, graph, plan, gpu_device).run();
  StepGraph result = StepEditor(*step.unfolded, graph, plan, gpu_device).run();
  result.taken = step.taken;
  fold(step.folding, result);
  return result;
}

static StepRounds renumbered(const StepRounds& rounds, const std::vector<OpId>& ids) {
  StepRounds result = rounds;
  result.loop_of.assign(ids.empty() ? 0 : ids.back().index() + 1, StepRounds::kNone);
  result.roles.assign(result.loop_of.size(), LoopRole::kNone);
  for (std::size_t op = 0; op < rounds.loop_of.size(); ++op) {
    result.loop_of[ids[op].index()] = rounds.loop_of[op];
    result.roles[ids[op].index()] = rounds.roles[op];
  }
  for (StepRounds::Use& use : result.uses) use.op = ids[use.op.index()];
  return result;
}

StepGraph with_plan_ids(StepGraph built, const Graph& graph, const GraphPlan& plan) {
  if (plan.removed.empty()) return built;
  std::vector<bool> removed(graph.op_count() + plan.added.size());
  for (const OpId op : plan.removed) removed[op.index()] = true;
  std::vector<OpId> ids;  // by op of `built`
  std::vector<StepOp> ops(removed.size());
  std::vector<std::int32_t> levels(built.file_levels.empty() ? 0 : removed.size(), -1);
  for (std::uint32_t op = 0; op < removed.size(); ++op) {
    if (removed[op]) continue;
    ops[op] = built.ops[ids.size()];
    if (!built.file_levels.empty()) levels[op] = built.file_levels[ids.size()];
    ids.push_back(OpId{op});
  }
  built.ops = std::move(ops);
  built.file_levels = std::move(levels);
  built.unfolded = nullptr;
  for (OpId& op : built.controls) op = ids[op.index()];
  for (OpId& op : built.producer_of) op = ids[op.index()];
  for (OpId& op : built.fetches) op = ids[op.index()];
  for (LiveTensor& variable : built.variables) variable.tensor.op = ids[variable.tensor.op.index()];
  for (StepHold& hold : built.holds) {
    hold.by = ids[hold.by.index()];
    for (OpId& op : hold.from) op = ids[op.index()];
    for (OpId& op : hold.to) op = ids[op.index()];
    for (OpId& op : hold.takes) op = ids[op.index()];
  }
  if (built.rounds) {
    built.rounds = std::make_shared<const StepRounds>(renumbered(*built.rounds, ids));
  }
  return built;
}

}  // namespace tideline
