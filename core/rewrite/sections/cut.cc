// Problem: one run of a training step holds all activations at its peak. Cut into runs, it computes
// the activations of one section at a time again, but every value must stay what it was, bit for
// bit, and every effect must happen once.
// Idea: a forward run, then one run for each section, the last section first. What a run has to do
// are its targets: the updates whose gradients it completes. Their needs are followed back over
// data edges. A value that varies and belongs to an earlier run is cut: it becomes a placeholder,
// fed from the host. Needs travel from section 0, the last run, to the first, so that what a run
// has to hand over is known before its own needs are followed.
//   section 0: a = f(x, v)      1: loss = g(a, w)
//   forward: a, loss            keeps a
//   run 1: feeds a; computes dw, da; updates w; keeps da
//   run 0: feeds da; computes a again where df needs it, dv; updates v
// Values that cannot leave their run (inside a loop or a branch, handles) are computed again from
// what can. Three things may move an update to a later run, and the cut is then made again: another
// run still reads its variable; an update in the forward run that the loss waits for; a loop that
// is computed again for the sake of one value yields all its values. Cost: see the header. Limits:
// control edges order effects; those that lead to another run are dropped, since runs are in order.
// What is random or comes from a queue inside a branch or loop cannot be cut behind it. Source:
// own; the cases follow partialflow's sections (rules only). Tested by
// unit/rewrite/sections_test.cc and integration/sections_test.py.
#include "core/rewrite/sections/cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/graph/walks.h"
#include "core/rewrite/sections/homes.h"

namespace tideline::sections {
namespace {

class CutSearch {
 public:
  CutSearch(const StepFacts& facts, const VariableUses& uses, Membership membership)
      : facts_(facts),
        graph_(facts.graph()),
        uses_(uses),
        membership_(std::move(membership)),
        count_(static_cast<std::size_t>(membership_.count)),
        homes_(facts, membership_),
        must_compute_(count_, std::vector<bool>(graph_.op_count())) {}

  Result<Cut> run() {
    TIDELINE_RETURN_IF_ERROR(run_forward());  // what the loss needs in any case
    // Bounds of the run of an update only get closer, so this ends.
    while (true) {
      is_settled_ = true;
      cut_ = {};
      cut_.phases.resize(count_);
      needed_.assign(count_, {});
      from_forward_.clear();
      homes_.update();
      TIDELINE_RETURN_IF_ERROR(find_targets());
      for (int k = 0; k < membership_.count; ++k) TIDELINE_RETURN_IF_ERROR(cut_phase(k));
      TIDELINE_RETURN_IF_ERROR(run_forward());
      if (is_settled_) TIDELINE_RETURN_IF_ERROR(check_variables());
      if (is_settled_) return std::move(cut_);
    }
  }

 private:
  [[nodiscard]] std::string named(OpId op) const {
    return fmt::format("op '{}' ({})", graph_.name(op), graph_.type(op));
  }
  [[nodiscard]] PhaseCut& phase(int k) { return cut_.phases[static_cast<std::size_t>(k)]; }

  // An effect in a branch or a loop is run for the op that the branch or loop ends with.
  [[nodiscard]] OpId outside_of_branches(OpId op) const {
    const auto is_outside = [&](OpId next) {
      return !facts_.is_conditional(next) &&
             (facts_.loop_of(next) == StepFacts::kNoFrame || facts_.can_be_cut({next, 0}, next, 0));
    };
    if (is_outside(op)) return op;
    OpWalk walk(graph_);
    walk.add(op);
    while (const auto next = walk.oldest()) {
      if (!facts_.in_step(*next)) continue;
      if (is_outside(*next)) return *next;
      walk.add_readers(facts_.consumers(), *next, Edges::kDataAndControl);
    }
    return {};
  }

  Status find_targets() {
    for (const OpId op : homes_.ops()) {
      const int home = homes_.of(op);
      if (home == kForwardRun || !facts_.has_effect(op)) continue;
      const OpId target = outside_of_branches(op);
      if (!target.valid()) {
        return fail(Code::kUnsupported,
                    "{} is inside a loop or branch that ends in no op of the step; expected "
                    "effects that some op waits for",
                    named(op));
      }
      phase(home).targets.push_back(target);
    }
    for (PhaseCut& phase : cut_.phases) {
      std::sort(phase.targets.begin(), phase.targets.end());
      phase.targets.erase(std::unique(phase.targets.begin(), phase.targets.end()),
                          phase.targets.end());
    }
    return {};
  }

  // Follows the needs of run `k`. Again when a value turns out to be computed that was to be fed.
  Status cut_phase(int k) {
    while (true) {
      fed_.clear();
      PhaseCut& here = phase(k);
      here.runs.assign(graph_.op_count(), false);
      todo_.clear();
      const auto& needed = needed_[static_cast<std::size_t>(k)];
      for (const OpId op : here.targets) TIDELINE_RETURN_IF_ERROR(enter(k, op));
      for (const TensorId tensor : needed) TIDELINE_RETURN_IF_ERROR(enter(k, tensor.op));
      while (!todo_.empty()) {
        const OpId op = todo_.back();
        todo_.pop_back();
        TIDELINE_RETURN_IF_ERROR(follow(k, op));
      }
      if (!feeds_what_it_computes(k)) break;
    }
    PhaseCut& here = phase(k);
    here.delivered.assign(needed_[static_cast<std::size_t>(k)].begin(),
                          needed_[static_cast<std::size_t>(k)].end());
    for (const auto& [tensor, from] : fed_) {
      here.feeds.push_back(tensor);
      if (from == kForwardRun) {
        from_forward_.insert(tensor);
      } else {
        needed_[static_cast<std::size_t>(from)].insert(tensor);
      }
    }
    for (const OpId op : graph_.ops()) {
      if (here.runs[op.index()]) here.ops.push_back(op);
    }
    return {};
  }

  // Everything that leaves a loop comes out of it, and what a container holds was put into it by
  // the same run.
  bool feeds_what_it_computes(int k) {
    auto& must = must_compute_[static_cast<std::size_t>(k)];
    std::set<std::uint32_t> loops;
    if (facts_.loop_count() > 0) {
      for (const OpId op : graph_.ops()) {
        if (phase(k).runs[op.index()] && facts_.loop_of(op) != StepFacts::kNoFrame) {
          loops.insert(facts_.loop_of(op));
        }
      }
    }
    bool any = false;
    for (const auto& [tensor, from] : fed_) {
      const OpId op = tensor.op;
      if (facts_.runs_once(op)) continue;
      if (phase(k).runs[op.index()] || loops.count(facts_.loop_of(op)) > 0) {
        any = any || !must[op.index()];
        must[op.index()] = true;
      }
    }
    return any;
  }

  Status enter(int k, OpId op) {
    if (facts_.is_shared(op) || facts_.is_placeholder(op)) return {};
    auto runs = phase(k).runs.begin() + static_cast<std::ptrdiff_t>(op.index());
    if (*runs) return {};
    if (facts_.runs_once(op) && homes_.of(op) != k) return runs_elsewhere(k, op);
    *runs = true;
    todo_.push_back(op);
    return {};
  }

  // The draw, effect or state for which `op` runs once.
  [[nodiscard]] OpId reason_to_run_once(OpId op) const {
    OpWalk walk(graph_);
    walk.add(op);
    while (const auto next = walk.oldest()) {
      bool is_behind = false;
      const auto inputs = graph_.inputs(*next);
      for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
        const OpId input = inputs[slot].op;
        if (!facts_.runs_once(input) || facts_.can_be_cut(inputs[slot], *next, slot)) continue;
        is_behind = true;
        walk.add(input);
      }
      if (!is_behind) return *next;
    }
    return op;
  }

  Status runs_elsewhere(int k, OpId op) {
    const OpId source = reason_to_run_once(op);
    const char* what = facts_.has_effect(source) ? "has an effect" : "gives other values each time";
    return fail(
        Code::kUnsupported,
        "{} {} and runs only once, but the run of section {} needs {} behind it, inside a "
        "conditional or loop, or a handle, where nothing can be cut; expected a border that "
        "leaves its readers in one section, or fewer sections",
        named(source), what, k, named(op));
  }

  Status follow(int k, OpId op) {
    const auto inputs = graph_.inputs(op);
    for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
      const auto from = source_of(k, op, slot);
      if (!from) {
        TIDELINE_RETURN_IF_ERROR(enter(k, inputs[slot].op));
      } else if (*from >= 0 && *from < k) {
        return fail(Code::kUnsupported,
                    "{} is needed by the run of section {}, but is computed by that of section {}, "
                    "which runs later; expected sections in forward order",
                    named(inputs[slot].op), k, *from);
      } else {
        fed_.emplace(inputs[slot], *from);
      }
    }
    const std::uint32_t stack = facts_.stacks().stack_of(op);
    if (stack != StackLinks::kNone && facts_.of(op).popped) {
      for (const OpId push : facts_.stacks().pushes(stack)) {
        TIDELINE_RETURN_IF_ERROR(enter(k, push));
      }
    }
    // Where ops run under a condition, control edges say which.
    const bool inside = facts_.loop_of(op) != StepFacts::kNoFrame;
    if (!inside && !facts_.is_conditional(op)) return {};
    for (const OpId input : graph_.control_inputs(op)) {
      const bool same_loop = inside && facts_.loop_of(input) == facts_.loop_of(op);
      if (!same_loop && !facts_.is_conditional(input)) continue;
      if (facts_.runs_once(input) && homes_.of(input) != k) continue;
      TIDELINE_RETURN_IF_ERROR(enter(k, input));
    }
    return {};
  }

  // The run that yields input `slot` of `op` to run `k`; nullopt if that computes it itself.
  [[nodiscard]] std::optional<int> source_of(int k, OpId op, std::uint32_t slot) const {
    const TensorId input = graph_.inputs(op)[slot];
    const OpId producer = input.op;
    if (!facts_.varies(producer) || facts_.is_placeholder(producer)) return std::nullopt;
    if (must_compute_[static_cast<std::size_t>(k)][producer.index()]) return std::nullopt;
    int from = kForwardRun;
    if (facts_.runs_once(producer)) {
      from = homes_.of(producer);
      // A value that is not computed from gradients is there in the forward run.
      if (from != k && !facts_.is_backward(producer)) from = kForwardRun;
    } else if (facts_.is_backward(producer)) {
      from = homes_.backward(producer);
    } else if (const int section = membership_.forward[producer.index()]; section >= 0) {
      if (section == k) return std::nullopt;
    } else if (section == kEverySection) {
      return std::nullopt;
    }
    if (from == k || !facts_.can_be_cut(input, op, slot)) return std::nullopt;
    if (hands_on(producer)) return std::nullopt;
    return from;
  }

  // Whether `op` hands on one tensor that can itself be fed: then that is kept, once, and not each
  // of the views of it that are read.
  [[nodiscard]] bool hands_on(OpId op) const {
    const auto inputs = graph_.inputs(op);
    return facts_.kind(op) == OpKind::kView && inputs.size() == 1 && !facts_.runs_once(op) &&
           facts_.loop_of(op) == StepFacts::kNoFrame && !facts_.is_conditional(op) &&
           facts_.varies(inputs[0].op) && !facts_.is_placeholder(inputs[0].op) &&
           facts_.can_be_cut(inputs[0], op, 0);
  }

  // What the forward run executes: the original ops, with all that they wait for.
  Status run_forward() {
    cut_.forward_cache.assign(from_forward_.begin(), from_forward_.end());
    OpWalk walk(graph_);
    walk.add(facts_.roots().loss.op);
    for (const TensorId tensor : cut_.forward_cache) walk.add(tensor.op);
    while (const auto op = walk.next()) {
      if (!facts_.is_placeholder(*op)) walk.add_inputs(*op, Edges::kDataAndControl);
    }
    cut_.forward_ops = walk.take();
    for (const OpId op : homes_.ops()) {
      if (!cut_.forward_ops[op.index()] || homes_.of(op) == kForwardRun) continue;
      if (facts_.is_backward(op)) {
        return fail(Code::kUnsupported,
                    "{} would run in the forward run, because the loss or a value that is kept for "
                    "the backward runs waits for it; expected a loss that does not wait for the "
                    "update of variables",
                    named(op));
      }
      homes_.move_to_forward_run(op);
      is_settled_ = false;
    }
    return {};
  }

  // Runs in their order: -1 for the forward run, then the last section.
  [[nodiscard]] int time_of(int run) const {
    return run == kForwardRun ? -1 : membership_.count - 1 - run;
  }
  [[nodiscard]] bool runs_in(OpId op, int run) const {
    return run == kForwardRun ? cut_.forward_ops[op.index()]
                              : cut_.phases[static_cast<std::size_t>(run)].runs[op.index()];
  }

  Status check_variables() {
    return uses_.for_each_pair([this](const AccessPair& pair) {
      return check_order(pair.write, pair.other, uses_.original().other_waits[pair.number]);
    });
  }

  // `write` changes a variable that `other` accesses, after it or not. Updates move behind what
  // reads the old value.
  Status check_order(OpId write, OpId other, bool comes_after) {
    int home = kNowhere;
    for (int run = kForwardRun; run < membership_.count && home == kNowhere; ++run) {
      if (runs_in(write, run)) home = run;
    }
    if (home == kNowhere) return {};
    for (int run = kForwardRun; run < membership_.count; ++run) {
      if (run == home || !runs_in(other, run)) continue;
      const bool is_later = time_of(run) > time_of(home);
      if (is_later == comes_after) continue;
      // An update that is not computed from gradients can run with those that come after it.
      const bool can_move = is_later ? home != kForwardRun : !facts_.is_backward(write);
      const Homes::Bound bound = !can_move  ? Homes::Bound::kContradicts
                                 : is_later ? homes_.run_no_earlier(write, run)
                                            : homes_.run_no_later(write, run);
      // Already demanded, and this cut still violates it: no cut can keep it.
      if (bound == Homes::Bound::kContradicts || (bound == Homes::Bound::kKnown && is_settled_)) {
        return is_later ? needs_old_value(write, other, run) : needs_new_value(write, other, run);
      }
      if (bound == Homes::Bound::kNew) is_settled_ = false;
    }
    return {};
  }

  [[nodiscard]] Status needs_old_value(OpId write, OpId other, int run) const {
    return fail(Code::kUnsupported,
                "{} writes a variable, but {}, which the later run of section {} computes, needs "
                "the old value; expected a border that leaves both in one section, and a loss that "
                "does not wait for the update",
                named(write), named(other), run);
  }
  [[nodiscard]] Status needs_new_value(OpId write, OpId other, int run) const {
    return fail(Code::kUnsupported,
                "{} needs a variable as {} has written it, but the run of section {} computes it "
                "before that update can run; expected a border that leaves both in one section",
                named(other), named(write), run);
  }

  const StepFacts& facts_;
  const Graph& graph_;
  const VariableUses& uses_;
  Membership membership_;
  std::size_t count_;
  Homes homes_;
  std::vector<std::vector<bool>> must_compute_;  // by section, op: computed, not fed
  bool is_settled_ = true;
  Cut cut_;
  std::vector<std::set<TensorId>> needed_;  // by section: what it delivers
  std::set<TensorId> from_forward_;
  std::map<TensorId, int> fed_;  // of the run at hand: where from
  std::vector<OpId> todo_;
};

}  // namespace

bool PhaseCut::is_fed(const StepFacts& facts, OpId op, std::uint32_t slot) const {
  const TensorId input = facts.graph().inputs(op)[slot];
  return !runs[input.op.index()] && std::binary_search(feeds.begin(), feeds.end(), input);
}

Result<Cut> cut_step(const StepFacts& facts, const VariableUses& uses, Membership membership) {
  return CutSearch(facts, uses, std::move(membership)).run();
}

}  // namespace tideline::sections
