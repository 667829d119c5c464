// Problem: memory depends on the order in which ops run, and TensorFlow has no fixed one: an op
// starts when its last input is there.
// Idea: do what TensorFlow does. Its optimizer writes the ops anew: a walk back from the fetches,
// depth first, is turned around, and ops follow as they become ready, first come, first served. A
// GPU's executor starts them in that order, since kernels that only enqueue work are cheap to it.
// On a CPU with one thread it starts the ops without inputs one by one. An op that has run counts
// down what its readers still wait for; of those that are ready now, cheap ones join a queue that
// is worked off first, and expensive ones go on top of a stack, but for the last one, which goes on
// at once if no cheap one waits. Source: TensorFlow's executor and Grappler, Eigen's thread pool
// (behaviour only). Chosen by the traces of 31 kinds of steps: tests/bench/RESULTS.md has the
// errors of this order and of others. Where the step was traced its own order counts: of the ops
// that are ready the one that started first in the trace goes next. An op that the trace lacks,
// because it was fused with one of its readers, goes just before the first of them, and an op of a
// plan as soon as it is ready. Cost: O(ops + edges), with a trace times log(ops). Limits: nothing
// depends on how long an op takes; TensorFlow starts the readers of an op with more than eight, and
// all ops without inputs, in the order of a hash table. Tested by unit/memory/folded_step_test.cc
// and unit/memory/executor_order_test.cc.
#include "core/memory/executor_order.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace tideline {
namespace {

template <typename Visit>
void for_each_producer(const StepGraph& graph, OpId op, const Visit& visit) {
  for (const StepInput& input : graph.inputs_of(op)) {
    if (!input.is_back_edge) visit(graph.producer_of[input.tensor]);
  }
  for (const OpId control : graph.controls_of(op)) visit(control);
}

// The readers of each op, those of its tensors before those that only wait for it, and how many of
// its inputs each op waits for.
class Readers {
 public:
  Readers(const StepGraph& graph, const std::vector<OpId>& ops)
      : first_(graph.ops.size() + 1), waits_for_(graph.ops.size()) {
    for (const OpId op : ops) {
      for_each_producer(graph, op, [&](OpId producer) { ++first_[producer.index() + 1]; });
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    readers_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    const auto add = [&](OpId producer, OpId reader) {
      readers_[next[producer.index()]++] = reader;
      ++waits_for_[reader.index()];
    };
    for (const OpId op : ops) {
      for (const StepInput& input : graph.inputs_of(op)) {
        if (!input.is_back_edge) add(graph.producer_of[input.tensor], op);
      }
    }
    for (const OpId op : ops) {
      for (const OpId control : graph.controls_of(op)) add(control, op);
    }
  }

  [[nodiscard]] bool waits(OpId op) const { return waits_for_[op.index()] > 0; }
  /// Calls `visit` with each reader that was only waiting for `op`.
  template <typename Visit>
  void finish(OpId op, const Visit& visit) {
    for (std::uint32_t i = first_[op.index()]; i < first_[op.index() + 1]; ++i) {
      if (--waits_for_[readers_[i].index()] == 0) visit(readers_[i]);
    }
  }

 private:
  std::vector<std::uint32_t> first_;  // by op
  std::vector<std::uint32_t> waits_for_;
  std::vector<OpId> readers_;
};

// What runs, as a walk back from the fetches meets it, turned around.
std::vector<OpId> walk_back(const StepGraph& graph) {
  std::vector<OpId> found;
  std::vector<bool> is_met(graph.ops.size());
  std::vector<OpId> stack(graph.fetches.rbegin(), graph.fetches.rend());
  while (!stack.empty()) {
    const OpId op = stack.back();
    stack.pop_back();
    if (is_met[op.index()]) continue;
    is_met[op.index()] = true;
    found.push_back(op);
    for (const StepInput& input : graph.inputs_of(op)) {
      stack.push_back(graph.producer_of[input.tensor]);
    }
    for (const OpId control : graph.controls_of(op)) stack.push_back(control);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

// First come, first served. What an asynchronous op makes ready runs at once, one after another,
// each with all that it makes ready.
std::vector<OpId> first_come(const StepGraph& graph, const std::vector<OpId>& ops,
                             const std::vector<bool>& is_async) {
  Readers readers(graph, ops);
  std::vector<std::deque<OpId>> queues(1);  // the last one is worked off first
  for (const OpId op : ops) {
    if (!readers.waits(op)) queues.back().push_back(op);
  }
  std::vector<OpId> order;
  order.reserve(ops.size());
  std::vector<OpId> ready;
  while (!queues.empty()) {
    if (queues.back().empty()) {
      queues.pop_back();
      continue;
    }
    const OpId op = queues.back().front();
    queues.back().pop_front();
    order.push_back(op);
    if (is_async.empty() || !is_async[op.index()]) {
      readers.finish(op, [&](OpId reader) { queues.back().push_back(reader); });
      continue;
    }
    ready.clear();
    readers.finish(op, [&](OpId reader) { ready.push_back(reader); });
    for (auto next = ready.rbegin(); next != ready.rend(); ++next) queues.push_back({*next});
  }
  return order;
}

bool has_tasks(const StepGraph& graph, const std::vector<OpId>& ops) {
  return std::ranges::any_of(ops, [&](OpId op) { return graph.ops[op.index()].is_expensive; });
}

std::vector<OpId> as_executed(const StepGraph& graph, const std::vector<OpId>& ops,
                              const std::vector<bool>& is_async) {
  Readers readers(graph, ops);
  std::deque<OpId> tasks;  // a stack, but for those that wait for nothing
  std::deque<OpId> now;
  for (const OpId op : ops) {
    if (!readers.waits(op)) tasks.push_back(op);
  }
  std::vector<OpId> order;
  order.reserve(ops.size());
  while (!tasks.empty()) {
    now.push_back(tasks.front());
    tasks.pop_front();
    while (!now.empty()) {
      const OpId op = now.front();
      now.pop_front();
      order.push_back(op);
      if (!is_async.empty() && is_async[op.index()]) {
        readers.finish(op, [&](OpId reader) { tasks.push_front(reader); });
        continue;
      }
      OpId expensive;
      readers.finish(op, [&](OpId reader) {
        if (!graph.ops[reader.index()].is_expensive) return now.push_back(reader);
        if (expensive.valid()) tasks.push_front(expensive);
        expensive = reader;
      });
      if (!expensive.valid()) continue;
      if (now.empty()) {
        now.push_back(expensive);
      } else {
        tasks.push_front(expensive);
      }
    }
  }
  return order;
}

// By op: its place in the trace or, if it is not there, that of the first of its readers. `ops`:
// producers first.
std::vector<std::int32_t> traced_places(const StepGraph& graph, const std::vector<OpId>& ops) {
  constexpr std::int32_t kLast = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> places(graph.ops.size(), kLast);
  for (auto op = ops.rbegin(); op != ops.rend(); ++op) {
    const std::int32_t own = graph.ops[op->index()].place;
    std::int32_t& place = places[op->index()];
    if (own >= 0) place = own;
    for_each_producer(graph, *op, [&](OpId producer) {
      std::int32_t& before = places[producer.index()];
      before = std::min(before, place);
    });
  }
  return places;
}

std::vector<OpId> as_traced(const StepGraph& graph, const std::vector<OpId>& ops) {
  struct Ready {
    std::int32_t place;
    std::uint32_t number;  // of those that became ready
    OpId op;
    bool operator>(const Ready& other) const {
      return std::pair(place, number) > std::pair(other.place, other.number);
    }
  };
  const std::vector<std::int32_t> places = traced_places(graph, ops);
  Readers readers(graph, ops);
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  std::uint32_t number = 0;
  const auto add = [&](OpId op) {
    const bool waits_for_none = graph.ops[op.index()].place == StepOp::kStartsWhenReady;
    ready.push({waits_for_none ? -1 : places[op.index()], number++, op});
  };
  for (const OpId op : ops) {
    if (!readers.waits(op)) add(op);
  }
  std::vector<OpId> order;
  order.reserve(ops.size());
  while (!ready.empty()) {
    const OpId op = ready.top().op;
    ready.pop();
    order.push_back(op);
    readers.finish(op, add);
  }
  return order;
}

}  // namespace

std::vector<OpId> written_order(const StepGraph& graph) {
  return first_come(graph, walk_back(graph), {});
}

std::vector<OpId> started_order(const StepGraph& graph, const std::vector<OpId>& ops,
                                const std::vector<bool>& is_async) {
  return has_tasks(graph, ops) ? as_executed(graph, ops, is_async)
                               : first_come(graph, ops, is_async);
}

std::vector<OpId> executor_order(const StepGraph& graph) {
  const std::vector<OpId> ops = walk_back(graph);
  std::vector<OpId> order = first_come(graph, ops, {});
  if (graph.run.is_in_traced_order) {
    order = as_traced(graph, order);
  } else if (has_tasks(graph, order)) {
    order = as_executed(graph, order, {});
  }
  if (order.size() != ops.size()) order.clear();
  return order;
}

}  // namespace tideline
