#include "tests/property/reference_lms1.h"
#include "tests/support/own_aheads.h"

#include <algorithm>
#include <functional>

namespace tideline::test {
namespace {

using Op = std::uint32_t;
using Ops = std::set<Op>;  // sorted: file order, copies last

struct Tensor {
  Op op = 0;
  std::uint32_t slot = 0;
  friend auto operator<=>(const Tensor&, const Tensor&) = default;
};

class SlowLms1 {
 public:
  SlowLms1(const Graph& graph, const Lms1Options& options) : graph_(graph), options_(options) {
    for (const OpId op : graph.ops()) {
      names_.emplace_back(graph.name(op));
      inputs_.emplace_back();
      for (const TensorId input : graph.inputs(op)) {
        inputs_.back().push_back({input.op.value, input.slot});
      }
      controls_.emplace_back();
      for (const OpId input : graph.control_inputs(op)) controls_.back().insert(input.value);
      for (const std::string& scope : options.optimizer_scopes) {
        if (names_.back().starts_with(scope)) backward_.insert(op.value);
      }
    }
  }

  SlowLms1Plan run() {
    find_starting();
    find_orders();
    std::vector<Op> queue(starting_.begin(), starting_.end());
    Ops queued = starting_;
    const std::vector<std::vector<Tensor>> original = inputs_;
    for (std::size_t at = 0; at < queue.size() && !is_full(); ++at) {
      for (Op op = 0; op < graph_.op_count(); ++op) {
        const bool reads = std::any_of(original[op].begin(), original[op].end(),
                                       [&](Tensor input) { return input.op == queue[at]; });
        if (reads && !is_backward(op) && queued.insert(op).second) queue.push_back(op);
      }
      handle(queue[at]);
    }
    return plan_;
  }

 private:
  [[nodiscard]] bool is_backward(Op op) const { return backward_.count(op) > 0; }
  [[nodiscard]] bool is_full() const {
    return options_.n_tensors >= 0 && swapped_ >= options_.n_tensors;
  }
  [[nodiscard]] int order(Op op) const {
    const auto found = order_.find(op);
    return found == order_.end() ? -1 : found->second;
  }
  [[nodiscard]] Ops readers(Op op) const {
    Ops found;
    for (Op reader = 0; reader < inputs_.size(); ++reader) {
      for (const Tensor input : inputs_[reader]) {
        if (input.op == op) found.insert(reader);
      }
    }
    return found;
  }
  [[nodiscard]] Ops readers(Tensor tensor) const {
    Ops found;
    for (const Op op : readers(tensor.op)) {
      if (std::count(inputs_[op].begin(), inputs_[op].end(), tensor) > 0) found.insert(op);
    }
    return found;
  }
  // All that the ops lead to over data edges, themselves included.
  [[nodiscard]] Ops reached(const Ops& from, const std::function<bool(Op)>& enters) const {
    Ops found = from;
    std::vector<Op> todo(from.begin(), from.end());
    while (!todo.empty()) {
      const Op op = todo.back();
      todo.pop_back();
      for (const Op next : readers(op)) {
        if (enters(next) && found.insert(next).second) todo.push_back(next);
      }
    }
    return found;
  }
  [[nodiscard]] Ops reached(const Ops& from) const {
    return reached(from, [](Op) { return true; });
  }
  [[nodiscard]] bool leads_over_any_edge(Op from, Op to) const {
    Ops seen = {from};
    for (std::size_t before = 0; before != seen.size();) {
      before = seen.size();
      for (Op op = 0; op < inputs_.size(); ++op) {
        for (const Tensor input : inputs_[op]) {
          if (seen.count(input.op) > 0) seen.insert(op);
        }
        for (const Op input : controls_[op]) {
          if (seen.count(input) > 0) seen.insert(op);
        }
      }
    }
    return seen.count(to) > 0;
  }

  void find_starting() {
    Ops candidates;
    for (Op op = 0; op < graph_.op_count(); ++op) {
      const Ops read_by = readers(op);
      const bool read = std::any_of(read_by.begin(), read_by.end(),
                                    [&](Op reader) { return is_backward(reader); });
      if (!is_backward(op) && read) candidates.insert(op);
    }
    std::size_t most = 1;
    std::map<Op, std::size_t> counts;
    for (const Op op : candidates) {
      for (const Op other : reached({op}, [&](Op next) { return !is_backward(next); })) {
        if (other != op && candidates.count(other) > 0) ++counts[op];
      }
      most = std::max(most, counts[op]);
    }
    for (const Op op : candidates) {
      if (counts[op] == most) starting_.insert(op);
    }
    for (const Op op : starting_) plan_.starting.insert(names_[op]);
  }

  void find_orders() {
    const Ops entries = reached(starting_);
    std::map<Op, Ops> waits;
    for (const Op op : entries) {
      Ops all = controls_[op];
      for (const Tensor input : inputs_[op]) all.insert(input.op);
      for (const Op input : all) {
        if (entries.count(input) == 0) continue;
        const Ops behind = reached({input});
        const bool on_path =
            std::any_of(behind.begin(), behind.end(), [&](Op next) { return is_backward(next); });
        if (on_path) waits[op].insert(input);
      }
    }
    std::vector<Ops> layers;
    Ops left = entries;
    while (!left.empty()) {
      Ops ready;
      for (const Op op : left) {
        const bool waiting = std::any_of(waits[op].begin(), waits[op].end(),
                                         [&](Op input) { return left.count(input) > 0; });
        if (!waiting) ready.insert(op);
      }
      for (const Op op : ready) left.erase(op);
      layers.push_back(ready);
    }
    const Ops behind_backward = reached(backward_);
    int next = 0;
    for (Ops layer : layers) {
      const bool has_forward =
          std::any_of(layer.begin(), layer.end(), [&](Op op) { return !is_backward(op); });
      std::erase_if(layer, [&](Op op) {
        return is_backward(op) ? has_forward : behind_backward.count(op) > 0;
      });
      if (layer.empty()) continue;
      for (const Op op : layer) {
        order_[op] = next;
        plan_.order_of[names_[op]] = next;
        if (is_backward(op) && plan_.backward_start < 0) plan_.backward_start = next;
      }
      ++next;
    }
  }

  [[nodiscard]] bool is_excluded(Op op) const {
    if (op >= graph_.op_count()) return true;  // a copy
    const std::string_view type = graph_.type(OpId{op});
    return type == "Identity" || type == "Const" || type == "Add" || type == "Placeholder";
  }

  void handle(Op source) {
    if (is_excluded(source) || !handled_.insert(source).second) return;
    for (std::uint32_t slot = 0; slot < 4 && !is_full(); ++slot) handle_tensor({source, slot});
  }

  void handle_tensor(Tensor tensor) {
    Ops chosen;
    Ops forward;
    for (const Op op : readers(tensor)) (is_backward(op) ? chosen : forward).insert(op);
    if (options_.swap_branches && !forward.empty()) {
      int smallest = order(*forward.begin());
      for (const Op op : forward) smallest = std::min(smallest, order(op));
      for (const Op op : forward) {
        if (order(op) > smallest + options_.branch_threshold) chosen.insert(op);
      }
    }
    std::erase_if(chosen, [&](Op op) { return readers(op).empty(); });
    const bool swaps =
        std::any_of(chosen.begin(), chosen.end(), [&](Op op) { return order(op) >= 0; });
    Op swap_out = 0;
    if (swaps) {
      swap_out = add_copy(tensor);
      ++swapped_;
    }
    Ops fused;
    for (const Op op : chosen) {
      if (order(op) > 0) fused.insert(op);
    }
    if (options_.fuse_swapins && fused.size() >= 2) {
      swap_in(tensor, swap_out, fused);
      for (const Op op : fused) chosen.erase(op);
    }
    for (const Op op : chosen) {
      if (order(op) >= 0) {
        swap_in(tensor, swap_out, {op});
      } else if (!is_backward(tensor.op)) {
        for (const Op source : new_sources(op)) handle(source);
      }
    }
  }

  Ops new_sources(Op from) {
    Ops found;
    Ops seen = {from};
    std::vector<Op> todo = {from};
    while (!todo.empty()) {
      const Op op = todo.back();
      todo.pop_back();
      for (const Op next : readers(op)) {
        if (order(next) > plan_.backward_start) {
          found.insert(op);
        } else if (seen.insert(next).second) {
          todo.push_back(next);
        }
      }
    }
    return found;
  }

  Op add_copy(Tensor input) {
    names_.push_back("copy");
    inputs_.push_back({input});
    controls_.emplace_back();
    return static_cast<Op>(names_.size() - 1);
  }

  void swap_in(Tensor tensor, Op swap_out, const Ops& consumers) {
    const Op copy = add_copy({swap_out, 0});
    Op earliest = *consumers.begin();
    std::set<std::string> names;
    for (const Op op : consumers) {
      std::replace(inputs_[op].begin(), inputs_[op].end(), tensor, Tensor{copy, 0});
      if (order(op) < order(earliest)) earliest = op;
      names.insert(names_[op]);
    }
    const std::string name = names_[tensor.op] + ":" + std::to_string(tensor.slot);
    std::string& trigger = plan_.swap_ins[{name, names}];
    int lb = own_ahead(options_.ahead_tensors, name, options_.lb);
    if (order(earliest) - lb <= order(tensor.op)) lb = 1;
    const bool direct = options_.ctrld_strategy == ControlStrategy::kDirectOrder ||
                        is_backward(tensor.op) || order(earliest) - lb < plan_.backward_start;
    const Ops found =
        direct ? by_order(tensor.op, earliest, copy, lb) : by_chain(tensor.op, earliest, copy, lb);
    if (found.empty()) return;
    trigger = names_[*found.begin()];
    controls_[copy].insert(*found.begin());
  }

  [[nodiscard]] bool may_trigger(Op op, Op copy) const {
    return names_[op].find("/cond/") == std::string::npos && !leads_over_any_edge(copy, op);
  }

  Ops by_order(Op source, Op consumer, Op copy, int lb) {
    const int least = std::max(order(consumer) - options_.ub, order(source)) + 1;
    for (int at = order(consumer) - lb - 1; at >= least; --at) {
      Ops found;
      for (const auto& [op, its_order] : order_) {
        if (its_order == at && reached({op}).count(consumer) > 0 && may_trigger(op, copy)) {
          found.insert(op);
        }
      }
      if (!found.empty()) return found;
    }
    return {};
  }

  Ops by_chain(Op source, Op consumer, Op copy, int lb) {
    std::vector<Op> step = {source};
    Ops closed;
    for (int k = 0; k < options_.ub && !step.empty(); ++k) {
      std::vector<Op> next;
      Ops found;
      for (const Op op : step) {
        for (const Op reader : readers(op)) {
          if (is_backward(reader)) {
            const bool between = order(reader) > order(source) && order(reader) < order(consumer);
            if (k >= lb && between && may_trigger(reader, copy)) found.insert(reader);
          } else if (closed.count(reader) == 0 &&
                     std::find(next.begin(), next.end(), reader) == next.end()) {
            next.push_back(reader);
          }
        }
        closed.insert(op);
      }
      if (!found.empty()) return found;
      step = next;
    }
    return {};
  }

  const Graph& graph_;
  const Lms1Options& options_;
  std::vector<std::string> names_;
  std::vector<std::vector<Tensor>> inputs_;
  std::vector<Ops> controls_;
  Ops backward_, starting_, handled_;
  std::map<Op, int> order_;
  int swapped_ = 0;
  SlowLms1Plan plan_;
};

}  // namespace

SlowLms1Plan slow_lms1(const Graph& graph, const Lms1Options& options) {
  return SlowLms1(graph, options).run();
}

}  // namespace tideline::test
