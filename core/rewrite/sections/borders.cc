// Problem: where to cut? The peak of a section's run is about what its forward ops keep for the
// backward pass, and what crosses its borders; but buffers are shared and freed along the way.
// Idea: cut where few bytes cross, which is between blocks of layers. Begin with borders that
// divide the bytes that the backward pass reads into equal parts; then move the borders of the run
// with the largest peak, by ever smaller steps, as long as the peaks get lower. Every trial is cut
// and simulated as it would run, so what counts is the model itself and not an estimate. Borders at
// which the step cannot be cut have no peaks; if the first ones are such, or the levels where few
// bytes cross are too few, as in a chain of equal layers, the search goes on among all levels at
// which at least two sections can be cut.
//   bytes kept by level: 8 8 . 4 4 . 2 2 | two sections: 8 8 | 4 4 2 2
// Cost: at most kMostTrials cuts and simulations for each number of sections, and as many cuts once
// if levels have to be looked at one by one.
// Limits: a local search; borders are levels, so that parallel branches are cut at the same level.
// Source: own. Tested by unit/rewrite/sections_memory_test.cc.
#include "core/rewrite/sections/borders.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/counted.h"
#include "core/rewrite/sections/phase_control.h"

namespace tideline::sections {
namespace {

// Peaks without what is resident, largest first: a trial is better if its list is smaller.
using Peaks = std::vector<Bytes>;

// One that cannot be cut has no peaks, nor has one that was given up because it is worse than the
// best.
struct Trial {
  Peaks sorted;
  Peaks by_section;
  Bytes largest = 0;  // with what is resident
};

// The run of a section, before its ops are ordered.
struct Run {
  PhaseCut cut;
  RunPeak peak;
};

// Whether two runs are the same: their order and their memory then are, too.
bool is_same_run(const PhaseCut& a, const PhaseCut& b) {
  return a.ops == b.ops && a.feeds == b.feeds && a.delivered == b.delivered &&
         a.targets == b.targets;
}

class BorderSearch {
 public:
  BorderSearch(const StepFacts& facts, const VariableUses& uses, const StepGraph& step,
               Progress& progress)
      : facts_(facts), uses_(uses), step_(step), memory_(facts, step), progress_(progress) {
    weigh_levels();
    find_places();
  }

  /// Whether the forward pass has more than one level.
  [[nodiscard]] bool has_levels() const { return last_ > first_; }
  /// Whether there may be that many sections.
  [[nodiscard]] bool may_cut(int count) const {
    return !are_checked_ || places_.size() + 1 >= static_cast<std::size_t>(count);
  }

  Result<FoundBorders> run(int count) {
    const auto needed = static_cast<std::size_t>(count) - 1;
    // Layers of one width, or of ever smaller ones, have no level where fewer bytes cross.
    if (places_.size() < needed && !are_checked_) TIDELINE_RETURN_IF_ERROR(keep_cuttable_places());
    if (places_.size() < needed) {
      if (places_.empty() && !refusal_.message.empty()) return tl::unexpected(refusal_);
      return fail(Code::kInvalidArgument,
                  "{{sections}} {}: the forward pass has {} to cut; expected at most {}", count,
                  counted(places_.size(), "place"), counted(places_.size() + 1, "section"));
    }
    trials_left_ = kMostTrials;
    std::vector<std::size_t> at = even_parts(count);
    TIDELINE_RETURN_IF_ERROR(measure(at, nullptr));
    if (known(at)->sorted.empty() && !are_checked_) {
      TIDELINE_RETURN_IF_ERROR(keep_cuttable_places());
      if (places_.size() < needed) return tl::unexpected(refusal_);
      at = even_parts(count);
      TIDELINE_RETURN_IF_ERROR(measure(at, nullptr));
    }
    std::size_t step =
        std::max<std::size_t>(places_.size() / static_cast<std::size_t>(4 * count), 1);
    while (trials_left_ > 0) {
      TIDELINE_TRY(const bool is_better, improve(at, step));
      if (is_better) continue;
      if (step == 1) break;
      step /= 2;
    }
    const Trial* best = known(at);
    if (best == nullptr || best->sorted.empty()) return tl::unexpected(refusal_);
    return FoundBorders{levels(at), best->largest};
  }

 private:
  [[nodiscard]] std::vector<std::int32_t> levels(const std::vector<std::size_t>& at) const {
    std::vector<std::int32_t> borders;
    for (const std::size_t place : at) borders.push_back(places_[place]);
    return borders;
  }

  // By level: bytes that cross it in the forward pass, and bytes made there for the backward pass.
  void weigh_levels() {
    const Graph& graph = facts_.graph();
    const LevelMap& levels = facts_.levels();
    const auto count = static_cast<std::size_t>(levels.count()) + 1;
    crossing_.assign(count, 0);
    kept_.assign(count, 0);
    std::vector<std::int32_t> last_reader;
    std::vector<bool> is_kept;
    for (const OpId op : graph.ops()) {
      if (!is_forward(op)) continue;
      const auto outputs = step_.ops[op.index()].tensor_count;
      last_reader.assign(outputs, -1);
      is_kept.assign(outputs, false);
      for (const Use use : facts_.consumers().data(op)) {
        const TensorId read = graph.inputs(use.consumer)[use.slot];
        if (read.slot >= outputs || !facts_.in_step(use.consumer)) continue;
        if (is_forward(use.consumer)) {
          last_reader[read.slot] = std::max(last_reader[read.slot], levels.level(use.consumer));
        } else if (!facts_.table().reads_only_shape(graph, use.consumer, use.slot)) {
          is_kept[read.slot] = true;
        }
      }
      const std::int32_t level = levels.level(op);
      first_ = first_ < 0 ? level : std::min(first_, level);
      last_ = std::max(last_, level);
      for (std::uint32_t slot = 0; slot < outputs; ++slot) {
        const Bytes bytes = step_.tensors[step_.tensor({op, slot})].bytes;
        if (is_kept[slot]) kept_[static_cast<std::size_t>(level)] += bytes;
        if (last_reader[slot] <= level) continue;
        crossing_[static_cast<std::size_t>(level) + 1] += bytes;
        crossing_[static_cast<std::size_t>(last_reader[slot]) + 1] -= bytes;
      }
    }
    for (std::size_t level = 1; level < count; ++level) crossing_[level] += crossing_[level - 1];
  }
  [[nodiscard]] bool is_forward(OpId op) const {
    return facts_.in_step(op) && facts_.varies(op) && facts_.is_forward(op) &&
           !facts_.is_backward(op) && !facts_.is_placeholder(op);
  }

  // Levels where fewer bytes cross than at those around them.
  void find_places() {
    for (std::int32_t level = first_ + 1; level <= last_; ++level) {
      const Bytes here = crossing_[static_cast<std::size_t>(level)];
      if (level > first_ + 1 && crossing_[static_cast<std::size_t>(level) - 1] <= here) continue;
      std::int32_t next = level + 1;
      while (next <= last_ && crossing_[static_cast<std::size_t>(next)] == here) ++next;
      if (next > last_ || crossing_[static_cast<std::size_t>(next)] > here)
        places_.push_back(level);
    }
  }

  std::vector<std::size_t> even_parts(int count) {
    Bytes total = 0;
    for (const Bytes bytes : kept_) total += bytes;
    std::vector<std::size_t> at;
    Bytes sum = 0;
    std::int32_t level = 0;
    for (std::size_t place = 0; place < places_.size(); ++place) {
      for (; level < places_[place]; ++level) sum += kept_[static_cast<std::size_t>(level)];
      const auto missing = static_cast<std::size_t>(count) - 1 - at.size();
      if (missing == 0) break;
      const bool is_enough = sum >= total / count * static_cast<Bytes>(at.size() + 1);
      if (is_enough || places_.size() - place == missing) at.push_back(place);
    }
    return at;
  }

  [[nodiscard]] const Trial* known(const std::vector<std::size_t>& at) const {
    const auto found = trials_.find(at);
    return found == trials_.end() ? nullptr : &found->second;
  }

  [[nodiscard]] Result<Cut> cut_at(const std::vector<std::int32_t>& borders) const {
    TIDELINE_TRY(std::vector<int> section, sections_by_level(facts_, borders));
    const int count = static_cast<int>(borders.size()) + 1;
    return cut_step(facts_, uses_, complete(facts_, std::move(section), count));
  }
  // Whether the step can be cut there, and its runs be ordered.
  [[nodiscard]] Status check_border(std::int32_t level) const {
    TIDELINE_TRY(Cut cut, cut_at({level}));
    for (PhaseCut& phase : cut.phases) {
      TIDELINE_TRY(const auto control, order_phase(facts_, uses_, phase));
    }
    return {};
  }

  // Keeps to the levels at which at least two sections can be cut, however much crosses there. Of
  // very many levels it looks at some.
  Status keep_cuttable_places() {
    are_checked_ = true;
    trials_.clear();
    places_.clear();
    const std::int32_t stride = (last_ - first_) / kMostTrials + 1;
    for (std::int32_t level = first_ + 1; level <= last_; level += stride) {
      if (!progress_.report("places to cut", level - first_, last_ - first_)) return cancelled();
      if (auto cut = check_border(level)) {
        places_.push_back(level);
      } else {
        refusal_ = std::move(cut).error();
      }
    }
    return {};
  }

  // Of the run of a section, as it would be written. Of a run that the best trial has, too, it is
  // known.
  Result<RunPeak> peak_of(std::size_t section, const PhaseCut& phase) const {
    if (section < best_runs_.size() && is_same_run(best_runs_[section].cut, phase)) {
      return best_runs_[section].peak;
    }
    PhaseCut ordered = phase;
    TIDELINE_TRY(const auto control, order_phase(facts_, uses_, ordered));
    return memory_.phase(ordered, control);
  }

  // Measures a trial, unless it turns out to be worse than `best`, of as many sections; null for
  // the first.
  Status measure(const std::vector<std::size_t>& at, const std::vector<std::size_t>* best) {
    if (known(at) != nullptr) return {};
    if (!progress_.report("borders", kMostTrials - trials_left_, kMostTrials)) return cancelled();
    --trials_left_;
    const std::vector<std::int32_t> borders = levels(at);
    auto cut = cut_at(borders);
    Trial& trial = trials_[at];
    if (!cut) {
      refusal_ = std::move(cut).error();
      return {};
    }
    const Trial* bar = best == nullptr ? nullptr : known(*best);
    const auto is_worse = [&](const RunPeak& peak) {
      return bar != nullptr && !bar->sorted.empty() && peak.transient() > bar->sorted.front();
    };
    std::vector<Run> runs;
    Peaks by_section;
    for (std::size_t k = 0; k < cut->phases.size(); ++k) {
      auto peak = peak_of(k, cut->phases[k]);
      if (!peak) {
        refusal_ = std::move(peak).error();
        return {};
      }
      if (is_worse(*peak)) return {};
      by_section.push_back(peak->transient());
      runs.push_back({std::move(cut->phases[k]), *peak});
    }
    const RunPeak forward = memory_.forward(*cut);
    if (is_worse(forward)) return {};
    trial.by_section = by_section;
    trial.sorted = std::move(by_section);
    trial.sorted.push_back(forward.transient());
    std::sort(trial.sorted.rbegin(), trial.sorted.rend());
    trial.largest = forward.peak;
    for (const Run& run : runs) trial.largest = std::max(trial.largest, run.peak.peak);
    if (best == nullptr || is_better(at, *best)) best_runs_ = std::move(runs);
    return {};
  }

  [[nodiscard]] bool is_better(const std::vector<std::size_t>& a,
                               const std::vector<std::size_t>& b) const {
    const Trial* first = known(a);
    const Trial* second = known(b);
    if (first->sorted.empty() || second->sorted.empty()) return !first->sorted.empty();
    return first->sorted < second->sorted;
  }

  // Moves a border by `step` places so that the section with the largest peak gets smaller, or, if
  // nothing can be cut there, any border.
  Result<bool> improve(std::vector<std::size_t>& at, std::size_t step) {
    const Trial& now = *known(at);
    std::size_t worst = 0;
    if (!now.by_section.empty()) {
      worst = static_cast<std::size_t>(
          std::max_element(now.by_section.begin(), now.by_section.end()) - now.by_section.begin());
    }
    std::vector<std::vector<std::size_t>> tries;
    const auto moved = [&](std::size_t border, bool up) {
      std::vector<std::size_t> next = at;
      const std::size_t low = border == 0 ? 0 : at[border - 1] + 1;
      const std::size_t high = border + 1 == at.size() ? places_.size() - 1 : at[border + 1] - 1;
      next[border] = up ? std::min(at[border] + step, high)
                        : (at[border] >= low + step ? at[border] - step : low);
      if (next != at) tries.push_back(std::move(next));
    };
    const bool is_cut = !now.sorted.empty();
    for (std::size_t border = 0; border < at.size(); ++border) {
      // The borders of section `worst` are worst - 1 and worst.
      if (!is_cut || border + 1 == worst) moved(border, true);
      if (!is_cut || border == worst) moved(border, false);
    }
    bool found = false;
    std::vector<std::size_t> best = at;
    for (const auto& next : tries) {
      if (trials_left_ <= 0) break;
      TIDELINE_RETURN_IF_ERROR(measure(next, &best));
      if (!is_better(next, best)) continue;
      best = next;
      found = true;
    }
    at = best;
    return found;
  }

  const StepFacts& facts_;
  const VariableUses& uses_;
  const StepGraph& step_;
  CycleMemory memory_;
  Progress& progress_;
  std::vector<Bytes> crossing_, kept_;  // by level
  std::int32_t first_ = -1, last_ = -1;
  std::vector<std::int32_t> places_;  // levels at which to cut
  std::map<std::vector<std::size_t>, Trial> trials_;
  std::vector<Run> best_runs_;  // of the best trial, by section
  int trials_left_ = kMostTrials;
  bool are_checked_ = false;  // places_
  Error refusal_;
};

}  // namespace

Result<FoundBorders> find_borders(const StepFacts& facts, const VariableUses& uses,
                                  const StepGraph& step, int count, Progress& progress) {
  return BorderSearch(facts, uses, step, progress).run(count);
}

Result<FoundBorders> find_borders_within(const StepFacts& facts, const VariableUses& uses,
                                         const StepGraph& step, Bytes limit, Progress& progress) {
  BorderSearch search(facts, uses, step, progress);
  if (!search.has_levels()) {
    return fail(Code::kInvalidArgument, "the forward pass has no place to cut; expected layers");
  }
  std::optional<FoundBorders> best;
  std::optional<Error> refusal;
  int without_gain = 0;
  for (int count = 2; count <= kMostSections && without_gain < 3; ++count) {
    if (!search.may_cut(count)) break;
    auto found = search.run(count);
    if (!found && found.error().code == Code::kCancelled) return found;
    ++without_gain;
    if (!found) refusal = std::move(found).error();
    if (!found || (best && best->largest <= found->largest)) continue;
    best = *std::move(found);
    without_gain = 0;
    if (best->largest <= limit) return *std::move(best);
  }
  if (!best && refusal) return tl::unexpected(*std::move(refusal));
  if (!best) {
    return fail(Code::kInvalidArgument, "the forward pass has no place to cut; expected layers");
  }
  return fail(
      Code::kOverBudget,
      "no sections fit {}: the best found are {}, with borders at level {}, whose largest peak "
      "is {}",
      format_bytes(limit), best->borders.size() + 1, fmt::join(best->borders, ", "),
      format_bytes(best->largest));
}

}  // namespace tideline::sections
