// Problem: to cut a step into runs one must know which values a later run can compute again and
// which it must be given, and which ops must not run twice.
// Idea: all from edges and op types. A value varies if it depends on a placeholder, on a queue, on
// random numbers; everything else (constants, variables, what is computed from them) is the same
// until the next update. Backward is what depends on a seed of the gradients, unless the loss
// itself depends on that seed (gradient penalties). An op runs once if it is stateful and neither a
// variable nor a read of one; what it yields as a handle, in a branch or in a loop cannot be kept
// between runs, so whatever reads that runs once as well.
//   x = Placeholder, w = Variable: MatMul(x, w) varies, Mul(w, 2) does not.
//   RandomUniform -> Floor -> Mul: the draw runs once and is cut behind RandomUniform.
// Cost: a few passes over all edges, and one for the owners of gradients.
// Limits: a stateful function call runs once as a whole. Source: own; the roles of the sets follow
// the section-wise rewriter that decisions of this product were tried with. Tested by
// unit/rewrite/sections_test.cc and integration/sections_test.py.
#include "core/rewrite/sections/step_facts.h"

#include <algorithm>
#include <utility>

#include "core/analysis/producers_first.h"
#include "core/base/scope_name.h"
#include "core/graph/nearest_names.h"
#include "core/graph/walks.h"
#include "core/rewrite/sections/gradient_owners.h"

namespace tideline::sections {
namespace {

// Containers that live for one run only: another run makes its own.
bool is_made_by_each_run(std::string_view type) {
  return type.starts_with("Stack") || type.starts_with("TensorArray") ||
         type.starts_with("TensorList") || type.starts_with("TensorMap") ||
         type.starts_with("EmptyTensorList");
}

bool must_run_once(const OpFacts& facts, std::string_view type, bool has_signature) {
  switch (facts.kind) {
    case OpKind::kAssign:
    case OpKind::kUpdate:
    case OpKind::kQueue:
    case OpKind::kInput:
    case OpKind::kSave: return true;
    case OpKind::kVariable:
    case OpKind::kRead:
    case OpKind::kPlaceholder:
    case OpKind::kConstant:
    case OpKind::kCheck: return false;
    case OpKind::kContainer: return !is_made_by_each_run(type);
    case OpKind::kUnknown: return facts.is_stateful || !has_signature;
    default: return facts.is_stateful;
  }
}

}  // namespace

StepFacts::StepFacts(const GraphFacts& known, StepRoots roots, const TensorTable& tensors)
    : known_(&known),
      graph_(&known.graph()),
      tensors_(&tensors),
      roots_(std::move(roots)),
      conditions_(*graph_),
      order_(producers_first(*graph_)),
      gradient_of_(find_gradient_owners(known, order_)) {}

Result<StepFacts> StepFacts::find(const GraphFacts& known, const StepRoots& roots,
                                  const TensorTable& tensors) {
  StepFacts found(known, roots, tensors);
  TIDELINE_TRY(found.frames_, find_while_frames(known.graph(), known.ops(), known.stacks(),
                                                known.passes().phases()));
  found.find_loops();
  found.find_tokens();
  found.find_step();
  found.find_once();
  found.find_varying();
  TIDELINE_RETURN_IF_ERROR(found.find_backward());
  return found;
}

bool StepFacts::can_be_cut(TensorId tensor, OpId reader, std::uint32_t slot) const {
  if (conditions_.of(tensor) != BranchSetId{} || is_token_[tensor.op.index()]) return false;
  if (graph_->reads_reference(reader, slot)) return false;
  const DataType type = base_type(tensors_->type(tensor));
  if (type == DataType::kResource || type == DataType::kVariant || type == DataType::kString ||
      type == DataType::kInvalid) {
    return false;
  }
  if (loop_of(tensor.op) == kNoFrame) return true;
  // Only what leaves the outermost loop; its Enter ops lead into it.
  const std::uint32_t inside = frames_.frame_of[tensor.op.index()];
  return kind(tensor.op) == OpKind::kExit && frames_.frames[inside].parent == kNoFrame;
}

void StepFacts::find_loops() {
  if (frames_.frames.empty()) return;
  loop_of_ = frames_.frame_of;
  for (std::uint32_t& loop : loop_of_) {
    while (loop != kNoFrame && frames_.frames[loop].parent != kNoFrame) {
      loop = frames_.frames[loop].parent;
    }
  }
}

// The ops of a TensorArray are ordered by a tensor without meaning, the flow, that each reads and
// hands on. A run that were fed a flow would not have the array that belongs to it.
void StepFacts::find_tokens() {
  const Graph& graph = *graph_;
  OpWalk tokens(graph);
  std::vector<bool> reads_flow;  // by type id
  for (std::uint32_t type = 0; type < graph.types().size(); ++type) {
    reads_flow.push_back(table().of(type).kind == OpKind::kContainer);
  }
  for (const OpId op : graph.ops()) {
    if (!reads_flow[graph.type_id(op)]) continue;
    const OpSignature* signature = graph.signature(op);
    if (signature == nullptr) continue;
    const auto inputs = graph.inputs(op);
    for (std::size_t i = 0; i < std::min(inputs.size(), signature->inputs.size()); ++i) {
      if (signature->inputs[i].name == "flow_in") tokens.add(inputs[i].op);
    }
  }
  while (const auto op = tokens.next()) {
    switch (kind(*op)) {
      case OpKind::kView:
      case OpKind::kSwitch:
      case OpKind::kMerge:
      case OpKind::kEnter:
      case OpKind::kExit:
      case OpKind::kNextIteration: {
        const auto inputs = graph.inputs(*op);
        // The other input of a Switch is its predicate.
        const std::size_t count = kind(*op) == OpKind::kMerge ? inputs.size() : 1;
        for (std::size_t i = 0; i < std::min(count, inputs.size()); ++i) tokens.add(inputs[i].op);
        break;
      }
      default: break;
    }
  }
  is_token_ = tokens.take();
}

std::vector<bool> StepFacts::reached_from(const std::vector<OpId>& first) const {
  OpWalk reached(*graph_);
  for (const OpId op : first) reached.add(op);
  while (const auto op = reached.next()) {
    reached.add_readers(consumers(), *op, Edges::kData);
    const std::uint32_t stack = stacks().stack_of(*op);
    if (stack == StackLinks::kNone || of(*op).popped) continue;
    for (const OpId pop : stacks().pops(stack)) reached.add(pop);
  }
  return reached.take();
}

std::vector<bool> StepFacts::needed_by(OpId op) const {
  OpWalk needed(*graph_);
  needed.add(op);
  while (const auto next = needed.next()) {
    for_each_producer(*graph_, table(), stacks(), *next,
                      [&](OpId producer) { needed.add(producer); });
  }
  return needed.take();
}

void StepFacts::find_step() {
  OpWalk step(*graph_);
  step.add(roots_.train_op);
  step.add(roots_.loss.op);
  for (const OpId op : roots_.updates) step.add(op);
  while (const auto op = step.next()) step.add_inputs(*op, Edges::kDataAndControl);
  in_step_ = step.take();
}

bool StepFacts::is_handle(OpId op) const {
  if (is_variable(op)) return true;
  if (!graph_->inputs(op).empty() || tensors_->output_count(op) != 1) return false;
  if (is_placeholder(op) || is_made_by_each_run(graph_->type(op))) return false;
  const DataType type = tensors_->type({op, 0});
  return type == DataType::kResource || type == reference_to(DataType::kString);
}

void StepFacts::find_once() {
  once_.assign(graph_->op_count(), false);
  effect_ = shared_ = once_;
  std::vector<bool> by_type;
  std::vector<bool> is_known(graph_->types().size());
  for (const OpId op : graph_->ops()) {
    is_known[graph_->type_id(op)] = graph_->signature(op) != nullptr;
  }
  for (std::uint32_t type = 0; type < graph_->types().size(); ++type) {
    by_type.push_back(must_run_once(table().of(type), graph_->types()[type], is_known[type]));
  }
  for (bool changed = true; changed;) {  // again for the back edges of loops
    changed = false;
    for (const OpId op : order_) {
      if (!in_step(op) || once_[op.index()]) continue;
      if (is_handle(op)) {
        shared_[op.index()] = true;
        continue;
      }
      bool once = by_type[graph_->type_id(op)];
      effect_[op.index()] = once && kind(op) != OpKind::kRandom;
      const auto inputs = graph_->inputs(op);
      for (std::uint32_t slot = 0; slot < inputs.size() && !once; ++slot) {
        once = once_[inputs[slot].op.index()] && !can_be_cut(inputs[slot], op, slot);
      }
      once_[op.index()] = once;
      changed = changed || (once && loop_of(op) != kNoFrame);
    }
  }
}

void StepFacts::find_varying() {
  std::vector<OpId> sources;
  for (const OpId op : graph_->ops()) {
    if (is_placeholder(op) || runs_once(op)) sources.push_back(op);
  }
  varies_ = reached_from(sources);
}

Status StepFacts::find_backward() {
  std::vector<OpId> seeds;
  if (!roots_.gradient_scope.empty()) {
    for (const OpId op : graph_->ops()) {
      if (is_within(graph_->name(op), roots_.gradient_scope)) seeds.push_back(op);
    }
    if (seeds.empty()) {
      return fail(Code::kNotFound, "{{gradient-scope}}: no op is in the scope '{}'{}",
                  roots_.gradient_scope, nearest_scopes(*graph_, roots_.gradient_scope));
    }
  } else {
    const std::vector<bool> for_loss = needed_by(roots_.loss.op);
    for (const OpId seed : known_->passes().flow().seeds) {
      if (in_step(seed) && !for_loss[seed.index()]) seeds.push_back(seed);
    }
    if (seeds.empty()) {
      return fail(
          Code::kUnsupported,
          "no op that '{}' waits for computes a gradient of the loss '{}'; expected the "
          "train op of a training graph ({{gradient-scope}} names the scope of the gradients)",
          graph_->name(roots_.train_op), graph_->tensor_name(roots_.loss));
    }
  }
  backward_ = reached_from(seeds);
  return {};
}

}  // namespace tideline::sections
