// Problem: users say which forward ops belong together, by scope or by level. The ops of the
// backward pass, the small ops that only it reads, and updates have to follow.
// Idea: a backward op is computed in the run of the section whose gradient it computes, and never
// before what it reads; sums of gradients are computed as soon as their last term is known, so that
// one tensor crosses the border and not each term. A helper (the shape of an activation) belongs to
// the section of the op for whose gradient it is there, else to the last section that it reads
// from. Whose gradient it is follows from edges (gradient_owners.cc), so names do not matter.
//   sections 0: a = f(x)   1: b = g(a), c = h(a), loss
//   run 1: dh, dg, da = AddN(dg, dh) -> kept;   run 0: df(da)
// Cost: O(ops + edges), a few times in graphs with loops.
// Limits: a backward op without a pair is computed as early as it can be. Source: own. Tested by
// unit/rewrite/sections_test.cc.
#include "core/rewrite/sections/membership.h"

#include <algorithm>
#include <limits>

#include "core/base/scope_name.h"
#include "core/graph/nearest_names.h"
#include "core/rewrite/parameter.h"

namespace tideline::sections {
namespace {

// Whether an op is one whose section is the user's to say.
bool is_cuttable_forward(const StepFacts& facts, OpId op) {
  return facts.in_step(op) && facts.varies(op) && !facts.is_backward(op) &&
         !facts.is_placeholder(op);
}

// Ops that belong together: the ops of a loop, or of a conditional.
class Units {
 public:
  explicit Units(const StepFacts& facts) : facts_(facts) {
    for (const OpId op : facts.graph().ops()) unit_.push_back(op);
    if (facts.has_conditionals()) join_conditionals();
    if (facts.loop_count() > 0) join_loops();
  }

  [[nodiscard]] OpId of(OpId op) {
    while (unit_[op.index()] != op) {
      unit_[op.index()] = unit_[unit_[op.index()].index()];
      op = unit_[op.index()];
    }
    return op;
  }

 private:
  void join(OpId a, OpId b) { unit_[of(a).index()] = of(b); }

  void join_conditionals() {
    const Graph& graph = facts_.graph();
    for (const OpId op : graph.ops()) {
      if (!facts_.in_step(op) || facts_.is_backward(op)) continue;
      for (const TensorId input : graph.inputs(op)) {
        if (facts_.is_conditional(input)) join(op, input.op);
      }
    }
  }
  void join_loops() {
    std::vector<OpId> first(facts_.loop_count());
    for (const OpId op : facts_.graph().ops()) {
      const std::uint32_t loop = facts_.loop_of(op);
      if (loop == StepFacts::kNoFrame) continue;
      if (first[loop].valid()) {
        join(op, first[loop]);
      } else {
        first[loop] = op;
      }
    }
  }

  const StepFacts& facts_;
  std::vector<OpId> unit_;  // by op: towards the one that stands for its unit
};

// By op: its level or, in a unit, the level of the last op through which something enters it.
std::vector<std::int32_t> unit_levels(const StepFacts& facts) {
  const Graph& graph = facts.graph();
  const LevelMap& levels = facts.levels();
  Units units(facts);
  std::vector<std::int32_t> entered(graph.op_count(), kNoLevel);  // by unit
  std::vector<std::int32_t> level(graph.op_count());
  for (const OpId op : graph.ops()) {
    level[op.index()] = levels.level(op);
    if (facts.kind(op) != OpKind::kEnter && facts.kind(op) != OpKind::kSwitch) continue;
    const auto inputs = graph.inputs(op);
    if (!inputs.empty() && units.of(inputs[0].op) == units.of(op)) continue;
    std::int32_t& last = entered[units.of(op).index()];
    last = std::max(last, levels.level(op));
  }
  for (const OpId op : graph.ops()) {
    const std::int32_t last = entered[units.of(op).index()];
    if (last != kNoLevel) level[op.index()] = last;
  }
  return level;
}

class Completion {
 public:
  Completion(const StepFacts& facts, std::vector<int> forward, int count)
      : facts_(facts), graph_(facts.graph()) {
    found_.count = count;
    found_.forward = std::move(forward);
    found_.backward.assign(graph_.op_count(), kNoSection);
  }

  Membership run() {
    for (const OpId op : facts_.order()) place_helper(op);
    const bool has_loops = facts_.loop_count() > 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (const OpId op : facts_.order()) changed = place_backward(op) || changed;
      changed = has_loops && (join_loops() || changed);
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] int& forward(OpId op) { return found_.forward[op.index()]; }
  [[nodiscard]] int& backward(OpId op) { return found_.backward[op.index()]; }
  [[nodiscard]] bool is_placed(OpId op) const {
    return facts_.in_step(op) && facts_.is_backward(op) && facts_.varies(op);
  }

  // The section of the forward op whose gradient `op` helps to compute.
  [[nodiscard]] int paired(OpId op) {
    const OpId of = facts_.gradient_of(op);
    return of.valid() ? std::max(forward(of), kNoSection) : kNoSection;
  }

  void place_helper(OpId op) {
    if (!is_cuttable_forward(facts_, op)) return;
    // A view of a fed value is recomputed: feeding it would cost a second feed.
    if (facts_.kind(op) == OpKind::kView && reads_only_fed(op)) forward(op) = kEverySection;
    if (forward(op) != kNoSection) return;
    const bool writes = facts_.kind(op) == OpKind::kAssign || facts_.kind(op) == OpKind::kUpdate;
    if (facts_.is_forward(op) && !writes) return;  // between sections: kept from the forward run
    int section = writes ? kNoSection : paired(op);
    if (section == kNoSection) section = last_read(op);
    if (section == kNoSection && !writes && reads_only_fed(op)) section = kEverySection;
    forward(op) = section;
  }
  [[nodiscard]] bool reads_only_fed(OpId op) {
    if (facts_.runs_once(op)) return false;
    const auto inputs = graph_.inputs(op);
    return std::all_of(inputs.begin(), inputs.end(), [&](TensorId input) {
      return !facts_.varies(input.op) || facts_.is_placeholder(input.op) ||
             forward(input.op) == kEverySection;
    });
  }
  [[nodiscard]] int last_read(OpId op) {
    int last = kNoSection;  // above kEverySection
    for (const TensorId input : graph_.inputs(op)) {
      if (!facts_.is_backward(input.op)) last = std::max(last, forward(input.op));
    }
    return last;
  }

  // Whether `op` adds gradients and reads nothing else that varies.
  [[nodiscard]] bool adds_gradients(OpId op) const {
    const Arguments& linear = facts_.of(op).linear;
    const auto inputs = graph_.inputs(op);
    std::size_t terms = 0;
    facts_.table().for_each_slot(graph_, op, linear, [&](std::uint32_t slot) {
      if (is_placed(inputs[slot].op)) ++terms;
    });
    const auto varying = std::count_if(inputs.begin(), inputs.end(),
                                       [&](TensorId input) { return facts_.varies(input.op); });
    return terms >= 2 && terms == static_cast<std::size_t>(varying);
  }

  bool place_backward(OpId op) {
    if (!is_placed(op)) return false;
    constexpr int kNever = std::numeric_limits<int>::max();
    int latest = kNever;  // the run of an input, the last one of which has the lowest number
    for (const TensorId input : graph_.inputs(op)) {
      if (is_placed(input.op) && backward(input.op) != kNoSection) {
        latest = std::min(latest, backward(input.op));
      }
    }
    int section = latest;
    if (!adds_gradients(op) || latest == kNever) {
      const int own = paired(op);
      if (own != kNoSection) section = std::min(section, own);
    }
    if (section == kNever) section = last_read(op);
    if (section == kNoSection) section = found_.count - 1;
    const bool changed =
        backward(op) != section && (backward(op) == kNoSection || section < backward(op));
    if (changed) backward(op) = section;
    return changed;
  }

  // All ops of a loop run together.
  bool join_loops() {
    std::vector<int> of_loop(facts_.loop_count(), std::numeric_limits<int>::max());
    for (const OpId op : graph_.ops()) {
      const std::uint32_t loop = facts_.loop_of(op);
      if (loop == StepFacts::kNoFrame || backward(op) == kNoSection) continue;
      of_loop[loop] = std::min(of_loop[loop], backward(op));
    }
    bool changed = false;
    for (const OpId op : graph_.ops()) {
      const std::uint32_t loop = facts_.loop_of(op);
      if (loop == StepFacts::kNoFrame || backward(op) == kNoSection) continue;
      changed = changed || backward(op) != of_loop[loop];
      backward(op) = of_loop[loop];
    }
    return changed;
  }

  const StepFacts& facts_;
  const Graph& graph_;
  Membership found_;
};

}  // namespace

Result<std::vector<int>> sections_by_scope(const StepFacts& facts,
                                           const std::vector<std::string>& scopes) {
  const Graph& graph = facts.graph();
  std::vector<int> section(graph.op_count(), kNoSection);
  std::vector<bool> is_used(scopes.size());
  for (const OpId op : graph.ops()) {
    if (!is_cuttable_forward(facts, op)) continue;
    std::size_t longest = 0;
    for (std::size_t k = 0; k < scopes.size(); ++k) {
      const std::string_view scope = without_slash(scopes[k]);
      if (scope.size() < longest || !is_below(graph.name(op), scope)) continue;
      longest = scope.size();
      section[op.index()] = static_cast<int>(k);
    }
    // Updates and what helps the backward pass do not make a section.
    const bool writes = facts.kind(op) == OpKind::kAssign || facts.kind(op) == OpKind::kUpdate;
    if (section[op.index()] != kNoSection && facts.is_forward(op) && !writes) {
      is_used[static_cast<std::size_t>(section[op.index()])] = true;
    }
  }
  for (std::size_t k = 0; k < scopes.size(); ++k) {
    if (is_used[k]) continue;
    bool exists = false;
    for (const OpId op : graph.ops()) {
      exists = exists || is_below(graph.name(op), without_slash(scopes[k]));
    }
    return fail(Code::kNotFound,
                "{{scopes}}: the scope '{}' has no op of the forward pass that depends on what is "
                "fed{}; expected name scopes of forward ops, in the order in which they run",
                scopes[k], exists ? "" : nearest_scopes(graph, scopes[k]));
  }
  return section;
}

Result<std::vector<std::int32_t>> parse_borders(const std::vector<std::string>& levels) {
  std::vector<std::int32_t> borders;
  std::optional<int> end;
  for (const std::string& text : levels) {
    const auto wrong = [&](std::string_view expected) {
      return fail(Code::kInvalidArgument, "{{levels}}: '{}': expected {}", text, expected);
    };
    const std::size_t colon = text.find(':');
    const auto first = parse_number(text.substr(0, colon), 0);
    if (!first) return wrong("ranges of levels as in 0:40,40:80, or borders as in 40");
    if (colon == std::string::npos) {
      if (end) return wrong("ranges or borders, not both");
      if (*first < 1) return wrong("a border of at least 1");
      if (!borders.empty() && *first <= borders.back()) return wrong("borders that ascend");
      borders.push_back(*first);
      continue;
    }
    const auto last = parse_number(text.substr(colon + 1), 1);
    if (!last || *last <= *first) return wrong("a range that ends after its beginning");
    if (!end && !borders.empty()) return wrong("ranges or borders, not both");
    if (!end && *first != 0) return wrong("a first range that begins at 0");
    if (end && *first != *end) return wrong("ranges that adjoin");
    if (end) borders.push_back(*first);
    end = *last;
  }
  if (borders.empty()) {
    return fail(Code::kInvalidArgument,
                "{{levels}}: one range is one section; expected at least two, or a border");
  }
  return borders;
}

Result<std::vector<int>> sections_by_level(const StepFacts& facts,
                                           std::span<const std::int32_t> borders) {
  const Graph& graph = facts.graph();
  const std::vector<std::int32_t> level = unit_levels(facts);
  std::vector<int> section(graph.op_count(), kNoSection);
  std::vector<bool> is_used(borders.size() + 1);
  std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
  std::int32_t highest = kNoLevel;
  for (const OpId op : graph.ops()) {
    if (!is_cuttable_forward(facts, op) || !facts.is_forward(op)) continue;
    // A moving average belongs to what it averages (complete).
    if (facts.kind(op) == OpKind::kAssign || facts.kind(op) == OpKind::kUpdate) continue;
    const std::int32_t at = level[op.index()];
    const auto k = std::upper_bound(borders.begin(), borders.end(), at) - borders.begin();
    section[op.index()] = static_cast<int>(k);
    is_used[static_cast<std::size_t>(k)] = true;
    lowest = std::min(lowest, at);
    highest = std::max(highest, at);
  }
  const auto empty = std::find(is_used.begin(), is_used.end(), false) - is_used.begin();
  if (empty == static_cast<std::ptrdiff_t>(is_used.size())) return section;
  return fail(Code::kNotFound,
              "section {} would have no op: those of the forward pass that depend on what is fed "
              "are at the levels {} to {}; expected borders between these",
              empty, lowest, highest);
}

Membership complete(const StepFacts& facts, std::vector<int> forward, int count) {
  return Completion(facts, std::move(forward), count).run();
}

}  // namespace tideline::sections
