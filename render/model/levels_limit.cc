// Tested by unit/model/levels_limit_test.cc and gui/level_stretch_test.cc.
#include "render/model/levels_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"

namespace tideline::ui {
namespace {

bool is_in(const LevelStretch& levels, std::int32_t level) {
  return level >= levels.from && level <= levels.to;
}

void add_to_parents(const ScopeTree& tree, std::vector<Bytes>& bytes) {
  for (std::size_t i = tree.scopes.size(); i-- > 1;) {
    Bytes& above = bytes[tree.scopes[i].parent];
    above = saturating_add(above, bytes[i]);
  }
}

// The step whose memory is shown.
const MemoryTimeline* shown_step(const render::Scene& scene, const render::MemoryLayout& memory) {
  if (memory.device >= scene.devices.size()) return nullptr;
  const render::DeviceCurves& curves = scene.devices[memory.device];
  return memory.has_after ? curves.after : curves.before;
}

}  // namespace

const LevelStretch* limit_of(const DocumentView& view) {
  return view.levels && view.levels->is_limit ? &*view.levels : nullptr;
}

std::string levels_text(const LevelStretch& levels) {
  return levels.from == levels.to ? fmt::format("level {}", levels.from)
                                  : fmt::format("levels {} to {}", levels.from, levels.to);
}

std::string limit_label(const LevelStretch& levels) {
  return fmt::format("Only {}: show all", levels_text(levels));
}

std::vector<OpId> ops_of_levels(const render::Scene& scene, const LevelStretch& levels) {
  std::vector<OpId> ops;
  for (const OpId op : scene.graph->ops()) {
    if (is_in(levels, scene.levels->level(op))) ops.push_back(op);
  }
  return ops;
}

ScopeTotals totals_of_levels(const render::Scene& scene, const LevelStretch& levels) {
  const ScopeTree& tree = *scene.scopes;
  ScopeTotals totals;
  totals.bytes.resize(tree.scopes.size());
  totals.swapped.resize(tree.scopes.size());
  const auto add = [&](std::vector<Bytes>& sums, OpId op, Bytes bytes) {
    if (!is_in(levels, scene.levels->level(op))) return;
    Bytes& sum = sums[tree.scope_of[op.index()]];
    sum = saturating_add(sum, bytes);
  };
  for (const OpId op : scene.graph->ops()) add(totals.bytes, op, scene.tensors->output_bytes(op));
  const auto add_swap = [&](TensorId tensor) {
    add(totals.swapped, tensor.op, scene.tensors->bytes(tensor));
  };
  if (scene.plan != nullptr) {
    for (const PlannedSwap& swap : scene.plan->swaps()) add_swap(swap.tensor);
  }
  if (scene.copies != nullptr) {
    for (const FileSwap& swap : scene.copies->swaps) add_swap(swap.tensor);
  }
  add_to_parents(tree, totals.bytes);
  add_to_parents(tree, totals.swapped);
  return totals;
}

std::optional<std::int32_t> level_at(const render::Scene& scene, const render::MemoryLayout& memory,
                                     std::int32_t position) {
  if (position < 0 || position >= memory.count || !memory.runs.empty()) return std::nullopt;
  if (memory.axis == render::MemoryAxis::kLevel) return position;
  const MemoryTimeline* step = shown_step(scene, memory);
  const auto at = static_cast<std::size_t>(position);
  if (step == nullptr || at >= memory.step_at.size() || memory.step_at[at] < 0) return std::nullopt;
  const auto index = static_cast<std::size_t>(memory.step_at[at]);
  if (index >= step->level.size() || step->level[index] < 0) return std::nullopt;
  return step->level[index];
}

std::optional<LevelStretch> levels_between(const render::Scene& scene,
                                           const render::MemoryLayout& memory, double a, double b,
                                           bool is_limit) {
  const auto position = [&](double at) {
    return static_cast<std::int32_t>(
        std::clamp(std::floor(at), 0.0, std::max(0.0, memory.count - 1.0)));
  };
  std::optional<LevelStretch> levels;
  for (std::int32_t at = position(std::min(a, b)); at <= position(std::max(a, b)); ++at) {
    const auto level = level_at(scene, memory, at);
    if (!level) continue;
    if (!levels) levels = LevelStretch{*level, *level, is_limit};
    levels->from = std::min(levels->from, *level);
    levels->to = std::max(levels->to, *level);
  }
  return levels;
}

std::optional<Positions> positions_of(const render::Scene& scene,
                                      const render::MemoryLayout& memory,
                                      const LevelStretch& levels) {
  if (!memory.runs.empty()) return std::nullopt;
  if (memory.axis == render::MemoryAxis::kLevel) return Positions{levels.from, levels.to};
  std::optional<Positions> found;
  for (std::int32_t at = 0; at < memory.count; ++at) {
    const auto level = level_at(scene, memory, at);
    if (!level || !is_in(levels, *level)) continue;
    found = Positions{found ? found->first : at, at};
  }
  return found;
}

std::int32_t peak_position(const render::Scene& scene, const render::MemoryLayout& memory,
                           const LevelStretch* limit) {
  const std::int32_t peak = memory.has_after ? memory.after_peak_at : memory.before_peak_at;
  const auto within = limit != nullptr ? positions_of(scene, memory, *limit) : std::nullopt;
  if (!within) return std::max(0, peak);
  const render::Curve& curve = memory.has_after ? memory.after : memory.before;
  if (memory.axis == render::MemoryAxis::kLevel) {
    return std::max(within->first, curve.largest(within->first, within->last + 1));
  }
  std::int32_t best = within->first;
  for (std::int32_t at = within->first; at <= within->last; ++at) {
    const auto level = level_at(scene, memory, at);
    if (level && is_in(*limit, *level) && curve.at(at) > curve.at(best)) best = at;
  }
  return best;
}

std::optional<render::LevelStretchLook> stretch_look(const UiModel& model, const ViewState& view,
                                                     const render::MemoryLayout* memory,
                                                     const render::Axis& axis, render::Rect area,
                                                     bool has_text) {
  if (!view.levels) return std::nullopt;
  const render::Scene& scene = *model.scene;
  const auto [from, to, is_limit] = *view.levels;
  const auto at =
      memory != nullptr ? positions_of(scene, *memory, *view.levels) : Positions{from, to};
  if (!at) return std::nullopt;
  render::LevelStretchLook look = {.axis = axis,
                                   .area = area,
                                   .palette = &render::palette(view.theme),
                                   .font_px = view.font_px * view.scale,
                                   .from = at->first,
                                   .to = at->last,
                                   .is_limit = is_limit,
                                   .lines = {}};
  if (has_text) look.lines = render::level_stretch_lines(scene, view.device, from, to);
  return look;
}

}  // namespace tideline::ui
