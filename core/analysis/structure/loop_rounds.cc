// Problem: a loop of TensorFlow 1 runs until its condition is false; how often decides how much its
// stacks hold.
// Idea: nearly all conditions compare a counter with a limit. The counter is a Merge that starts
// with a known number and gets a constant added in each round; the limit is a known number from
// outside. Of conditions joined by LogicalAnd, the one that fails first counts.
//   Less(Merge(Enter(0), NextIteration(Add(Identity(Switch(merge)), 1))), Enter(40)): 40 rounds
// A backward loop counts down from what its forward loop counted up, so it runs as often.
// Limits: all else is unknown. Source: own. Tested by unit/analysis/structure/loop_rounds_test.cc.
#include "core/analysis/structure/loop_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/text.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

constexpr std::uint32_t kMostLoopSteps = 16;

class RoundsSearch {
 public:
  RoundsSearch(const Graph& graph, const OpFactsTable& facts, const WhileFrames& frames,
               const TensorTable& tensors)
      : graph_(graph), facts_(facts), frames_(frames), tensors_(tensors) {}

  std::vector<LoopCount> run() {
    std::vector<LoopCount> loops;
    // Parents and forward loops stand before the loops that depend on them, except where a file
    // lists the backward loop first: that one is looked at again.
    for (const WhileFrame& frame : frames_.frames) loops.push_back(of(frame, loops));
    for (std::size_t i = 0; i < loops.size(); ++i) {
      if (loops[i].source == RoundsSource::kUnknown) loops[i] = of(frames_.frames[i], loops);
    }
    return loops;
  }

 private:
  [[nodiscard]] OpKind kind(OpId op) const { return facts_.of(graph_, op).kind; }

  [[nodiscard]] LoopCount of(const WhileFrame& frame, const std::vector<LoopCount>& before) const {
    LoopCount loop{frame.name};
    std::int64_t traced = 0;
    for (const OpId op : frame.next_iterations) traced = std::max(traced, tensors_.traced_runs(op));
    if (traced > 0) return {frame.name, traced, RoundsSource::kTraced, {}};
    if (const GivenRounds* given = find_rounds(tensors_.given_rounds(), frame.name)) {
      loop = {frame.name, given->count, RoundsSource::kGiven, {}};
    } else if (const std::uint32_t forward = forward_of(frame); forward < before.size()) {
      return {frame.name, before[forward].rounds, before[forward].source, before[forward].name};
    } else if (frame.condition.valid()) {
      if (const auto rounds = until_false(graph_.inputs(frame.condition)[0], kMostLoopSteps)) {
        loop = {frame.name, *rounds, RoundsSource::kBounds, {}};
      }
    }
    if (loop.source != RoundsSource::kUnknown && frame.parent < before.size()) {
      loop.rounds = times(loop.rounds, before[frame.parent].rounds);
    }
    return loop;
  }
  static std::int64_t times(std::int64_t a, std::int64_t b) {
    constexpr std::int64_t kMost = kMostLoopRounds;
    return std::min(checked_multiply(a, b).value_or(kMost), kMost);
  }

  // The loop whose rounds a backward loop counts down: the one that filled its stacks, else the one
  // that its counter comes from.
  [[nodiscard]] std::uint32_t forward_of(const WhileFrame& frame) const {
    if (frame.forward != WhileFrame::kNone || !frame.condition.valid()) return frame.forward;
    const auto compared = graph_.inputs(graph_.inputs(frame.condition)[0].op);
    if (compared.size() != 2) return WhileFrame::kNone;
    const auto start = start_of(compared[0]);
    if (!start || kind(start->op) != OpKind::kExit) return WhileFrame::kNone;
    return frames_.frame_of[start->op.index()];
  }

  [[nodiscard]] TensorId behind_identities(TensorId tensor) const {
    return source_of_value(graph_, tensor, kMostLoopSteps, [&](OpId op) {
      return kind(op) == OpKind::kView || kind(op) == OpKind::kSwitch;
    });
  }
  // The tensor that enters the loop as the first value of the loop variable `tensor`.
  [[nodiscard]] std::optional<TensorId> start_of(TensorId tensor) const {
    const OpId merge = behind_identities(tensor).op;
    if (kind(merge) != OpKind::kMerge) return std::nullopt;
    for (const TensorId input : graph_.inputs(merge)) {
      if (kind(input.op) != OpKind::kEnter || graph_.inputs(input.op).empty()) continue;
      return behind_identities(graph_.inputs(input.op)[0]);
    }
    return std::nullopt;
  }
  // By how much the variable changes in a round.
  [[nodiscard]] std::optional<std::int64_t> step_of(TensorId tensor) const {
    const OpId merge = behind_identities(tensor).op;
    for (const TensorId input : graph_.inputs(merge)) {
      if (kind(input.op) != OpKind::kNextIteration || graph_.inputs(input.op).empty()) continue;
      const TensorId next = behind_identities(graph_.inputs(input.op)[0]);
      const std::string_view type = graph_.type(next.op);
      const auto terms = graph_.inputs(next.op);
      if (terms.size() != 2) return std::nullopt;
      const bool adds = type == "Add" || type == "AddV2";
      if (!adds && type != "Sub") return std::nullopt;
      for (std::size_t i = 0; i < (adds ? 2U : 1U); ++i) {
        if (behind_identities(terms[i]).op != merge) continue;
        const auto by = number(terms[1 - i]);
        if (by) return adds ? *by : -*by;
      }
    }
    return std::nullopt;
  }
  // A number that every round reads.
  [[nodiscard]] std::optional<std::int64_t> number(TensorId tensor) const {
    TensorId source = behind_identities(tensor);
    while (kind(source.op) == OpKind::kEnter && !graph_.inputs(source.op).empty()) {
      source = behind_identities(graph_.inputs(source.op)[0]);
    }
    return tensors_.number(source);
  }

  [[nodiscard]] std::optional<std::int64_t> until_false(TensorId condition,
                                                        std::uint32_t steps) const {
    condition = behind_identities(condition);
    const auto inputs = graph_.inputs(condition.op);
    const std::string_view type = graph_.type(condition.op);
    if (inputs.size() != 2 || steps == 0) return std::nullopt;
    if (type == "LogicalAnd") {
      const auto a = until_false(inputs[0], steps / 2);
      const auto b = until_false(inputs[1], steps / 2);
      return a && b ? std::min(*a, *b) : (a ? a : b);
    }
    if (type == "Less") return rounds(inputs[0], inputs[1], 0);
    if (type == "LessEqual") return rounds(inputs[0], inputs[1], 1);
    if (type == "Greater") return rounds(inputs[1], inputs[0], 0);
    if (type == "GreaterEqual") return rounds(inputs[1], inputs[0], 1);
    return std::nullopt;
  }
  // Rounds while `low` < `high` + `more`, where one of them is a counter and the other a number.
  [[nodiscard]] std::optional<std::int64_t> rounds(TensorId low, TensorId high,
                                                   std::int64_t more) const {
    const auto low_start = start_of(low);
    const auto high_start = start_of(high);
    if (low_start.has_value() == high_start.has_value()) return std::nullopt;
    const bool rises = low_start.has_value();
    const auto start = number(rises ? *low_start : *high_start);
    const auto limit = number(rises ? high : low);
    const auto step = step_of(rises ? low : high);
    if (!start || !limit || !step) return std::nullopt;
    constexpr std::int64_t kMost = kMostLoopRounds;
    const auto small = [&](std::int64_t value) { return value >= -kMost && value <= kMost; };
    if (!small(*start) || !small(*limit) || !small(*step)) return std::nullopt;
    const std::int64_t way = (rises ? *limit - *start : *start - *limit) + more;
    const std::int64_t pace = rises ? *step : -*step;
    if (way <= 0) return 0;
    if (pace <= 0) return std::nullopt;
    return (way + pace - 1) / pace;
  }

  const Graph& graph_;
  const OpFactsTable& facts_;
  const WhileFrames& frames_;
  const TensorTable& tensors_;
};

Status check_given(const std::vector<GivenRounds>& given, const std::vector<LoopCount>& loops) {
  for (const GivenRounds& entry : given) {
    const bool exists = std::any_of(loops.begin(), loops.end(), [&](const LoopCount& loop) {
      return names_loop(entry.name, loop.name);
    });
    if (exists) continue;
    std::vector<std::string> names;
    for (const LoopCount& loop : loops) names.push_back(printable(loop.name, 200));
    return fail(Code::kNotFound, "{{rounds}} {}: there is no such loop; {}", printable(entry.name),
                names.empty() ? "the graph has no loops"
                              : fmt::format("expected one of {}", fmt::join(names, ", ")));
  }
  return {};
}

}  // namespace

Result<std::vector<LoopCount>> count_loops(const Graph& graph, const OpFactsTable& facts,
                                           const WhileFrames& frames, const TensorTable& tensors) {
  std::vector<LoopCount> loops = RoundsSearch(graph, facts, frames, tensors).run();
  loops.insert(loops.end(), tensors.called_loops().begin(), tensors.called_loops().end());
  TIDELINE_RETURN_IF_ERROR(check_given(tensors.given_rounds(), loops));
  return loops;
}

}  // namespace tideline
