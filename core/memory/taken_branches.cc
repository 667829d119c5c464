// Problem: which branches make the largest step? Conditionals stand inside each other, and the
// choice of one decides which ops of another count.
// Idea: what the user chose is taken first. Then the others, each before those around it: of two
// branches the one is taken whose ops make more, as far as no earlier choice took them out.
//   outer true: 8 MiB and an inner conditional of 1 or 6 MiB; false: 13 MiB    14 > 13: true
// A plan changes none of that: its step takes what the step before it takes.
// Limits: it is a choice for each conditional alone; two that hold parts of each other, or whose
// bytes are not there at the same time, may have a larger step. In a loop the choice holds for all
// of its rounds. Cost: O(size of the conditionals x log). Source: own. Tested by
// unit/memory/taken_branches_test.cc.
#include "core/memory/taken_branches.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "core/analysis/structure/conditionals.h"
#include "core/base/text.h"
#include "core/graph/nearest_names.h"

namespace tideline {
namespace {

// They call the branch that they take.
constexpr std::array<std::string_view, 4> kCallers = {"Case", "If", "StatelessCase", "StatelessIf"};

bool is_called(const Conditional& conditional, std::string_view name) {
  return std::find(conditional.names.begin(), conditional.names.end(), name) !=
         conditional.names.end();
}

class BranchChoice {
 public:
  BranchChoice(const Folding& folding, const StepGraph& step)
      : folding_(folding),
        step_(step),
        taken_(folding.conditionals.size()),
        times_skipped_(step.ops.size()) {}

  std::vector<TakenBranch> choose() {
    for (const GivenBranch& given : step_.run.branches) {
      const auto& all = folding_.conditionals;
      const auto named = std::find_if(all.begin(), all.end(), [&](const Conditional& conditional) {
        return is_called(conditional, given.name);
      });
      if (named == all.end()) continue;  // a plan may have taken it out
      taken_[static_cast<std::size_t>(named - all.begin())] = {given.takes, true,
                                                               BranchSource::kGiven};
    }
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (is_given(i)) skip(i, 1);
    }
    for (const std::size_t i : innermost_first()) {
      if (is_given(i)) continue;
      taken_[i].bytes = {made_by(i, 0), made_by(i, 1)};
      taken_[i].takes = taken_[i].bytes[0] <= taken_[i].bytes[1];
      skip(i, 1);
    }
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      const auto& switches = folding_.conditionals[i].switches;
      taken_[i].runs = std::any_of(switches.begin(), switches.end(), [&](OpId op) {
        return !is_skipped(op) && step_.file_levels[op.index()] >= 0;
      });
      if (!is_given(i)) continue;
      skip(i, -1);
      taken_[i].bytes = {made_by(i, 0), made_by(i, 1)};
      skip(i, 1);
    }
    return std::move(taken_);
  }

 private:
  [[nodiscard]] bool is_skipped(OpId op) const { return times_skipped_[op.index()] > 0; }
  [[nodiscard]] bool is_given(std::size_t i) const {
    return taken_[i].source == BranchSource::kGiven;
  }

  // Each behind those that have a Switch in its branches, as far as these are not around each
  // other; then the one that holds the fewest undecided ones goes first.
  [[nodiscard]] std::vector<std::size_t> innermost_first() const {
    std::map<OpId, std::vector<std::size_t>> of_switch;
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      for (const OpId op : folding_.conditionals[i].switches) of_switch[op].push_back(i);
    }
    std::vector<std::set<std::size_t>> around(taken_.size());
    std::vector<std::size_t> inside(taken_.size());  // how many of them are not decided yet
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      for (const std::vector<OpId>& branch : folding_.conditionals[i].branches) {
        for (const OpId op : branch) {
          const auto found = of_switch.find(op);
          if (found == of_switch.end()) continue;
          for (const std::size_t inner : found->second) {
            if (inner != i && around[inner].insert(i).second) ++inside[i];
          }
        }
      }
    }
    std::set<std::pair<std::size_t, std::size_t>> undecided;
    for (std::size_t i = 0; i < taken_.size(); ++i) undecided.emplace(inside[i], i);
    std::vector<std::size_t> order;
    while (!undecided.empty()) {
      const std::size_t next = undecided.begin()->second;
      undecided.erase(undecided.begin());
      order.push_back(next);
      for (const std::size_t outer : around[next]) {
        const auto waiting = undecided.find({inside[outer], outer});
        if (waiting == undecided.end()) continue;
        undecided.erase(waiting);
        undecided.emplace(--inside[outer], outer);
      }
    }
    return order;
  }

  void skip(std::size_t i, std::int32_t times) {
    for (const OpId op : folding_.conditionals[i].branches.at(taken_[i].takes ? 0 : 1)) {
      times_skipped_[op.index()] += times;
    }
  }

  [[nodiscard]] Bytes made_by(std::size_t i, std::size_t side) const {
    const auto& branches = folding_.conditionals[i].branches;
    const std::vector<OpId>& other = branches.at(1 - side);
    Bytes sum = 0;
    for (const OpId op : branches.at(side)) {
      const bool counts = !is_skipped(op) && step_.file_levels[op.index()] >= 0 && !is_copy(op) &&
                          !std::binary_search(other.begin(), other.end(), op);
      if (!counts) continue;
      const StepOp& entry = step_.ops[op.index()];
      for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
        const StepTensor& tensor = step_.tensors[entry.first_tensor + slot];
        if (tensor.home == Space::kDevice) sum = saturating_add(sum, tensor.bytes);
      }
    }
    return sum;
  }
  [[nodiscard]] bool is_copy(OpId op) const {
    return !folding_.is_copy.empty() && folding_.is_copy[op.index()];
  }

  const Folding& folding_;
  const StepGraph& step_;
  std::vector<TakenBranch> taken_;
  std::vector<std::int32_t> times_skipped_;  // by op: by how many conditionals
};

}  // namespace

void take_branches(const Folding& folding, StepGraph& step) {
  const std::vector<Conditional>& conditionals = folding.conditionals;
  if (conditionals.empty()) return;
  if (step.taken.empty()) step.taken = BranchChoice(folding, step).choose();
  std::vector<bool> is_dead(step.ops.size());
  std::vector<std::uint8_t> dead_slot(step.ops.size(), 2);  // of a Switch; 2: none
  for (std::size_t i = 0; i < conditionals.size(); ++i) {
    const std::uint8_t dead = step.taken[i].takes ? 0 : 1;
    for (const OpId op : conditionals[i].branches.at(dead)) is_dead[op.index()] = true;
    for (const OpId op : conditionals[i].switches) dead_slot[op.index()] = dead;
  }
  const auto is_of_dead = [&](const StepInput& input) {
    const OpId producer = step.producer_of[input.tensor];
    const std::uint32_t slot = input.tensor - step.ops[producer.index()].first_tensor;
    return is_dead[producer.index()] || dead_slot[producer.index()] == slot;
  };
  // Copies that a plan added belong to the branch that they read.
  for (std::size_t op = folding.graph->op_count(); op < step.ops.size(); ++op) {
    const auto inputs = step.inputs_of(OpId{static_cast<std::uint32_t>(op)});
    is_dead[op] = std::any_of(inputs.begin(), inputs.end(), is_of_dead);
  }
  for (const Conditional& conditional : conditionals) {
    for (const OpId merge : conditional.merges) {
      StepOp& entry = step.ops[merge.index()];
      const auto inputs = std::span(step.inputs).subspan(entry.first_input, entry.input_count);
      const auto gone = std::remove_if(inputs.begin(), inputs.end(), is_of_dead);
      if (gone == inputs.begin()) continue;  // it is dead, too
      entry.input_count = static_cast<std::uint32_t>(gone - inputs.begin());
    }
  }
  for (std::size_t op = 0; op < is_dead.size(); ++op) {
    if (!is_dead[op]) continue;
    StepOp& entry = step.ops[op];
    entry.input_count = entry.control_count = entry.tensor_count = entry.link_count = 0;
  }
}

Status check_branches(const GraphFacts& facts, const Folding& folding,
                      const std::vector<GivenBranch>& given) {
  const auto& all = folding.conditionals;
  for (const GivenBranch& entry : given) {
    const std::string& name = entry.name;
    if (std::any_of(all.begin(), all.end(),
                    [&](const Conditional& one) { return is_called(one, name); })) {
      continue;
    }
    const OpId op = facts.graph().find(name);
    if (op.valid() && std::ranges::find(kCallers, facts.graph().type(op)) != kCallers.end()) {
      return fail(Code::kNotFound,
                  "{{branch}} {}: calls its branches as functions ({}), of which none is "
                  "simulated; expected a conditional of Switch and Merge ops",
                  printable(name), printable(facts.graph().type(op)));
    }
    if (all.empty()) {
      return fail(Code::kNotFound,
                  "{{branch}} {}: there is no such conditional; the graph has no conditionals",
                  printable(name));
    }
    std::vector<std::string_view> names;
    for (const Conditional& one : all)
      names.insert(names.end(), one.names.begin(), one.names.end());
    std::vector<std::string> near = nearest_names(names, name);
    if (near.empty()) {
      constexpr std::size_t kShown = 3;
      for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i) {
        near.push_back(all[i].names.front());
      }
    }
    for (std::string& text : near) text = printable(text);
    return fail(Code::kNotFound, "{{branch}} {}: there is no such conditional; expected {}{}",
                printable(name), near.size() > 1 ? "one like " : "", fmt::join(near, ", "));
  }
  return {};
}

std::string taken_text(const StepGraph& step) {
  if (step.taken.empty()) return {};
  constexpr std::size_t kShown = 4;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kShown, step.taken.size()); ++i) {
    const TakenBranch& taken = step.taken[i];
    std::string text = printable(step.folding->conditionals[i].names.front());
    if (!taken.runs) {
      text += " does not run";
    } else {
      text += fmt::format(" takes {} ({}", branch_name(taken.takes),
                          taken.source == BranchSource::kGiven ? "as given; " : "");
      text +=
          fmt::format("makes {}, {} {})", format_bytes(taken.bytes.at(taken.takes ? 1 : 0)),
                      branch_name(!taken.takes), format_bytes(taken.bytes.at(taken.takes ? 0 : 1)));
    }
    texts.push_back(std::move(text));
  }
  if (step.taken.size() > kShown) {
    texts.push_back(fmt::format("and {} more", step.taken.size() - kShown));
  }
  return fmt::format("of {} conditional{}, {}", step.taken.size(),
                     step.taken.size() == 1 ? "" : "s", fmt::join(texts, ", "));
}

std::string skipped_text(const StepGraph& step, OpId op) {
  for (std::size_t i = 0; i < step.taken.size(); ++i) {
    const Conditional& conditional = step.folding->conditionals[i];
    const bool skipped = !step.taken[i].takes;
    const std::vector<OpId>& ops = conditional.branches.at(skipped ? 1 : 0);
    if (!std::binary_search(ops.begin(), ops.end(), op)) continue;
    return fmt::format("it is of the branch of {} for {}, which is not taken",
                       printable(conditional.names.front()), branch_name(skipped));
  }
  return {};
}

}  // namespace tideline
