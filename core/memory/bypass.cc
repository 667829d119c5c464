// Problem: tf.tuple and tf.group make ops that compute nothing: a NoOp that waits for all members,
// and an Identity for each that waits for the NoOp. The executor sees neither, because Grappler
// moves their edges to whoever reads them; that decides which ops become ready together.
// Idea: producers first, list for every such op what it stands for: the ops to be waited for. An op
// is passed by unless it has so many inputs and readers that there would be more edges after.
//   group = NoOp(^a, ^b); a' = Identity(a, ^group); m = MatMul(a', w)   m = MatMul(a, w, ^b)
// Edges that follow from others go, too: those from an op that is read anyway, and those from the
// members of a list (the updates that tf.control_dependencies names at each op of a gradient) for
// all that stand behind an op that has waited for the list. A bit for each list tells who does.
// In a step with loops the readers of an Identity that waits for such an op count as its own, and
// an op that waits for two, one of which was computed from the other, waits for that one alone.
// Elsewhere that reorders ops, and makes no peak more accurate.
// Cost: O(edges). Source: TensorFlow's dependency optimizer (behaviour only). Limits: 64 lists; an
// op with more than 1024 inputs is not passed by. Tested by unit/memory/folded_step_test.cc.
#include "core/memory/bypass.h"

#include <algorithm>
#include <map>
#include <span>

namespace tideline {
namespace {

class Bypass {
 public:
  Bypass(const std::vector<OpId>& order, const std::vector<bool>& passes, const Graph& graph,
         StepGraph& step)
      : order_(order),
        passes_(passes),
        graph_(graph),
        step_(step),
        stands_for_(step.ops.size()),
        readers_(step.ops.size()),
        is_passed_(step.ops.size()),
        is_fetched_(step.ops.size()),
        marked_(step.ops.size()),
        member_of_(step.ops.size()),
        behind_(step.ops.size()) {
    for (const OpId op : step.fetches) is_fetched_[op.index()] = true;
    for (const OpId op : order) {
      for (const StepInput& input : step.inputs_of(op)) ++readers_[producer(input).index()];
      for (const OpId control : step.controls_of(op)) ++readers_[control.index()];
    }
    if (step.rounds) count_readers_behind(passes);
  }

  void run() {
    std::vector<OpId> controls;
    for (const OpId op : order_) {
      find_waits(op);
      if (step_.rounds) leave_out_read();
      leave_out_implied(op);
      StepOp& entry = step_.ops[op.index()];
      // Who waits for a copy waits for what it copies, and for what else that was computed from.
      if (passes_[op.index()]) {
        add_wait(producer(first_input(op)));
        for (const StepInput& input : step_.inputs_of(op).subspan(1)) {
          if (input.space == Space::kElsewhere) wait_for(producer(input), OpId{});
        }
      }
      if (may_pass(op)) {
        is_passed_[op.index()] = true;
        stands_for_[op.index()] = {static_cast<std::uint32_t>(stood_for_.size()),
                                   static_cast<std::uint32_t>(waits_.size())};
        stood_for_.insert(stood_for_.end(), waits_.begin(), waits_.end());
        continue;
      }
      if (entry.only_waits) entry.input_count = 0;
      if (passes_[op.index()]) leave_out_awaited(entry);
      // Only what the op does not read anyway is waited for by name.
      ++marks_;
      for (const StepInput& input : step_.inputs_of(op)) mark(producer(input));
      std::erase_if(waits_, [&](OpId wait) { return marked_[wait.index()] == marks_; });
      const auto before = [&](OpId a, OpId b) { return is_before(a, b); };
      if (!std::ranges::is_sorted(waits_, before)) std::ranges::sort(waits_, before);
      entry.first_control = static_cast<std::uint32_t>(controls.size());
      entry.control_count = static_cast<std::uint32_t>(waits_.size());
      controls.insert(controls.end(), waits_.begin(), waits_.end());
    }
    keep_rest(controls);
  }

 private:
  struct Range {
    std::uint32_t first = 0, count = 0;
  };
  static constexpr std::size_t kLeastMembers = 4;
  static constexpr std::uint32_t kMostLists = 64;
  static constexpr std::size_t kMostCompared = 8;
  static constexpr std::size_t kMostLookedAt = 12;
  static constexpr std::size_t kMostInputs = 1024;  // so that a chain of groups costs little

  // Grappler takes out what only hands on first: its readers then read what it waits for.
  void count_readers_behind(const std::vector<bool>& passes) {
    const auto add = [&](OpId op, std::uint32_t more) {
      constexpr std::uint32_t kMany = 1U << 20;
      readers_[op.index()] = std::min(readers_[op.index()] + more, kMany);
    };
    for (auto op = order_.rbegin(); op != order_.rend(); ++op) {
      const std::uint32_t readers = readers_[op->index()];
      if (!passes[op->index()] || is_fetched_[op->index()] || readers < 2) continue;
      for (const StepInput& input : step_.inputs_of(*op)) add(producer(input), readers - 1);
      for (const OpId control : step_.controls_of(*op)) add(control, readers - 1);
    }
  }

  [[nodiscard]] OpId producer(const StepInput& input) const {
    return step_.producer_of[input.tensor];
  }
  [[nodiscard]] const StepInput& first_input(OpId op) const { return step_.inputs_of(op)[0]; }
  // Grappler lists whom an op waits for in alphabetical order.
  [[nodiscard]] bool is_before(OpId a, OpId b) const {
    const bool has_a = a.index() < graph_.op_count();
    const bool has_b = b.index() < graph_.op_count();
    return has_a && has_b ? graph_.name(a) < graph_.name(b) : has_a != has_b ? has_a : a < b;
  }
  // True the first time since `marks_` was counted up.
  bool mark(OpId op) {
    const bool is_new = marked_[op.index()] != marks_;
    marked_[op.index()] = marks_;
    return is_new;
  }
  void add_wait(OpId op) {
    if (mark(op)) waits_.push_back(op);
  }

  // What is read instead of a tensor. A passed op is behind its source already.
  [[nodiscard]] std::uint32_t source(std::uint32_t tensor) const {
    const OpId op = step_.producer_of[tensor];
    return is_passed_[op.index()] && passes_[op.index()] ? first_input(op).tensor : tensor;
  }

  // Inputs that are not read, but waited for.
  void leave_out_awaited(StepOp& entry) const {
    while (entry.input_count > 1 &&
           step_.inputs[entry.first_input + entry.input_count - 1].space == Space::kElsewhere) {
      --entry.input_count;
    }
  }

  // What `op` waits for besides the producers of what it reads, seen past passed ops.
  void find_waits(OpId op) {
    waits_.clear();
    ++marks_;
    StepOp& entry = step_.ops[op.index()];
    for (std::uint32_t i = 0; i < entry.input_count; ++i) {
      StepInput& input = step_.inputs[entry.first_input + i];
      if (input.is_back_edge) continue;
      const OpId from = producer(input);
      if (entry.only_waits) {
        wait_for(from, OpId{});
      } else if (is_passed_[from.index()]) {
        // Its own source is read, so that need not be waited for.
        wait_for(from, producer(first_input(from)));
        input.tensor = source(input.tensor);
      }
    }
    for (const OpId control : step_.controls_of(op)) wait_for(control, OpId{});
  }
  void wait_for(OpId op, OpId but) {
    if (is_passed_[op.index()]) {
      const Range range = stands_for_[op.index()];
      for (const OpId wait : std::span(stood_for_).subspan(range.first, range.count)) {
        if (wait != but) add_wait(wait);
      }
      return;
    }
    // Constants that wait for nobody are there from the beginning.
    const StepOp& awaited = step_.ops[op.index()];
    const bool is_there = awaited.input_count + awaited.control_count == 0 &&
                          awaited.tensor_count > 0 && step_.tensors[awaited.first_tensor].is_pinned;
    if (!is_there) add_wait(op);
  }

  // Who waits for an op and for one that was computed from it waits for the second alone.
  void leave_out_read() {
    if (waits_.size() < 2 || waits_.size() > kMostCompared) return;
    ++marks_;
    for (const OpId wait : waits_) {
      look_back_.assign(1, wait);
      for (std::size_t i = 0; i < look_back_.size() && look_back_.size() < kMostLookedAt; ++i) {
        for (const StepInput& input : step_.inputs_of(look_back_[i])) {
          if (!input.is_back_edge && mark(producer(input))) look_back_.push_back(producer(input));
        }
      }
    }
    std::erase_if(waits_, [&](OpId wait) { return marked_[wait.index()] == marks_; });
  }

  // Who waits for many ops often waits for one that has waited for them already.
  void leave_out_implied(OpId op) {
    std::uint64_t implied = 0;
    for (const StepInput& input : step_.inputs_of(op)) {
      if (!input.is_back_edge) implied |= behind_[producer(input).index()];
    }
    for (const OpId wait : waits_) implied |= behind_[wait.index()];
    std::erase_if(waits_, [&](OpId wait) { return (member_of_[wait.index()] & implied) != 0; });
    behind_[op.index()] = implied;
    if (waits_.size() < kLeastMembers) return;
    std::vector<OpId> members = waits_;
    std::sort(members.begin(), members.end());
    const auto next = static_cast<std::uint32_t>(lists_.size());
    const auto known = lists_.find(members);
    if (known == lists_.end() && next == kMostLists) return;
    const std::uint64_t bit = std::uint64_t{1} << (known == lists_.end() ? next : known->second);
    if (known == lists_.end()) {
      for (const OpId member : members) member_of_[member.index()] |= bit;
      lists_.emplace(std::move(members), next);
    }
    behind_[op.index()] |= bit;
  }
  [[nodiscard]] bool may_pass(OpId op) const {
    const StepOp& entry = step_.ops[op.index()];
    const bool is_empty = entry.only_waits && entry.tensor_count == 0;
    if (is_fetched_[op.index()] || (!is_empty && !passes_[op.index()])) return false;
    const std::size_t inputs = waits_.size();
    const std::size_t readers = readers_[op.index()];
    return inputs <= kMostInputs && inputs * readers <= inputs + readers;
  }

  // Control edges of ops that are not in the order stay.
  void keep_rest(std::vector<OpId>& controls) {
    std::vector<bool> is_done(step_.ops.size());
    for (const OpId op : order_) is_done[op.index()] = !is_passed_[op.index()];
    for (std::size_t op = 0; op < step_.ops.size(); ++op) {
      if (is_done[op]) continue;
      StepOp& entry = step_.ops[op];
      const auto old = step_.controls_of(OpId{static_cast<std::uint32_t>(op)});
      entry.first_control = static_cast<std::uint32_t>(controls.size());
      controls.insert(controls.end(), old.begin(), old.end());
    }
    step_.controls = std::move(controls);
  }

  const std::vector<OpId>& order_;
  const std::vector<bool>& passes_;
  const Graph& graph_;
  StepGraph& step_;
  std::vector<Range> stands_for_;  // by passed op: its part of stood_for_
  std::vector<OpId> stood_for_;
  std::vector<std::uint32_t> readers_;  // by op
  std::vector<bool> is_passed_;
  std::vector<bool> is_fetched_;
  std::vector<OpId> waits_, look_back_;
  std::vector<std::uint32_t> marked_;  // by op: `marks_` when it was marked last
  std::uint32_t marks_ = 0;
  // Lists of ops that somebody waits for, by number; by op: those it is a member of, and those all
  // members of which have run when it does.
  std::map<std::vector<OpId>, std::uint32_t> lists_;
  std::vector<std::uint64_t> member_of_, behind_;
};

}  // namespace

void bypass(const std::vector<OpId>& order, const std::vector<bool>& passes, const Graph& graph,
            StepGraph& step) {
  Bypass(order, passes, graph, step).run();
}

}  // namespace tideline
