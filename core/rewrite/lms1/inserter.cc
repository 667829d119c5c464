// Problem: tensors of the forward pass that the backward pass reads are swapped. Some backward ops
// have no order, because nothing determines when they run (the shape arithmetic of a gradient);
// copying a tensor back for them may be too early. For these the reference continues with the ops
// after them, whose outputs wait in turn for ops with an order, and swaps those outputs instead;
// and so on.
// Idea: breadth-first from the starting ops over forward ops. A source may add new sources, which
// are handled before the rest of it: a stack of tasks, because the depth depends on the file. The
// search for new sources visits an op at most once: the ops after it are then known.
// Cost: O(ops + edges x log edges) and the trigger searches. Source: IBM TFLMS v1, lms.py (rules
// only). Tested by unit/rewrite/lms1_test.cc, property/lms1_property.cc and the oracles of the
// reference.
#include "core/rewrite/lms1/inserter.h"

#include <algorithm>

#include "core/graph/walks.h"
#include "core/rewrite/lms/placed_copy.h"

namespace tideline::lms1 {

Inserter::Inserter(const Context& context, Draft& draft, TriggerSearch& triggers, LmsPlan& plan)
    : context_(context),
      draft_(draft),
      triggers_(triggers),
      plan_(plan),
      names_(context.graph),
      handled_(context.graph.op_count()),
      met_(context.graph) {}

bool Inserter::is_full() const {
  return context_.options.n_tensors >= 0 && plan_.swap_out_count() >= context_.options.n_tensors;
}

// The user's own tensors are swapped, however many there are.
bool Inserter::is_full_for(TensorId tensor) const {
  return is_full() && context_.overrides.of(tensor) != Override::kSwap;
}

Status Inserter::run(const std::vector<OpId>& starting, Progress& progress) {
  std::vector<bool> queued(context_.graph.op_count());
  std::vector<OpId> queue;
  const auto enqueue = [&](OpId op) {
    if (queued[op.index()]) return;
    queued[op.index()] = true;
    queue.push_back(op);
  };
  for (const OpId op : starting) enqueue(op);
  constexpr std::size_t kOpsBetweenReports = 1024;
  std::vector<OpId> readers;
  for (std::size_t at = 0; at < queue.size() && !is_full(); ++at) {
    if (at % kOpsBetweenReports == 0 && !progress.report("swapping", static_cast<std::int64_t>(at),
                                                         static_cast<std::int64_t>(queue.size()))) {
      return cancelled();
    }
    for (const Use use : context_.consumers.data(queue[at])) {  // in file order
      if (!context_.is_backward(use.consumer)) enqueue(use.consumer);
    }
    handle(queue[at]);
  }
  for (const TensorId tensor : context_.overrides.to_swap()) handle(tensor.op);
  return {};
}

void Inserter::handle(OpId source) {
  begin(source);
  while (!tasks_.empty()) {
    Task& task = tasks_.back();
    if (task.next_consumer == task.consumers.size()) {
      if (!begin_tensor(task)) tasks_.pop_back();
      continue;
    }
    const OpId consumer = task.consumers[task.next_consumer++];
    if (context_.order.of(consumer) >= 0) {
      add_swap_in(task.swap, {consumer});
    } else if (!context_.is_backward(task.source)) {
      find_new_sources(consumer);
      // Last in, first out: the first in file order is handled next, with all that it brings.
      for (auto op = new_sources_.rbegin(); op != new_sources_.rend(); ++op) begin(*op);
    }
  }
}

void Inserter::begin(OpId source) {
  if (handled_[source.index()]) return;
  if (!context_.is_source(source) &&
      !(context_.is_reachable(source) && context_.overrides.swaps_output_of(source))) {
    return;
  }
  handled_[source.index()] = true;
  tasks_.push_back({source});
}

// Goes on to the next tensor of the task's source; false when there is none.
bool Inserter::begin_tensor(Task& task) {
  if (task.next_tensor == 0) task.tensors = readers_of(context_, task.source);
  while (task.next_tensor < task.tensors.size() &&
         is_full_for(task.tensors[task.next_tensor].tensor)) {
    ++task.next_tensor;
  }
  if (task.next_tensor == task.tensors.size()) return false;
  const Readers& readers = task.tensors[task.next_tensor++];
  std::vector<OpId> single = readers.swapped;
  if (!readers.swapped.empty()) {
    task.swap = plan_.swaps.size();
    add_swap_out(readers);
  }
  if (context_.options.fuse_swapins) {
    std::vector<OpId> fused;
    std::vector<OpId> rest;
    for (const OpId op : single) (context_.order.of(op) > 0 ? fused : rest).push_back(op);
    if (fused.size() >= 2) {
      single = std::move(rest);
      add_swap_in(task.swap, std::move(fused));
    }
  }
  task.consumers.clear();
  task.next_consumer = 0;
  std::merge(single.begin(), single.end(), readers.open.begin(), readers.open.end(),
             std::back_inserter(task.consumers));
  return true;
}

// Ops behind `from`, itself included, that feed an op which surely runs in the backward phase.
void Inserter::find_new_sources(OpId from) {
  new_sources_.clear();
  const auto is_late = [&](OpId op) {
    return context_.order.of(op) > context_.order.backward_start;
  };
  met_.add(from);
  while (const auto op = met_.next()) {
    bool feeds_late = false;
    for (const Use use : context_.consumers.data(*op)) {
      if (is_late(use.consumer)) {
        feeds_late = true;
      } else {
        met_.add(use.consumer);
      }
    }
    if (feeds_late) new_sources_.push_back(*op);
  }
  std::sort(new_sources_.begin(), new_sources_.end());
}

void Inserter::add_swap_out(const Readers& readers) {
  PlannedSwap swap;
  swap.tensor = readers.tensor;
  swap.bytes = context_.tensors.bytes(readers.tensor);
  OpId last = readers.swapped.front();
  for (const OpId op : readers.swapped) {
    if (context_.order.of(op) > context_.order.of(last)) last = op;
  }
  const std::int32_t made = context_.order.of(readers.tensor.op);
  swap.why = fmt::format("consumer {} of order {}, producer {}", context_.graph.name(last),
                         context_.order.of(last),
                         made < 0 ? "without an order" : fmt::format("of order {}", made));
  if (context_.overrides.of(readers.tensor) == Override::kSwap) swap.why = "listed in swap-tensors";
  swap.own_ahead = context_.overrides.ahead_of(readers.tensor);
  if (swap.own_ahead > 0) {
    swap.why += fmt::format("; swap-in by its own: {} orders ahead", swap.own_ahead);
  }
  swap.swap_out = add_copy(false, readers.tensor, readers.tensor, readers.swapped.front());
  plan_.swaps.push_back(std::move(swap));
}

void Inserter::add_swap_in(std::size_t swap, std::vector<OpId> consumers) {
  const TensorId tensor = plan_.swaps[swap].tensor;
  PlannedSwapIn swap_in;
  swap_in.copy = add_copy(true, tensor, {plan_.swaps[swap].swap_out, 0}, consumers.front());
  for (const OpId consumer : consumers) {
    const auto inputs = context_.graph.inputs(consumer);
    for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
      if (inputs[slot] != tensor || context_.graph.reads_reference(consumer, slot)) continue;
      draft_.reroute(consumer, slot, {swap_in.copy, 0});
      plan_.edit.rerouted.push_back({consumer, slot, tensor, {swap_in.copy, 0}});
    }
  }
  const OpId earliest = *std::min_element(consumers.begin(), consumers.end(), [&](OpId a, OpId b) {
    return context_.order.of(a) < context_.order.of(b);
  });
  const Trigger trigger = triggers_.find(tensor, earliest, swap_in.copy);
  swap_in.trigger = trigger.op;
  swap_in.trigger_level = trigger.order;
  if (trigger.op.valid() && draft_.add_control(swap_in.copy, trigger.op)) {
    plan_.edit.control.push_back({swap_in.copy, trigger.op});
  }
  swap_in.consumers = std::move(consumers);
  plan_.swaps[swap].swap_ins.push_back(std::move(swap_in));
}

OpId Inserter::add_copy(bool is_back, TensorId tensor, TensorId input, OpId consumer) {
  SwapCopy copy;
  copy.name = names_.make(context_.options.copy_mode == CopyMode::kGrappler
                              ? grappler_name(context_.graph, is_back, tensor, consumer)
                              : std::string(is_back ? "lms/swapin" : "lms/swapout"));
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

}  // namespace tideline::lms1
