#include "core/rewrite/lms2/inserter.h"

#include <algorithm>

#include "core/rewrite/lms2/sync.h"
#include "core/rewrite/lms2/trigger.h"

namespace tideline::lms2 {

OpId Inserter::add_copy(const char* kind, TensorId tensor, TensorId input) {
  if (use_ == PlanUse::kPeak) {
    NewOp op;
    op.type = "Identity";
    op.device = context_.options.cpu_device;
    op.inputs = {input};
    plan_.edit.add_op(context_.graph, op);
    return draft_.add_copy(input);
  }
  std::string base = context_.graph.tensor_name(tensor);
  std::replace_if(
      base.begin(), base.end(), [](char c) { return c == '/' || c == ':'; }, '_');
  SwapCopy copy;
  copy.name = names_.make(fmt::format("lms/{}_{}", kind, base));
  copy.device = context_.options.cpu_device;
  copy.input = input;
  copy.type = base_type(context_.tensors.type(tensor));
  if (context_.tensors.has_recorded_shapes(tensor.op)) {
    copy.shape = context_.tensors.shape(tensor);
  }
  copy.keep_from_grappler = true;
  add_swap_copy(context_.graph, copy, plan_.edit);
  return draft_.add_copy(input);
}

void Inserter::insert(const SwapChoice& choice) {
  PlannedSwap swap;
  swap.tensor = choice.tensor;
  swap.bytes = context_.tensors.bytes(choice.tensor);
  if (use_ == PlanUse::kReport) swap.why = why_swapped(context_, choice);
  swap.swap_out = add_copy("swapout", choice.tensor, choice.tensor);
  for (const ConsumerGroup& group : choice.groups) {
    PlannedSwapIn swap_in;
    swap_in.copy = add_copy("swapin", choice.tensor, {swap.swap_out, 0});
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
  for (PlannedSwap& swap : plan_.swaps) {
    constexpr std::int64_t kSwapsBetweenReports = 256;
    if (done++ % kSwapsBetweenReports == 0 &&
        !progress.report("finding triggers", done, plan_.swap_out_count())) {
      return cancelled();
    }
    for (PlannedSwapIn& swap_in : swap.swap_ins) {
      const Trigger found = search.find(swap.tensor.op, earliest(swap_in.consumers), swap_in.copy);
      if (!found.op.valid()) {
        crossing_ +=
            sync_swap_in(context_, active_guard_, draft_, swap_in.copy, plan_.edit.control);
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
  if (Placement::names_cpu(context_.options.cpu_device)) {
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
