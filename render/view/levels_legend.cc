// The legend of the level view: what is drawn, in the colours in which it is drawn. Tested by
// tests/unit/view/levels_view_test.cc.
#include <fmt/format.h>

#include "render/view/levels_frame.h"
#include "render/view/svg_canvas.h"

namespace tideline::render {
namespace {

using Mark = LegendEntry::Mark;

float part_names_px(const LevelsFrame& frame) {
  float sum = 0;
  for (const Band& band : frame.look.ops->bands) {
    if (band.is_part) sum += dejavu_width(band.name, frame.small_px) + 2 * frame.small_px;
  }
  return sum;
}

void add_parts(const LevelsFrame& frame, std::vector<LegendEntry>& entries) {
  // With what a label of a narrow part has no room for, its peak, if that leaves room for others.
  const bool in_full = part_names_px(frame) < frame.look.area.width() / 2;
  for (const Band& band : frame.look.ops->bands) {
    if (!band.is_part) continue;
    const std::string name = in_full ? band.name : band.name.substr(0, band.name.find(':'));
    entries.push_back({Mark::kPatch, part_color(frame, band), name});
  }
}

void add_phases(const LevelsFrame& frame, std::vector<LegendEntry>& entries) {
  const auto phase = [&](Phase which, const char* name) {
    entries.push_back({Mark::kPatch, phase_color(frame, which), name});
  };
  phase(Phase::kForward, frame.look.scene->parts != nullptr ? "else forward" : "forward");
  if (frame.look.ops->backward_level >= 0) {
    phase(Phase::kBackward, "backward");
    phase(Phase::kUpdate, "update");
  }
  phase(Phase::kOther, "outside the step");
}

void add_ops(const LevelsFrame& frame, std::vector<LegendEntry>& entries) {
  const OpLayout& ops = *frame.look.ops;
  const LevelsPaint* paint = frame.look.paint;
  if (paint != nullptr) {
    entries = paint->ops.legend;
  } else {
    add_parts(frame, entries);
    add_phases(frame, entries);
  }
  const Color usual =
      paint != nullptr ? paint->ops.colors.front() : phase_color(frame, Phase::kForward);
  if (ops.not_run_ops > 0 && frame.detail >= Detail::kBoxes) {
    entries.push_back({Mark::kPatch, usual.with_alpha(kNotRunAlpha), "faded: does not run"});
  }
  if (ops.unknown_ops > 0) {
    entries.push_back(
        {Mark::kUnknown, usual, fmt::format("? size unknown ({} ops)", ops.unknown_ops)});
  }
}

void add_swaps(const LevelsFrame& frame, std::vector<LegendEntry>& entries) {
  const SwapLayout& swaps = *frame.look.swaps;
  const Palette& colors = *frame.look.palette;
  if (swaps.bars.empty()) return;
  entries.push_back(
      {Mark::kPatch, colors.host.with_alpha(kBarAlpha).over(colors.host_lane), "on the host"});
  entries.push_back({Mark::kUp, colors.swap_out, "swap-out"});
  entries.push_back({Mark::kDown, colors.swap_in, "swap-in"});
  for (const std::int64_t late : swaps.late_ns) {
    if (late <= 0) continue;
    entries.push_back({Mark::kLow, colors.error, "late: as long as its reader waits"});
    break;
  }
}

}  // namespace

std::vector<LegendEntry> legend_entries(const LevelsFrame& frame) {
  std::vector<LegendEntry> entries;
  add_ops(frame, entries);
  add_swaps(frame, entries);
  return entries;
}

}  // namespace tideline::render
