// Problem: the steps of two graphs have neither the same ops nor the same order.
// Idea: a rewrite keeps names, so the levels of the rewritten graph are an axis for both. Graphs
// that have too few names in common have no such axis; each step is then spread over the whole of
// it, which compares heights and shapes, not moments.
// Example: of "a b c" and "a out b in c" the first stands at the levels 0, 2 and 4 of the second.
// Tested by tests/unit/view/compared_memory_test.cc.
#include "render/view/compared_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/memory/level_memory.h"

namespace tideline::render {
namespace {

constexpr std::int32_t kShares = 1000;
constexpr double kLeastNamesFound = 0.5;

// By op of `ops`: its level on the axis; -1 without one.
std::vector<std::int32_t> levels_by_name(const Graph& ops, const Graph& axis,
                                         const LevelMap& levels) {
  std::vector<std::int32_t> found(ops.op_count(), -1);
  for (const OpId op : ops.ops()) {
    const OpId there = &ops == &axis ? op : axis.find(ops.name(op));
    if (there.valid()) found[op.index()] = levels.level(there);
  }
  return found;
}

// By step; `lost` counts those of ops that the axis lacks, but for ops that were added.
struct Positions {
  std::vector<std::int32_t> at;
  std::size_t lost = 0;
};

Positions positions_by_level(const ComparedSide& side, const Graph& axis, const LevelMap& levels) {
  const std::vector<std::int32_t> level_of = levels_by_name(*side.ops, axis, levels);
  Positions positions;
  std::int32_t last = 0;
  for (const OpId op : side.timeline->schedule) {
    const bool is_known = op.index() < level_of.size();
    const std::int32_t level = is_known ? level_of[op.index()] : -1;
    if (level >= 0) last = level;
    if (is_known && level < 0) ++positions.lost;
    positions.at.push_back(last);
  }
  positions.at = rising_levels(positions.at, side.timeline->device);
  return positions;
}

std::vector<std::int32_t> positions_by_share(const MemoryTimeline& timeline) {
  const auto steps = static_cast<std::int64_t>(timeline.schedule.size());
  std::vector<std::int32_t> positions;
  for (std::int64_t step = 0; step < steps; ++step) {
    positions.push_back(static_cast<std::int32_t>(step * kShares / steps));
  }
  return positions;
}

}  // namespace

ComparedMemory compare_memory(const ComparedSide& before, const ComparedSide& after,
                              const Graph& axis, std::string_view axis_title,
                              const LevelMap& levels, Bytes budget) {
  ComparedMemory memory;
  memory.budget = budget;
  std::vector<const ComparedSide*> known;
  for (const ComparedSide* side : {&before, &after}) {
    if (side->timeline != nullptr) known.push_back(side);
  }
  std::vector<Positions> positions;
  for (const ComparedSide* side : known) {
    positions.push_back(positions_by_level(*side, axis, levels));
    const auto steps = static_cast<double>(positions.back().at.size());
    const double found = steps - static_cast<double>(positions.back().lost);
    if (found < kLeastNamesFound * steps) memory.is_by_level = false;
  }
  MemoryLayout& layout = memory.layout;
  layout.count = memory.is_by_level ? levels.count() : kShares;
  const auto curve = [&](std::size_t i, std::vector<std::int32_t>* step_at) {
    const MemoryTimeline& timeline = *known[i]->timeline;
    const auto at = memory.is_by_level ? positions[i].at : positions_by_share(timeline);
    return curve_of_steps(timeline.device, at, layout.count, timeline.resident_bytes, step_at);
  };
  layout.has_after = known.size() > 1;
  layout.before = curve(0, layout.has_after ? nullptr : &layout.step_at);
  layout.before_peak = known.front()->timeline->device_peak;
  layout.before_peak_at = layout.before.largest(0, layout.count);
  MemorySides& sides = memory.sides;
  sides.before = printable(known.front()->title);
  if (layout.has_after) {
    layout.after = curve(1, &layout.step_at);
    layout.after_peak = known[1]->timeline->device_peak;
    layout.after_peak_at = layout.after.largest(0, layout.count);
    sides.after = printable(known[1]->title);
  } else {
    const ComparedSide& other = before.timeline == nullptr ? before : after;
    sides.missing = "the memory of " + printable(other.title) + " is not known";
  }
  sides.unit = memory.is_by_level ? "level" : "% of the step";
  sides.per_position = memory.is_by_level ? 1 : 100.0 / kShares;
  sides.axis = memory.is_by_level
                   ? "at the ops of " + printable(axis_title) + ", by level"
                   : "each over the whole of its step: too few ops have the same name";
  return memory;
}

std::vector<std::string> compared_lines(const ComparedMemory& memory, double position) {
  const auto at = static_cast<std::int32_t>(std::floor(position));
  const MemorySides& sides = memory.sides;
  std::vector<std::string> lines = {
      memory.is_by_level
          ? fmt::format("level {}{}", at, sides.after.empty() ? "" : ", where the same ops run")
          : fmt::format("{:g} % of each step", at * sides.per_position)};
  lines.push_back(fmt::format("{}: {}", sides.before, format_bytes(memory.layout.before.at(at))));
  if (memory.layout.has_after) {
    lines.push_back(fmt::format("{}: {}", sides.after, format_bytes(memory.layout.after.at(at))));
  }
  return lines;
}

}  // namespace tideline::render
