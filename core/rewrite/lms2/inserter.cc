#include "core/rewrite/lms2/inserter.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/rewrite/lms/draft.h"
#include "core/rewrite/lms/fusions.h"
#include "core/rewrite/lms/guard.h"
#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/lms/placed_copy.h"
#include "core/rewrite/lms2/context.h"
#include "core/rewrite/lms2/play_input.h"
#include "core/rewrite/lms2/play_triggers.h"

namespace tideline::lms2 {
namespace {

// The search for the trigger of a swap-in: the op after which a tensor is copied back.
// Problem: a swap-in should start some levels before its first consumer needs the tensor, and no
// earlier: it waits, over a control edge, for an op that runs at about that time. That op must run
// before the consumer in any case, or the edge could close a cycle; so it has to lead to the
// consumer.
// Idea: the reference tests for every op of a level whether it reaches the consumer, level by
// level. A backward search from the consumer over its inputs visits exactly the ops that do, and
// levels bound it: nothing below the lowest level of interest is visited.
//   levels 70 71 72 73 74, dest at 74, ahead 2: levels 71, 70, ... are searched; of the ops that
//   lead to dest the one on the highest such level is taken.
// A swapped edge is not a path any more: its consumer now reads a copy, which the search does not
// visit.
// Cost: O(edges into the ops between the lowest level and dest that lead to it).
// Source: IBM TFLMS v2, lms.py, _search_by_level and _is_reachable (rules only).
// Tested by unit/rewrite/lms2_test.cc and by the oracles of the reference.

// The further away, the earlier a tensor comes back, but ten levels may hold nothing else than what
// Grappler fuses: on a transformer they leave 44 of 93 swap-ins without a trigger, sixty leave 3.
constexpr std::int32_t kLevelsTriedForFusion = 60;

// A trigger and its level.
struct Trigger {
  OpId op;  ///< invalid when none was found
  std::int32_t level = kNoLevel;
};

// Finds triggers in a draft in which all swaps are inserted. Reuses its buffers between searches.
// Thread: not shared.
class TriggerSearch {
 public:
  /// With a guard, ops that may be skipped when the consumers run are rejected.
  TriggerSearch(const Context& context, Draft& draft, const Guard* guard)
      : context_(context),
        draft_(draft),
        guard_(guard),
        levels_tried_(context.options.keep_fusion ? kLevelsTriedForFusion : kLevelsTried),
        is_fused_(context.options.keep_fusion ? fused_types(context.graph) : std::vector<bool>()),
        visited_(context.graph.op_count()) {}

  /// Searches at most ten levels, or sixty to keep fusions, from level(dest) - `ahead` - 1 down and
  /// above level(source), for an active device op outside conditionals and loops that reaches
  /// `dest` over data edges of rising level without passing a copy. Returns the first in file order
  /// on the highest such level. Cost: O(edges into the ops upstream of `dest` on and above those
  /// levels).
  [[nodiscard]] Trigger find(OpId source, OpId dest, OpId swap_in, int ahead);

 private:
  [[nodiscard]] bool may_trigger(OpId op, OpId swap_in);

  const Context& context_;
  Draft& draft_;
  const Guard* guard_;
  std::int32_t levels_tried_;
  std::vector<bool> is_fused_;  // by type id; empty: does not matter
  std::vector<std::uint32_t> visited_;
  std::uint32_t visit_ = 0;
};

bool TriggerSearch::may_trigger(OpId op, OpId swap_in) {
  if (!lms2::may_trigger(context_, op)) return false;
  if (!is_fused_.empty() && is_fused_[context_.graph.type_id(op)]) return false;
  if (guard_ != nullptr && !guard_->keeps_alive(draft_, swap_in, op)) return false;
  if (draft_.crosses_frames(swap_in, op)) return false;
  // Levels rise along every edge outside of loops, so the swap-in can lead to the op only in a
  // graph with loops.
  return !draft_.has_loops() || !draft_.leads_to(swap_in, op);
}

Trigger TriggerSearch::find(OpId source, OpId dest, OpId swap_in, int ahead) {
  const LevelMap& levels = context_.levels;
  const std::int32_t end = levels.level(dest) - ahead;
  const std::int32_t lowest = std::max(end - levels_tried_, levels.level(source) + 1);
  Trigger best;
  if (lowest >= end || lowest < 0) return best;
  ++visit_;
  std::vector<OpId> todo = {dest};
  while (!todo.empty()) {
    const OpId op = todo.back();
    todo.pop_back();
    for (const TensorId input : draft_.inputs(op)) {
      if (draft_.is_copy(input.op) || visited_[input.op.index()] == visit_) continue;
      const std::int32_t level = levels.level(input.op);
      if (level < lowest || level >= levels.level(op)) continue;
      visited_[input.op.index()] = visit_;
      todo.push_back(input.op);
      const bool better = level > best.level || (level == best.level && input.op < best.op);
      if (level < end && better && may_trigger(input.op, swap_in)) best = {input.op, level};
    }
  }
  return best;
}

// Synchronization of LMS v2: control edges between copies and the computation.
// The reference synchronises every active host op of the graph, both its own copies and existing
// ops; the callers decide to which ops these rules are applied. Where the reference searches for
// cycles only along device ops of rising level, the draft is asked for any path: an edge that would
// close a cycle through a host op or an earlier edge is omitted as well. Source: IBM TFLMS v2,
// lms.py, _sync_h2d and _sync_d2h (rules only).

// The active device ops among `ops`, which may hold copies.
std::vector<OpId> device_ops(const Context& context, const Draft& draft,
                             const std::vector<OpId>& ops) {
  std::vector<OpId> found;
  for (const OpId op : ops) {
    if (!draft.is_copy(op) && context.is_active_device_op(op)) found.push_back(op);
  }
  return found;
}

std::vector<OpId> merged(const std::vector<OpId>& a, const std::vector<OpId>& b) {
  std::vector<OpId> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

bool among(const std::vector<OpId>& sorted, OpId op) {
  return std::binary_search(sorted.begin(), sorted.end(), op);
}

// If `copy`, any op on the host, has exactly one active device reader x, makes it wait for the
// other active device inputs of x, data and control; if x has none, for the active device ops one
// level below x. Ops that the copy leads to are excluded and, with a guard, ops that may be
// skipped. Edges are added to `draft` and `edges`. Returns the number of edges that were omitted
// because they would lead into or out of a loop. Cost: O(edges of x), plus a search of the draft
// for each.
std::int64_t sync_swap_in(const Context& context, const Guard* guard, Draft& draft, OpId copy,
                          std::vector<ControlEdge>& edges) {
  const std::vector<OpId> readers = device_ops(context, draft, draft.readers(copy));
  if (readers.size() != 1) return 0;
  const OpId reader = readers.front();
  std::vector<OpId> waited_for =
      device_ops(context, draft, merged(draft.producers(reader), draft.awaited(reader)));
  if (waited_for.empty()) {
    const auto below = context.levels.ops(context.levels.level(reader) - 1);
    waited_for = device_ops(context, draft, {below.begin(), below.end()});
  }
  const std::vector<OpId> inputs = merged(draft.producers(copy), draft.awaited(copy));
  std::int64_t crossing = 0;
  for (const OpId op : waited_for) {
    if (op == copy || among(inputs, op) || draft.leads_to(copy, op)) continue;
    if (guard != nullptr && !guard->keeps_alive(draft, copy, op)) continue;
    if (draft.crosses_frames(copy, op)) {
      ++crossing;
    } else if (draft.add_control(copy, op)) {
      edges.push_back({copy, op});
    }
  }
  return crossing;
}

// If `copy` has exactly one active device input p, makes every active device op that p feeds, by
// data or control, wait for the copy, except ops that lead to the copy. Returns as sync_swap_in.
std::int64_t sync_swap_out(const Context& context, const Guard* guard, Draft& draft, OpId copy,
                           std::vector<ControlEdge>& edges) {
  const std::vector<OpId> producers = device_ops(context, draft, draft.producers(copy));
  if (producers.size() != 1) return 0;
  const OpId producer = producers.front();
  const std::vector<OpId> followers =
      device_ops(context, draft, merged(draft.readers(producer), draft.waiters(producer)));
  const std::vector<OpId> outputs = merged(draft.readers(copy), draft.waiters(copy));
  std::int64_t crossing = 0;
  for (const OpId op : followers) {
    if (op == copy || among(outputs, op) || draft.leads_to(op, copy)) continue;
    if (guard != nullptr && !guard->keeps_alive(draft, op, copy)) continue;
    if (draft.crosses_frames(op, copy)) {
      ++crossing;
    } else if (draft.add_control(op, copy)) {
      edges.push_back({op, copy});
    }
  }
  return crossing;
}

}  // namespace

OpId Inserter::add_copy(bool is_back, TensorId tensor, TensorId input, OpId consumer) {
  const bool is_grappler = context_.options.copy_mode == CopyMode::kGrappler;
  if (use_ == PlanUse::kPeak) {
    NewOp op;
    op.type = "Identity";  // a peak asks only in whose memory the copy is
    op.device = is_grappler ? "/cpu:0" : std::string_view(context_.options.cpu_device);
    op.inputs = {input};
    op.attributes.emplace_back(kKeptFromGrappler, AttrValue::of_bool(true));
    plan_.edit.add_op(context_.graph, op);
    return draft_.add_copy(input);
  }
  SwapCopy copy;
  copy.name = names_.make(is_grappler ? grappler_name(context_.graph, is_back, tensor, consumer)
                                      : name_of_copy(is_back, tensor));
  copy.device = context_.options.cpu_device;
  copy.input = input;
  copy.type = base_type(context_.tensors.type(tensor));
  if (context_.tensors.has_recorded_shapes(tensor.op)) {
    copy.shape = context_.tensors.shape(tensor);
  }
  const CopyPlace place{context_.options.copy_mode, is_back, is_back ? consumer : tensor.op};
  add_placed_copy(context_.graph, place, std::move(copy), plan_.edit);
  return draft_.add_copy(input);
}

std::string Inserter::name_of_copy(bool is_back, TensorId tensor) const {
  std::string base = context_.graph.tensor_name(tensor);
  std::replace_if(
      base.begin(), base.end(), [](char c) { return c == '/' || c == ':'; }, '_');
  return fmt::format("lms/{}_{}", is_back ? "swapin" : "swapout", base);
}

void Inserter::insert(const SwapChoice& choice) {
  PlannedSwap swap;
  swap.tensor = choice.tensor;
  swap.bytes = context_.bytes(choice.tensor);
  if (const LoopList* list = context_.list(choice.tensor)) {
    plan_.lists.push_back({list->tensor, list->element_bytes, list->elements});
  }
  if (use_ == PlanUse::kReport) swap.why = why_swapped(context_, choice);
  swap.own_ahead = choice.own_ahead;
  swap.swap_out = add_copy(false, choice.tensor, choice.tensor, earliest(choice.groups.front()));
  for (const ConsumerGroup& group : choice.groups) {
    PlannedSwapIn swap_in;
    swap_in.copy = add_copy(true, choice.tensor, {swap.swap_out, 0}, earliest(group));
    swap_in.consumers = group;
    for (const OpId consumer : group) {
      const auto inputs = context_.graph.inputs(consumer);
      for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
        if (inputs[slot] != choice.tensor) continue;
        // It may read the tensor by value and also as the variable that it changes.
        if (context_.graph.reads_reference(consumer, slot)) continue;
        draft_.reroute(consumer, slot, {swap_in.copy, 0});
        plan_.edit.rerouted.push_back({consumer, slot, choice.tensor, {swap_in.copy, 0}});
      }
    }
    swap.swap_ins.push_back(std::move(swap_in));
  }
  plan_.swaps.push_back(std::move(swap));
}

// Groups are sorted by level, then file order, and all members are active device ops.
OpId Inserter::earliest(const ConsumerGroup& group) const {
  return group.front();
}

Status Inserter::trigger_all(Progress& progress) {
  TriggerSearch search(context_, draft_, active_guard_);
  std::int64_t done = 0;
  for (std::size_t at = 0; at < plan_.swaps.size(); ++at) {
    PlannedSwap& swap = plan_.swaps[at];
    constexpr std::int64_t kSwapsBetweenReports = 256;
    if (done++ % kSwapsBetweenReports == 0 &&
        !progress.report("finding triggers", done, plan_.swap_out_count())) {
      return cancelled();
    }
    const int ahead = swap.own_ahead > 0 ? swap.own_ahead : context_.options.swapin_ahead;
    for (std::size_t group = 0; group < swap.swap_ins.size(); ++group) {
      PlannedSwapIn& swap_in = swap.swap_ins[group];
      const Trigger found =
          search.find(swap.tensor.op, earliest(swap_in.consumers), swap_in.copy, ahead);
      if (!found.op.valid()) {
        if (context_.options.keep_fusion) {
          never_woken_.emplace_back(at, group);
        } else {
          crossing_ +=
              sync_swap_in(context_, active_guard_, draft_, swap_in.copy, plan_.edit.control);
        }
        continue;
      }
      swap_in.trigger = found.op;
      swap_in.trigger_level = found.level;
      if (draft_.add_control(swap_in.copy, found.op)) {
        plan_.edit.control.push_back({swap_in.copy, found.op});
      }
    }
  }
  return {};
}

// Host ops of the graph, then our copies when their device is one.
std::vector<OpId> Inserter::active_host_ops() const {
  std::vector<OpId> ops;
  for (const OpId op : context_.graph.ops()) {
    if (context_.placement.on_cpu(op) && !context_.is_inactive(op)) ops.push_back(op);
  }
  if (Placement::names_cpu(context_.options.cpu_device) ||
      context_.options.copy_mode == CopyMode::kGrappler) {
    for (std::uint32_t copy = context_.graph.op_count(); copy < draft_.op_count(); ++copy) {
      ops.push_back(OpId{copy});
    }
  }
  return ops;
}

void Inserter::synchronise() {
  if (context_.options.sync_mode == 0) return note_crossing();
  const std::vector<OpId> host_ops = active_host_ops();
  if (context_.options.syncs_swap_ins()) {
    for (const OpId op : host_ops)
      crossing_ += sync_swap_in(context_, active_guard_, draft_, op, plan_.edit.control);
  }
  if (context_.options.syncs_swap_outs()) {
    for (const OpId op : host_ops)
      crossing_ += sync_swap_out(context_, active_guard_, draft_, op, plan_.edit.control);
  }
  note_crossing();
}

void Inserter::note_crossing() {
  if (crossing_ > 0) {
    plan_.warnings.push_back(
        {"loop",
         fmt::format(
             "{} control edges of copies would lead into or out of a loop, which TensorFlow "
             "refuses; they are omitted",
             crossing_),
         {},
         crossing_});
  }
}

void Inserter::find_risks() {
  for (const ControlEdge& edge : plan_.edit.control) {
    if (!guard_.keeps_alive(draft_, edge.op, edge.after)) plan_.risky.push_back(edge);
  }
}

}  // namespace tideline::lms2
