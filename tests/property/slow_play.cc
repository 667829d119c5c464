#include "tests/property/slow_play.h"

#include <algorithm>
#include <map>

namespace tideline::test {
namespace {

using lms2::Candidates;
using lms2::Context;
using Ops = std::set<OpId>;

// What is in device memory: a tensor itself (group -1) or what was brought back for a group.
using Key = std::pair<TensorId, int>;

class SlowPlay {
 public:
  SlowPlay(const Context& context, const Candidates& candidates, const Ops& trainable,
           const SwapParameters& set)
      : context_(context), candidates_(candidates), trainable_(trainable), set_(set) {}

  SearchPrediction run() {
    for (int level = 0; level < context_.levels.count(); ++level) {
      host_.erase_released();
      for (const OpId op : context_.levels.ops(level)) {
        if (context_.is_inactive(op) || trainable_.count(op) > 0) continue;
        if (context_.placement.on_device(op)) execute(op);
        has_run_.insert(op);
        // Swapped tensors whose last direct reader has run lose a reference with every op.
        for (auto& [key, references] : device_) {
          const auto last = last_direct_.find(key.first);
          if (key.second < 0 && references > 0 && last != last_direct_.end() &&
              has_run_.count(last->second) > 0) {
            --references;
          }
        }
        free_unreferenced();
        host_.erase_released();
        trigger(op);
      }
    }
    return result_;
  }

 private:
  struct Group {
    TensorId tensor;
    Ops consumers;
    OpId trigger;  // invalid: nobody
  };
  struct Host {
    std::map<TensorId, int> shares;
    void erase_released() {
      for (auto at = shares.begin(); at != shares.end();) {
        at = at->second == 0 ? shares.erase(at) : std::next(at);
      }
    }
  };

  int level(OpId op) const { return context_.levels.level(op); }
  bool runs_on_device(OpId op) const { return context_.is_active_device_op(op); }
  Ops consumers(TensorId tensor) const {
    Ops found;
    for (const OpId op : context_.graph.ops()) {
      for (const TensorId input : context_.graph.inputs(op)) {
        if (input == tensor) found.insert(op);
      }
    }
    return found;
  }
  std::set<TensorId> inputs(OpId op) const {
    const auto all = context_.graph.inputs(op);
    return {all.begin(), all.end()};
  }

  void allocate(Key key, int references) {
    device_[key] = references;
    Bytes used = 0;
    for (const auto& [there, count] : device_) used += context_.tensors.bytes(there.first);
    result_.device_peak = std::max(result_.device_peak, used);
  }
  void free_unreferenced() {
    for (auto at = device_.begin(); at != device_.end();) {
      at = at->second == 0 ? device_.erase(at) : std::next(at);
    }
  }

  // The group in which `op` reads `tensor` and that is there; -1: it reads the tensor itself.
  int group_of(TensorId tensor, OpId op) const {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (groups_[i].tensor == tensor && groups_[i].consumers.count(op) > 0 &&
          device_.count({tensor, static_cast<int>(i)}) > 0) {
        return static_cast<int>(i);
      }
    }
    return -1;
  }

  void execute(OpId op) {
    for (const TensorId tensor : inputs(op)) {
      if (context_.is_inactive(tensor.op)) continue;
      const int group = group_of(tensor, op);
      if (group < 0 && device_.count({tensor, -1}) == 0) {
        allocate({tensor, -1}, static_cast<int>(consumers(tensor).size()));
      }
    }
    for (std::uint32_t slot = 0; slot < context_.tensors.output_count(op); ++slot) {
      int readers = 0;
      for (const OpId consumer : consumers({op, slot})) readers += runs_on_device(consumer) ? 1 : 0;
      if (readers > 0) allocate({{op, slot}, -1}, readers);
    }
    for (const TensorId tensor : inputs(op)) {
      const auto found = device_.find({tensor, group_of(tensor, op)});
      if (found != device_.end()) --found->second;
    }
    if (!candidates_.is_source(op)) return;
    for (std::uint32_t slot = 0; slot < context_.tensors.output_count(op); ++slot) {
      swap({op, slot});
    }
  }

  void swap(TensorId tensor) {
    if (context_.tensors.shape(tensor).rank() < 2 || device_.count({tensor, -1}) == 0) return;
    std::vector<OpId> far;
    OpId last;
    for (const OpId op : consumers(tensor)) {
      if (level(op) - level(tensor.op) > set_.swapout_threshold && candidates_.is_consumer(op)) {
        far.push_back(op);
      } else if (runs_on_device(op) && level(op) >= 0 &&
                 (!last.valid() || level(op) > level(last))) {
        last = op;
      }
    }
    if (far.empty()) return;
    if (!last.valid()) last = tensor.op;
    last_direct_[tensor] = last;
    int& references = device_[{tensor, -1}];
    references -= static_cast<int>(far.size());
    const bool is_asynchronous = set_.sync_mode == 0 || set_.sync_mode == 2;
    if (is_asynchronous && references > 0 && context_.levels.count() - level(last) > 1) {
      ++references;
    }
    std::stable_sort(far.begin(), far.end(), [&](OpId a, OpId b) { return level(a) < level(b); });
    int count = 0;
    for (std::size_t i = 0; i < far.size(); ++i) {
      const bool joins = i > 0 && set_.swapin_groupby > 0 &&
                         level(far[i]) - level(far[i - 1]) <= set_.swapin_groupby;
      if (!joins) {
        groups_.push_back(
            {tensor, {}, find_trigger(tensor.op, far[i], candidates_.overrides.ahead_of(tensor))});
        ++count;
      }
      groups_.back().consumers.insert(far[i]);
    }
    host_.shares[tensor] = count;
    ++result_.swapped_out_tensors;
    result_.swap_ins += count;
    Bytes used = 0;
    for (const auto& [there, shares] : host_.shares) used += context_.tensors.bytes(there);
    result_.host_peak = std::max(result_.host_peak, used);
  }

  bool leads_to(OpId from, OpId to) const {
    Ops seen = {from};
    std::vector<OpId> todo = {from};
    while (!todo.empty()) {
      const OpId op = todo.back();
      todo.pop_back();
      for (const Use use : context_.consumers.data(op)) {
        if (use.consumer == to) return true;
        if (level(use.consumer) > level(op) && level(use.consumer) < level(to) &&
            seen.insert(use.consumer).second) {
          todo.push_back(use.consumer);
        }
      }
    }
    return false;
  }
  OpId search(OpId source, OpId dest, int ahead) const {
    const int end = level(dest) - ahead;
    for (int at = end - 1; at >= std::max(end - 10, level(source) + 1); --at) {
      for (const OpId op : context_.levels.ops(at)) {
        if (runs_on_device(op) && leads_to(op, dest)) return op;
      }
    }
    return {};
  }
  OpId find_trigger(OpId source, OpId dest, int own_ahead) const {
    OpId found;
    const bool is_own = own_ahead > 0 && set_.sync_mode < 2;
    const int ahead = is_own ? own_ahead : set_.swapin_ahead;
    if (set_.sync_mode < 2) found = search(source, dest, ahead);
    if (found.valid()) return found;
    for (const TensorId input : inputs(dest)) {
      if (input.op == source || !runs_on_device(input.op) || level(input.op) < 0) continue;
      if (!found.valid() || level(input.op) > level(found)) found = input.op;
    }
    if (!found.valid() && ahead > 1) found = search(source, dest, 1);
    return found;
  }

  void trigger(OpId op) {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const Group& group = groups_[i];
      // A trigger that ran before the producer never comes.
      if (group.trigger != op || op == group.tensor.op) continue;
      allocate({group.tensor, static_cast<int>(i)}, static_cast<int>(group.consumers.size()));
      --host_.shares[group.tensor];
    }
  }

  const Context& context_;
  const Candidates& candidates_;
  const Ops& trainable_;
  SwapParameters set_;
  SearchPrediction result_;
  std::map<Key, int> device_;             // references
  std::map<TensorId, OpId> last_direct_;  // of swapped tensors
  std::vector<Group> groups_;
  Host host_;
  Ops has_run_;
};

}  // namespace

SearchPrediction slow_play(const Context& context, const Candidates& candidates,
                           const Ops& trainable, const SwapParameters& set) {
  return SlowPlay(context, candidates, trainable, set).run();
}

}  // namespace tideline::test
