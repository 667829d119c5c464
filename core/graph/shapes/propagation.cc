// Problem: a graph says what its ops compute, not the sizes of their results. A shape follows from
// the shapes of the inputs, often from their elements too (the target of a Reshape), through loops
// and through containers behind handles.
// Idea: one rule for each op type, applied in topological order, so that a graph without loops
// needs one pass. An output that was not evaluated yet is pending; its consumers wait. Loops start
// optimistically: a Merge assumes the value that enters the loop and ignores the pending back edge;
// when a different value arrives over that edge, it widens to what both have in common, and its
// consumers are evaluated again. Containers (stacks, TensorArrays) work the same way: they are
// pending until something is added, and then widen. In the end every fact follows from facts that
// hold.
//   i = Merge(0, next) first has the element 0; next = i + 1 brings 1; then: a scalar, no element
// Facts only ever lose information (number, then unknown), so this terminates. Rules may oscillate
// on unusual graphs; after kMostVisits visits the op stays unknown.
// Ops that accept a single rank determine the rank of what they read (demands.h); the consequences
// are propagated forward again.
// Known shapes (recorded, given) are combined with the inferred ones. On a contradiction they win
// if they are certain, as given ones are. Limits: one symbol for the batch; elements are followed
// for small tensors only; what is read from a container that is never written is unknown. Cost: see
// infer_shapes. Source: abstract interpretation (Kildall 1973), own rules. Tested by
// unit/graph/shapes/*, golden/shapes_test.cc, integration/shapes_test.py.
#include "core/graph/shapes/propagation.h"

#include <algorithm>

#include "core/graph/op_types.h"

namespace tideline {
namespace {

enum Role : std::uint8_t { kPlain, kMerge, kNextIteration, kArgument };

constexpr std::uint8_t kMostVisits = 100;

Role role_of(std::string_view type) {
  if (is_merge(type)) return kMerge;
  if (is_next_iteration(type)) return kNextIteration;
  return type == "_Arg" ? kArgument : kPlain;
}

}  // namespace

Propagation::Propagation(const InferenceInput& input, DimLists& lists, FunctionCalls& calls)
    : input_(input),
      graph_(input.graph),
      lists_(lists),
      first_(input.first_output),
      context_(graph_, lists_, cells_, calls),
      loop_types_(graph_),
      facts_(first_.back(), TensorFact::pending()),
      dirty_(graph_.op_count()),
      flags_(graph_.op_count()),
      visits_(graph_.op_count()) {
  for (const std::string_view type : graph_.types()) {
    rules_.push_back(shape_rule(type));
    roles_.push_back(role_of(type));
  }
  constexpr std::int64_t kVisitsForAll = 16;
  constexpr std::int64_t kSpareVisits = 100000;
  budget_ = kVisitsForAll * graph_.op_count() + kSpareVisits;
}

// File order if it is topological, else a topological sort. Ops of a cycle that is not a loop come
// last.
void Propagation::find_order() {
  if (is_in_topological_order(graph_, loop_types_, Edges::kData)) return;
  if (!consumers_) consumers_.emplace(graph_);
  order_ = ready_order(graph_, *consumers_, loop_types_, Edges::kData);
  std::vector<bool> is_ready(graph_.op_count());
  for (const OpId op : order_) is_ready[op.index()] = true;
  for (const OpId op : graph_.ops()) {
    if (!is_ready[op.index()]) order_.push_back(op);
  }
  position_.resize(order_.size());
  for (std::uint32_t at = 0; at < order_.size(); ++at) position_[order_[at].index()] = at;
}

void Propagation::mark(OpId op) {
  dirty_.insert(position_of(op));
}

void Propagation::mark_readers(OpId op) {
  if (!consumers_) consumers_.emplace(graph_);
  for (const Use& use : consumers_->data(op)) mark(use.consumer);
}

void Propagation::drain() {
  const std::uint32_t end = graph_.op_count();
  for (std::uint32_t begin = dirty_.take_lowest(); begin < end; begin = dirty_.take_lowest()) {
    for (std::uint32_t at = dirty_.next(begin); at < end; at = dirty_.next(at + 1)) {
      dirty_.erase(at);
      look_at(op_at(at));
    }
  }
}

DimsId Propagation::with_batch(DimsId shape, bool fed) {
  const Dims* dims = lists_.find(shape);
  if (!fed || dims == nullptr || dims->empty() || !dims->front().is_unknown()) return shape;
  Dims bound = *dims;
  bound.front() = input_.batch_size ? Dim::of(*input_.batch_size) : Dim::batch();
  return lists_.id(bound);
}

DimsId Propagation::with_symbols(DimsId shape, std::uint32_t output) {
  constexpr std::size_t kMostDims = 16;
  if (shape == kPending) return shape;
  const Dims* dims = lists_.find(shape);
  if (dims == nullptr || dims->size() > kMostDims) return shape;
  Dims named = *dims;
  for (std::size_t axis = 0; axis < named.size(); ++axis) {
    if (named[axis].is_unknown() || named[axis].is_batch()) {
      named[axis] = Dim::symbol(static_cast<std::int64_t>(output * kMostDims + axis));
    }
  }
  return lists_.id(named);
}

// False when the op has to wait.
bool Propagation::apply_rule(OpId op, std::span<TensorFact> outputs) {
  const auto role = roles_[graph_.type_id(op)];
  inputs_.clear();
  bool any_pending = false;
  bool all_pending = true;
  for (const TensorId input : graph_.inputs(op)) {
    inputs_.push_back(fact(input));
    const bool pending = inputs_.back().shape == kPending;
    any_pending |= pending;
    all_pending &= pending;
  }
  if (role == kMerge ? all_pending && !inputs_.empty() : any_pending) return false;
  context_.begin(op, inputs_, outputs);
  if (const auto passed = arguments_.find(op.value);
      role == kArgument && passed != arguments_.end()) {
    context_.set(0, passed->second);
  } else if (const ShapeRule rule = rules_[graph_.type_id(op)]; rule != nullptr) {
    rule(context_);
  }
  if (context_.waits()) return false;
  if (context_.has_contradiction()) {
    std::fill(outputs.begin(), outputs.end(), TensorFact{});
    flags_[op.index()] |= kContradicts;
  }
  return true;
}

// Combines the result of the rule with what is known beforehand, and joins a Merge with its
// previous result, so that loops terminate.
void Propagation::settle(OpId op, std::span<TensorFact> outputs) {
  const bool is_merge = roles_[graph_.type_id(op)] == kMerge;
  for (std::uint32_t slot = 0; slot < outputs.size(); ++slot) {
    TensorFact& output = outputs[slot];
    const std::uint32_t at = first_[op.index()] + slot;
    if (is_merge) output = join_facts(lists_, facts_[at], output);
    const bool may_be_any = input_.with_symbols && graph_.type(op).starts_with("Placeholder");
    if (may_be_any) output.shape = kNothing;
    if (!input_.known.empty() && input_.known[at] != kNothing) {
      bool agree = true;
      const DimsId inferred = output.shape;
      output.shape = meet_lists(lists_, input_.known[at], output.shape, agree);
      if (agree) {
        differences_.erase(at);
      } else if (input_.certain == nullptr || (*input_.certain)[at]) {
        output.value = kNothing;
        differences_[at] = inferred;
      } else {
        output.shape = inferred;
        differences_[at] = inferred;
      }
    }
    if (const auto demanded = demanded_.find(at); demanded != demanded_.end()) {
      bool agree = true;  // an op with another shape would fail at run time
      output.shape = meet_lists(lists_, output.shape, demanded->second, agree);
    }
    output.shape = input_.with_symbols ? with_symbols(output.shape, at)
                                       : with_batch(output.shape, context_.is_fed());
  }
}

void Propagation::store(OpId op, std::span<const TensorFact> outputs) {
  const auto old = std::span(facts_).subspan(first_[op.index()], outputs.size());
  if (std::equal(outputs.begin(), outputs.end(), old.begin())) return;
  std::copy(outputs.begin(), outputs.end(), old.begin());
  // In the first pass readers are still to come, but for those behind a back edge.
  const bool is_first = visits_[op.index()] <= 1;
  if (!is_first || roles_[graph_.type_id(op)] == kNextIteration) mark_readers(op);
}

void Propagation::look_at(OpId op) {
  const std::uint32_t count = first_[op.index() + 1] - first_[op.index()];
  if ((flags_[op.index()] & kPinned) != 0) return;
  flags_[op.index()] &= static_cast<std::uint8_t>(~kContradicts);
  outputs_.resize(count);
  ++visits_[op.index()];
  if (visits_[op.index()] >= kMostVisits || --budget_ < 0) {
    flags_[op.index()] |= kPinned;
    ++visits_[op.index()];  // its consumers must be evaluated again in any pass
    std::fill(outputs_.begin(), outputs_.end(), TensorFact{});
    context_.begin(op, {}, outputs_);
  } else if (!apply_rule(op, outputs_)) {
    return;
  }
  settle(op, outputs_);
  store(op, outputs_);
  for (const std::uint32_t cell : context_.changed_cells()) {
    for (const OpId reader : cells_[cell].readers) mark(reader);
  }
}

// A container that is read but never written may hold anything.
void Propagation::release_empty_cells() {
  for (std::uint32_t cell = 0; cell < cells_.count(); ++cell) {
    if (cells_[cell].content.shape != kPending) continue;
    cells_[cell].content = {};
    for (const OpId reader : cells_[cell].readers) mark(reader);
  }
  drain();
}

// Ops that still wait stand behind a loop that nothing enters, or in a cycle that is no loop. One
// sweep: what is released is told forward on the way.
void Propagation::release_pending() {
  for (std::uint32_t at = 0; at < graph_.op_count(); ++at) {
    const OpId op = op_at(at);
    if (dirty_.contains(at)) {
      dirty_.erase(at);
      look_at(op);
    }
    const std::uint32_t count = first_[op.index() + 1] - first_[op.index()];
    if (count == 0 || facts_[first_[op.index()]].shape != kPending) continue;
    outputs_.assign(count, TensorFact{});
    context_.begin(op, {}, outputs_);
    settle(op, outputs_);
    flags_[op.index()] |= kPinned;
    store(op, outputs_);
    mark_readers(op);
  }
  drain();
}

// Finds tensors of unknown rank whose consumers accept a single rank. True if there are new ones.
bool Propagation::note_demands() {
  std::vector<bool> demanding(graph_.types().size());
  for (std::size_t type = 0; type < demanding.size(); ++type) {
    demanding[type] = makes_demands(graph_.types()[type]);
  }
  bool any = false;
  for (const OpId op : graph_.ops()) {
    if (!demanding[graph_.type_id(op)]) continue;
    const auto inputs = graph_.inputs(op);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const TensorId input = inputs[i];
      if (!exists(input)) continue;
      if (const DimsId known = fact(input).shape; known != kNothing && known != kPending) continue;
      const std::uint32_t at = first_[input.op.index()] + input.slot;
      inputs_.clear();
      for (const TensorId other : inputs) {
        inputs_.push_back(fact(other).shape == kPending ? TensorFact{} : fact(other));
      }
      context_.begin(op, inputs_, {});
      const DimsId demanded = demanded_shape(context_, i);
      if (demanded == kNothing || !demanded_.emplace(at, demanded).second) continue;
      mark(input.op);
      any = true;
    }
  }
  return any;
}

void Propagation::run() {
  find_order();
  dirty_.insert_all();
  if (input_.with_symbols) {
    // What is fed has the shape that its readers demand, so all else is looked at first, as far as
    // it does not wait for that.
    for (const OpId op : graph_.ops()) {
      if (graph_.type(op).starts_with("Placeholder")) dirty_.erase(position_of(op));
    }
    drain();
    (void)note_demands();
    for (const OpId op : graph_.ops()) {
      const std::uint32_t first = first_[op.index()];
      if (first < first_[op.index() + 1] && facts_[first].shape == kPending) mark(op);
    }
  }
  drain();
  release_empty_cells();
  release_pending();
  // What is demanded of one tensor tells more of others, which may be demanded of in turn.
  constexpr int kMostRounds = 8;
  for (int round = 0; round < kMostRounds && note_demands(); ++round) drain();
}

InferredShapes Propagation::report() const {
  InferredShapes report;
  for (const OpId op : graph_.ops()) {
    if ((flags_[op.index()] & kContradicts) != 0) report.contradictions.push_back(op);
    const bool has_outputs = first_[op.index() + 1] > first_[op.index()];
    if (has_outputs && rules_[graph_.type_id(op)] == nullptr) ++report.ops_without_rule;
  }
  for (const auto& [output, inferred] : differences_) {
    report.differences.push_back({output, inferred});
  }
  return report;
}

}  // namespace tideline
