// Tested by property/plan_property.cc.
#include "core/memory/kept_facts.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/analysis/placement.h"
#include "core/base/text.h"
#include "core/graph/op_types.h"

namespace tideline {
namespace {

// No size, type or place of a tensor depends on these.
constexpr std::array<std::string_view, 5> kHarmless = {"_class", "container", "seed", "seed2",
                                                       "shared_name"};

class FactCheck {
 public:
  FactCheck(const StepGraph& step, const Graph& graph, const GraphPlan& plan,
            const std::optional<std::string>& gpu_device)
      : step_(step.unfolded ? *step.unfolded : step),
        folding_(step.folding.get()),
        graph_(graph),
        plan_(plan),
        gpu_device_(gpu_device),
        origins_(graph, plan) {}

  [[nodiscard]] bool run() {
    if (!plan_.emptied.empty()) return false;
    for (const AddedOp& op : plan_.added) {
      if (!(op.copy_of.valid() ? is_faithful_copy(op) : is_plain(op))) return false;
    }
    for (const Reroute& change : plan_.rerouted) {
      if (!reads(change.to, change.from)) return false;
    }
    for (const DeviceChange& change : plan_.devices) {
      if (!can_move(change.op, change.device)) return false;
    }
    for (const AttributeChange& change : plan_.attributes) {
      if (std::find(kHarmless.begin(), kHarmless.end(), change.key) == kHarmless.end()) {
        return false;
      }
    }
    return keeps_fetches() && keeps_branches();
  }

 private:
  // Whether `tensor` has the value of `original`, and is one that there is: a reader of a further
  // output would make it exist.
  [[nodiscard]] bool reads(TensorId tensor, TensorId original) const {
    const auto origin = origins_.of(tensor);
    return origin == original && original.slot < step_.ops[original.op.index()].tensor_count;
  }

  // On the device of interest, what lies where depends on the op's type.
  [[nodiscard]] bool can_move(OpId op, std::string_view device) const {
    return space_on(device, gpu_device_) != Space::kDevice ||
           step_.ops[op.index()].space == Space::kDevice;
  }

  [[nodiscard]] bool is_faithful_copy(const AddedOp& op) const {
    const auto original = graph_.inputs(op.copy_of);
    const auto inputs = plan_.inputs(op);
    // How many outputs an op of an undeclared type has is told by its readers alone.
    if (graph_.signature(op.copy_of) == nullptr || inputs.size() != original.size()) return false;
    for (std::size_t slot = 0; slot < inputs.size(); ++slot) {
      if (!reads(inputs[slot], original[slot])) return false;
    }
    return can_move(op.copy_of, op.device);
  }

  // An Identity with the type and, if it records one, the shape of what it reads; or a NoOp.
  [[nodiscard]] bool is_plain(const AddedOp& op) {
    if (op.type == "NoOp") return op.input_count == 0 && op.attributes.empty();
    if (!passes_on(op.type) || op.input_count != 1) return false;
    const auto origin = origins_.of(plan_.inputs(op)[0]);
    if (!origin || !reads(plan_.inputs(op)[0], *origin)) return false;
    const bool is_known = op.attributes.data() == last_attributes_.data() &&
                          op.attributes.size() == last_attributes_.size() &&
                          *origin == last_origin_;
    if (!is_known && !describes(op.attributes, *origin)) return false;
    last_attributes_ = op.attributes;
    last_origin_ = *origin;
    return true;
  }

  [[nodiscard]] bool describes(std::string_view attributes, TensorId origin) {
    const Described& described = description(attributes);
    if (described.type != step_.tensors[step_.tensor(origin)].type) return false;
    if (!described.encoded_shapes) return true;
    const auto recorded = encoded_shapes(graph_.encoded(origin.op));
    if (!recorded) return false;
    // Nearly always both record this one shape, in the same bytes.
    if (origin.slot == 0 && *recorded == *described.encoded_shapes) return described.has_one;
    const auto shapes = graph_.codec().decode(*recorded);
    return described.has_one && shapes && origin.slot < shapes->shapes.size() &&
           shapes->shapes[origin.slot] == described.shape;
  }

  // What an Identity says of its output.
  struct Described {
    DataType type = DataType::kInvalid;
    std::optional<std::string_view> encoded_shapes;
    bool has_one = false;  // that can be read
    Shape shape;
  };
  // Thousands of swaps share a few texts.
  const Described& description(std::string_view attributes) {
    const auto [known, is_new] = descriptions_.try_emplace(attributes);
    Described& described = known->second;
    if (!is_new) return described;
    const auto type = find_attribute(graph_.codec(), attributes, "T");
    if (type && *type && (*type)->kind == AttrValue::Kind::kType) described.type = (*type)->type;
    described.encoded_shapes = encoded_shapes(attributes);
    if (!described.encoded_shapes) return described;
    const auto shapes = graph_.codec().decode(*described.encoded_shapes);
    described.has_one = shapes && shapes->shapes.size() == 1;
    if (described.has_one) described.shape = shapes->shapes[0];
    return described;
  }
  [[nodiscard]] std::optional<std::string_view> encoded_shapes(std::string_view op) const {
    std::optional<std::string_view> found;
    graph_.codec().for_each_attribute(op, [&](std::string_view key, std::string_view value) {
      if (key == "_output_shapes") found = value;
    });
    return found;
  }

  // False if an op waits for one of a branch of a conditional: it may then be of that branch, too.
  [[nodiscard]] bool keeps_branches() const {
    if (folding_ == nullptr || folding_->conditionals.empty()) return true;
    std::vector<bool> is_in_branch(graph_.op_count());
    for (const Conditional& conditional : folding_->conditionals) {
      for (const std::vector<OpId>& branch : conditional.branches) {
        for (const OpId op : branch) is_in_branch[op.index()] = true;
      }
    }
    return std::none_of(plan_.control.begin(), plan_.control.end(), [&](const ControlEdge& edge) {
      const std::optional<TensorId> origin = origins_.of({edge.after, 0});
      return !origin || is_in_branch[origin->op.index()];
    });
  }

  // Whether the rule by which fetches were chosen chooses them again.
  [[nodiscard]] bool keeps_fetches() const {
    const auto added = std::count_if(plan_.added.begin(), plan_.added.end(),
                                     [](const AddedOp& op) { return applies_gradients(op.type); });
    std::vector<OpId> removed = plan_.removed;
    std::sort(removed.begin(), removed.end());
    const auto lost = std::count_if(step_.fetches.begin(), step_.fetches.end(), [&](OpId fetch) {
      return std::binary_search(removed.begin(), removed.end(), fetch);
    });
    switch (step_.fetch_rule) {
      case FetchRule::kNamed: return lost == 0;
      case FetchRule::kUpdates:
        return added > 0 || lost < static_cast<std::ptrdiff_t>(step_.fetches.size());
      case FetchRule::kAll: return added == 0;
    }
    return false;
  }

  const StepGraph& step_;  // with the outputs that a folded step leaves out, as a plan reads them
  const Folding* folding_;
  const Graph& graph_;
  const GraphPlan& plan_;
  const std::optional<std::string>& gpu_device_;
  Origins origins_;
  std::unordered_map<std::string_view, Described> descriptions_;  // by encoded attributes
  std::string_view last_attributes_;
  TensorId last_origin_;
};

}  // namespace

std::optional<TensorId> Origins::of(TensorId tensor) const {
  for (std::size_t steps = 0; steps <= plan_.added.size(); ++steps) {
    if (tensor.op.index() < graph_.op_count()) return tensor;
    const AddedOp& op = plan_.at(graph_, tensor.op);
    if (op.copy_of.valid()) return TensorId{op.copy_of, tensor.slot};
    if (!passes_on(op.type) || op.input_count != 1 || tensor.slot != 0) return std::nullopt;
    tensor = plan_.inputs(op)[0];
  }
  return std::nullopt;
}

bool keeps_facts(const StepGraph& step, const Graph& graph, const GraphPlan& plan,
                 const std::optional<std::string>& gpu_device) {
  return FactCheck(step, graph, plan, gpu_device).run();
}

Space space_on(std::string_view device, const std::optional<std::string>& gpu_device) {
  if (Placement::names_cpu(device)) return Space::kHost;
  if (!gpu_device || equal_ignoring_case(device, *gpu_device)) return Space::kDevice;
  return Space::kElsewhere;
}

}  // namespace tideline
