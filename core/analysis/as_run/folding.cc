// Problem: the graph in a file is not the one that runs. Before the first step TensorFlow's graph
// optimizer, Grappler, evaluates what does not depend on fed values, removes ops that do nothing,
// and computes equal things once. A gradient of Keras's or TF 1's kind holds hundreds of ops that
// only find out which axes were broadcast; each of them reads an activation's shape, and an
// activation that waits for its last reader would wait for them.
//
// Idea: the passes that change memory, time or order, in one sweep, producers first. Three
// questions for each op without side effects, asked of its inputs as folded so far:
//
//   constant   all elements of its outputs are known, or all its inputs are constant and it is
//              small
//   passed on  it does nothing: Identity, a Reshape to the shape there was, a Sum over no axes
//   merged     an earlier op has its type, attributes and inputs
//
// Small integers of one value are one constant. A value of half the size is made before a read of a
// variable, not behind it, so that the read does nothing; a Reshape of a Reshape reads what the
// first one reads.
//
// Shapes and elements come from shape inference with the batch as one symbol B:
//   Shape(relu) = [B,56,56,256]    not known, so it runs; but
//   BroadcastGradientArgs([B,56,56,256], [256]) = {}, {0,1,2}    is known
//   Sum(g, {}) is then g, Reshape(g, [B,56,56,256]) too, and nobody asks for Shape(relu) any more.
//
// Cost: O(ops + edges).
//
// Limits: fusions into one kernel are not modelled, since they keep the buffers (a fused op
// allocates its result as the last of its parts does); neither are rewritings of arithmetic (a*b +
// a*c), loop-invariant motion, and what depends on the values of constants that are no integers.
// Functions are not looked into.
// Source: TensorFlow's constant folding, arithmetic and dependency optimizers (behaviour only).
//
// Tested by unit/analysis/as_run/folding_test.cc.
#include "core/analysis/as_run/folding.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/analysis/as_run/decided_alike.h"
#include "core/analysis/as_run/does_nothing.h"
#include "core/analysis/producers_first.h"
#include "core/analysis/structure/graph_facts.h"
#include "core/analysis/structure/while_frames.h"
#include "core/graph/shapes/inference.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

// Grappler makes no constant that is larger, unless the op that it replaces is.
constexpr std::int64_t kMostElements = 25'600;

class FoldingSearch {
 public:
  FoldingSearch(const GraphFacts& known, const TensorTable& tensors)
      : graph_(known.graph()),
        facts_(known.ops()),
        copies_(known.copies()),
        tensors_(tensors),
        first_(tensors.first_outputs()) {
    InferenceInput input{graph_, first_};
    input.functions = known.functions();
    input.with_values = input.with_symbols = true;
    InferredShapes inferred = infer_shapes(input, lists_);
    shapes_ = std::move(inferred.shapes);
    values_ = std::move(inferred.values);
    same_.resize(first_.back());
    for (const OpId op : graph_.ops()) {
      for (std::uint32_t slot = 0; slot < tensors.output_count(op); ++slot) {
        same_[at({op, slot})] = {op, slot};
      }
    }
    is_constant_.resize(graph_.op_count());
    find_only_cast_down();
    ops_by_key_.reserve(graph_.op_count());
    for (const std::string_view type : graph_.types()) kinds_.push_back(does_nothing_if(type));
  }

  Folding run() {
    for (const OpId op : producers_first(graph_)) look_at(op);
    folding_.graph = &graph_;
    return std::move(folding_);
  }

 private:
  [[nodiscard]] std::size_t at(TensorId tensor) const {
    return first_[tensor.op.index()] + tensor.slot;
  }
  [[nodiscard]] bool exists(TensorId tensor) const {
    return tensor.slot < tensors_.output_count(tensor.op);
  }

  void look_at(OpId op) {
    const OpFacts& about = facts_.of(graph_, op);
    if (about.kind == OpKind::kPlaceholder) folding_.fed.push_back(op);
    if (about.kind == OpKind::kConstant) {
      is_constant_[op.index()] = true;
      return merge(op);
    }
    const bool may_fold = is_pure(about.kind) && !about.is_stateful &&
                          about.reference_inputs.empty() && about.resource_inputs.empty() &&
                          tensors_.output_count(op) > 0 && !copies_.contains(op);
    if (!may_fold) return;
    if (passes_input_on(op)) {
      const TensorId input = graph_.inputs(op).front();
      folding_.ops.push_back({op, Fold::kPassedOn, {}});
      is_constant_[op.index()] = is_constant(input);
      if (graph_.control_inputs(op).empty()) same_[at({op, 0})] = same_[at(input)];
      return;
    }
    if (is_known(op) || is_small_result(op)) {
      is_constant_[op.index()] = true;
      share_value(op);
      const OpId first = same_[at({op, 0})].op;
      const bool has_twin = first != op && tensors_.output_count(op) == 1;
      folding_.ops.push_back({op, Fold::kConstant, has_twin ? first : OpId{}});
      return;
    }
    merge(op);
  }

  [[nodiscard]] bool is_static(DimsId shape, std::int64_t most) const {
    const Dims* dims = lists_.find(shape);
    if (dims == nullptr) return false;
    std::int64_t elements = 1;
    for (const Dim dim : *dims) {
      if (!dim.is_number()) return false;
      const auto product = checked_multiply(elements, dim.value());
      if (!product || *product > most) return false;
      elements = *product;
    }
    return true;
  }

  // Whether all elements of all outputs are known numbers.
  [[nodiscard]] bool is_known(OpId op) const {
    for (std::size_t i = first_[op.index()]; i < first_[op.index() + 1]; ++i) {
      const Dims* elements = lists_.find(values_[i]);
      if (elements == nullptr) return false;
      if (!std::all_of(elements->begin(), elements->end(),
                       [](Dim element) { return element.is_number(); })) {
        return false;
      }
    }
    return true;
  }

  // Whether all that it looks at is constant, and its outputs have known shapes. One value, however
  // often repeated, is a small constant.
  [[nodiscard]] bool is_small_result(OpId op) const {
    const OpFacts& about = facts_.of(graph_, op);
    const auto inputs = graph_.inputs(op);
    if (inputs.empty()) return false;
    constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
    const bool is_uniform = about.is_source || about.is_empty;
    for (std::size_t i = first_[op.index()]; i < first_[op.index() + 1]; ++i) {
      if (!is_static(shapes_[i], is_uniform ? kAny : kMostElements)) return false;
    }
    std::uint64_t only_shape = 0;
    facts_.for_each_slot(graph_, op, about.metadata_inputs, [&](std::uint32_t slot) {
      if (slot < 64) only_shape |= std::uint64_t{1} << slot;
    });
    for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
      const bool needs_shape = slot < 64 && ((only_shape >> slot) & 1U) != 0;
      if (is_constant(inputs[slot])) continue;
      if (!needs_shape || !exists(inputs[slot]) || !is_static(shapes_[at(inputs[slot])], kAny)) {
        return false;
      }
    }
    return true;
  }
  [[nodiscard]] bool is_constant(TensorId tensor) const {
    return exists(tensor) && is_constant_[same_[at(tensor)].op.index()];
  }

  // Equal small integers are one constant, so that their readers can be merged.
  void share_value(OpId op) {
    for (std::uint32_t slot = 0; slot < tensors_.output_count(op); ++slot) {
      const std::size_t tensor = at({op, slot});
      if (values_[tensor] == kNothing || shapes_[tensor] == kNothing) continue;
      const std::string key = fmt::format("{} {} {}", static_cast<int>(tensors_.type({op, slot})),
                                          shapes_[tensor], values_[tensor]);
      same_[tensor] = constants_.try_emplace(key, same_[tensor]).first->second;
    }
  }

  [[nodiscard]] bool passes_input_on(OpId op) const {
    const DoesNothingIf rule = kinds_[graph_.type_id(op)];
    if (rule == DoesNothingIf::kNever || tensors_.output_count(op) != 1) return false;
    const auto inputs = graph_.inputs(op);
    if (inputs.empty() || !exists(inputs[0])) return false;
    // What reads a variable reads it at its own time.
    const OpKind source = facts_.of(graph_, inputs[0].op).kind;
    if (source == OpKind::kSwitch) return false;
    if (source == OpKind::kVariable && !is_only_cast_down(op)) return false;
    if (graph_.device_id(inputs[0].op) != graph_.device_id(op)) return false;
    const FoldedOpView view{
        graph_,
        op,
        lists_,
        shapes_[at({op, 0})],
        shapes_[at(inputs[0])],
        inputs.size() > 1 && exists(inputs[1]) ? values_[at(inputs[1])] : kNothing};
    return does_nothing(rule, view);
  }

  void merge(OpId op) {
    if (tensors_.output_count(op) == 0) return;
    std::string& key = key_;
    key.clear();
    const auto add = [&](std::uint32_t number) {
      key.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    add(graph_.type_id(op));
    add(graph_.device_id(op));
    inputs_.clear();
    for (const TensorId input : graph_.inputs(op)) {
      inputs_.push_back(exists(input) ? same_[at(input)] : input);
    }
    if (is_commutative(graph_.type(op))) std::sort(inputs_.begin(), inputs_.end());
    for (const TensorId input : inputs_) {
      add(input.op.value);
      add(input.slot);
    }
    add(OpId::kNone);
    for (const OpId control : graph_.control_inputs(op)) add(control.value);
    graph_.codec().for_each_attribute(graph_.encoded(op),
                                      [&](std::string_view name, std::string_view value) {
                                        if (name == "_output_shapes") return;
                                        key.append(name).append(value);
                                      });
    // A hundred thousand keys are compared by their hashes alone: of 128 bits, so none collide.
    const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
    const auto [entry, is_new] = ops_by_key_.try_emplace({hash.low64, hash.high64}, op);
    if (is_new) {
      if (is_constant_[op.index()]) share_value(op);
      return;
    }
    folding_.ops.push_back({op, Fold::kMerged, entry->second});
    for (std::uint32_t slot = 0; slot < tensors_.output_count(op); ++slot) {
      if (exists({entry->second, slot})) same_[at({op, slot})] = same_[at({entry->second, slot})];
    }
  }

  // Identities that only casts to smaller types read.
  void find_only_cast_down() {
    const auto& types = graph_.types();
    if (std::find(types.begin(), types.end(), "Cast") == types.end()) return;
    std::vector<bool> is_read(graph_.op_count());
    only_cast_down_.assign(graph_.op_count(), true);
    for (const OpId op : graph_.ops()) {
      const bool is_cast = graph_.type(op) == "Cast";
      for (const TensorId input : graph_.inputs(op)) {
        is_read[input.op.index()] = true;
        if (!is_cast || !is_smaller(op, input)) only_cast_down_[input.op.index()] = false;
      }
      for (const OpId control : graph_.control_inputs(op)) {
        only_cast_down_[control.index()] = false;
      }
    }
    for (std::size_t op = 0; op < is_read.size(); ++op) {
      if (!is_read[op]) only_cast_down_[op] = false;
    }
  }
  [[nodiscard]] bool is_smaller(OpId op, TensorId input) const {
    if (!exists(input) || tensors_.output_count(op) != 1) return false;
    const auto from = element_bytes(base_type(tensors_.type(input)));
    const auto to = element_bytes(base_type(tensors_.type({op, 0})));
    return from && to && *to < *from;
  }
  [[nodiscard]] bool is_only_cast_down(OpId op) const {
    return !only_cast_down_.empty() && only_cast_down_[op.index()];
  }

  const Graph& graph_;
  const OpFactsTable& facts_;
  const SwapCopies& copies_;
  const TensorTable& tensors_;
  std::span<const std::uint32_t> first_;
  DimLists lists_;
  std::vector<DimsId> shapes_, values_;  // by tensor
  std::vector<TensorId> same_;           // by tensor: the one that readers read instead
  std::vector<bool> is_constant_;        // by op
  std::vector<bool> only_cast_down_;     // by op; empty: none
  std::vector<DoesNothingIf> kinds_;     // by type id
  std::unordered_map<std::string, TensorId> constants_;
  struct HalfOfHash {
    std::size_t operator()(const std::pair<std::uint64_t, std::uint64_t>& hash) const {
      return hash.first;
    }
  };
  std::unordered_map<std::pair<std::uint64_t, std::uint64_t>, OpId, HalfOfHash> ops_by_key_;
  std::string key_;
  std::vector<TensorId> inputs_;
  Folding folding_;
};

}  // namespace

Folding find_folding(const GraphFacts& facts, const TensorTable& tensors) {
  Folding folding = FoldingSearch(facts, tensors).run();
  folding.conditionals = decided_alike(
      facts, folding.ops, find_conditionals(facts.graph(), facts.ops(), Conditions(facts.graph())));
  folding.is_copy = facts.copies().is_copy;
  if (!LoopTypes(facts.graph()).has_loops()) return folding;
  // A loop that cannot be decoded was an error for whoever built the step.
  const auto frames =
      find_while_frames(facts.graph(), facts.ops(), facts.stacks(), facts.passes().phases());
  if (!frames) return folding;
  for (const WhileFrame& frame : frames->frames) {
    folding.loops.push_back({frame.exits, frame.next_iterations});
  }
  return folding;
}

}  // namespace tideline
