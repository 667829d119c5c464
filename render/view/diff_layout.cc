// Where the parts of the diff view are, and what is under a point. Tested by
// tests/unit/view/diff_view_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "render/view/compared_memory.h"
#include "render/view/diff_view.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr float kTwoColumnsEm = 70;  // so wide that checks stand in two columns
constexpr float kTreeShare = 0.46F;  // of the width
constexpr float kLevelsShare = 0.3F;
constexpr float kLevelsBesideMemory = 0.18F;  // of the height, where curves follow
constexpr float kMemoryPart = 0.26F;
constexpr float kLeastMemoryLines = 8;
constexpr float kLeastStripLines = 6;
constexpr float kLeastListLines = 4;  // below it

// Of the curves: nothing where the lists would have no room. `room` is below the head.
float memory_height(const GraphChanges& changes, float line_px, float height, float room) {
  if (changes.memory == nullptr) return 0;
  const float wanted = std::max(kLeastMemoryLines * line_px, std::round(kMemoryPart * height));
  const float strip =
      std::max(kLeastStripLines * line_px, std::round(kLevelsBesideMemory * height));
  return room - strip - wanted < kLeastListLines * line_px ? 0 : wanted;
}

// The first row that is shown, and how many have room.
void place_rows(const Rect& area, float line_px, std::size_t count, double scroll,
                std::size_t& first, std::size_t& shown) {
  shown = static_cast<std::size_t>(std::max(0.0F, std::floor(area.height() / line_px)));
  const std::size_t most = count > shown ? count - shown : 0;
  first = std::min(most, static_cast<std::size_t>(std::max(0.0, scroll)));
  shown = std::min(shown, count - first);
}

std::string counts_text(const ChangeCounts& counts) {
  return fmt::format("{} added, {} changed, {} removed", counts.added, counts.changed,
                     counts.removed);
}

const GraphChanges::Side::Level* level_of(const GraphChanges::Side& side, std::int32_t level) {
  const auto at = static_cast<std::size_t>(level);
  return at < side.levels.size() ? &side.levels[at] : nullptr;
}

void add_level_lines(const GraphChanges& changes, std::int32_t level,
                     std::vector<std::string>& lines) {
  lines.push_back(fmt::format("level {}", level));
  for (const auto* side : {&changes.before, &changes.after}) {
    const auto* ops = level_of(*side, level);
    if (ops == nullptr) continue;
    lines.push_back(fmt::format("{}: {} ops, {} changed, {} {}", side->title,
                                ops->same + ops->changed + ops->own, ops->changed, ops->own,
                                side == &changes.before ? "removed" : "added"));
  }
}

// The stretch of the strip in the positions of the curves, which may be shares.
VisibleRange memory_range(const DiffLook& look) {
  const GraphChanges& changes = *look.changes;
  const int levels = changes.level_count();
  const Axis axis = make_axis(look.range, levels, look.area.x0, look.area.x1);
  const double scale =
      changes.memory->is_by_level ? 1.0 : changes.memory->layout.count * 1.0 / levels;
  return {axis.first * scale, axis.span * scale};
}

}  // namespace

MemoryLook diff_memory_look(const DiffLook& look, const DiffLayout& layout, Scene& scene) {
  const ComparedMemory& memory = *look.changes->memory;
  scene.device_budget = memory.budget;
  Rect area = layout.memory;
  area.x0 -= memory_margin_px(layout.text_px);  // so that levels are below those of the strip
  area.x1 += memory_margin_px(layout.text_px);
  return {.scene = &scene,
          .memory = &memory.layout,
          .palette = look.palette,
          .area = area,
          .range = memory_range(look),
          .selected = {},
          .cursor = {},
          .sides = &memory.sides,
          .font_px = layout.text_px};
}

std::vector<DiffRow> diff_rows(const GraphChanges& changes, const std::vector<std::string>& open) {
  std::vector<std::vector<std::uint32_t>> ops_of(changes.scopes.size());
  for (std::uint32_t i = 0; i < changes.ops.size(); ++i) ops_of[changes.ops[i].scope].push_back(i);
  std::vector<DiffRow> rows;
  // Ops stand behind the scopes that are in the same scope: they wait until its rows are passed.
  struct Waiting {
    std::uint32_t end = 0, scope = 0;
  };
  std::vector<Waiting> waiting;
  const auto close_until = [&](std::uint32_t at) {
    while (!waiting.empty() && waiting.back().end <= at) {
      const GraphChanges::Scope& scope = changes.scopes[waiting.back().scope];
      for (const std::uint32_t op : ops_of[waiting.back().scope]) {
        rows.push_back({DiffRow::kNone, op, scope.depth, false});
      }
      waiting.pop_back();
    }
  };
  const auto count = static_cast<std::uint32_t>(changes.scopes.size());
  for (std::uint32_t i = 0; i < count;) {
    close_until(i);
    const GraphChanges::Scope& scope = changes.scopes[i];
    const bool is_alone = i > 0 && i + scope.rows == i - 1 + changes.scopes[i - 1].rows &&
                          ops_of[i - 1].empty() && scope.depth == changes.scopes[i - 1].depth + 1;
    const bool is_open =
        i == 0 || is_alone || std::binary_search(open.begin(), open.end(), scope.path);
    if (i > 0) rows.push_back({i, DiffRow::kNone, scope.depth - 1, is_open});
    if (is_open) waiting.push_back({i + scope.rows, i});
    i += is_open ? 1 : scope.rows;
  }
  close_until(count);
  return rows;
}

DiffLayout layout_diff(const DiffLook& look) {
  const GraphChanges& changes = *look.changes;
  DiffLayout layout;
  layout.text_px = look.font_px * 0.9F;
  layout.line_px = std::round(layout.text_px * 1.4F);
  const float pad = std::round(look.font_px * 0.6F);
  const Rect inner = {look.area.x0 + pad, look.area.y0 + pad, look.area.x1 - pad,
                      look.area.y1 - pad};
  layout.check_columns = inner.width() > kTwoColumnsEm * look.font_px ? 2 : 1;
  const std::size_t check_rows =
      (changes.checks.size() + layout.check_columns - 1) / layout.check_columns;
  layout.head = {inner.x0, inner.y0, inner.x1,
                 inner.y0 + layout.line_px * static_cast<float>(check_rows + 1) + pad};
  const float memory_px =
      memory_height(changes, layout.line_px, inner.height(), inner.y1 - layout.head.y1 - pad);
  const float share = memory_px > 0 ? kLevelsBesideMemory : kLevelsShare;
  const float levels_px =
      std::max(kLeastStripLines * layout.line_px, std::round(share * inner.height()));
  layout.levels = {inner.x0, layout.head.y1, inner.x1, layout.head.y1 + levels_px};
  layout.axis_y = look.part.is_overlay ? layout.levels.y1 - layout.line_px
                                       : std::round((layout.levels.y0 + layout.levels.y1) / 2);
  layout.memory = {inner.x0, layout.levels.y1, inner.x1, layout.levels.y1 + memory_px};
  const float below = layout.memory.y1 + pad;
  const float middle = std::round(inner.x0 + kTreeShare * inner.width());
  layout.tree = {inner.x0, below, middle - pad, std::max(below, inner.y1)};
  layout.text = {middle, below, inner.x1, std::max(below, inner.y1)};

  place_rows(layout.tree, layout.line_px, look.rows.size(), look.part.scroll_rows, layout.first_row,
             layout.shown_rows);
  const auto op = std::find_if(changes.ops.begin(), changes.ops.end(),
                               [&](const auto& one) { return one.name == look.part.op; });
  if (op != changes.ops.end()) {
    layout.words = {printable(op->name)};
    layout.words.insert(layout.words.end(), op->lines.begin(), op->lines.end());
  } else if (!look.part.op.empty()) {
    const bool is_nowhere =
        look.text != nullptr && look.text->op == look.part.op && look.text->lines.empty();
    layout.words = {printable(look.part.op),
                    is_nowhere ? "is in neither graph" : "is the same in both graphs"};
  }
  const auto words = static_cast<float>(layout.words.size() + (layout.words.empty() ? 0 : 1));
  layout.text.y0 = std::min(layout.text.y1, layout.text.y0 + words * layout.line_px);
  const std::size_t lines = look.text != nullptr ? look.text->lines.size() : 0;
  place_rows(layout.text, layout.line_px, lines, look.part.text_scroll_rows, layout.first_line,
             layout.shown_lines);
  return layout;
}

DiffHit hit_diff(const DiffLook& look, Point at) {
  const GraphChanges& changes = *look.changes;
  const DiffLayout layout = layout_diff(look);
  DiffHit hit;
  if (layout.levels.contains(at)) {
    const int count = changes.level_count();
    const Axis axis = make_axis(look.range, count, layout.levels.x0, layout.levels.x1);
    const auto level = static_cast<std::int32_t>(std::floor(axis.position(at.x)));
    if (level < 0 || level >= count) return hit;
    hit.level = level;
    add_level_lines(changes, level, hit.lines);
    return hit;
  }
  if (layout.memory.contains(at)) {
    Scene scene;
    const MemoryHit found = hit_memory(diff_memory_look(look, layout, scene), at);
    if (found.position) hit.lines = compared_lines(*changes.memory, *found.position);
    return hit;
  }
  if (!layout.tree.contains(at)) return hit;
  const auto row = static_cast<std::size_t>((at.y - layout.tree.y0) / layout.line_px);
  if (row >= layout.shown_rows) return hit;
  const DiffRow& found = look.rows[layout.first_row + row];
  const float y = layout.tree.y0 + static_cast<float>(row) * layout.line_px;
  hit.rect = {layout.tree.x0, y, layout.tree.x1, y + layout.line_px};
  if (found.op != DiffRow::kNone) {
    const GraphChanges::Op& op = changes.ops[found.op];
    hit.op = op.name;
    hit.lines = {printable(op.name)};
    hit.lines.insert(hit.lines.end(), op.lines.begin(), op.lines.end());
    return hit;
  }
  const GraphChanges::Scope& scope = changes.scopes[found.scope];
  hit.is_scope = true;
  hit.scope = std::string(scope.path);
  hit.lines = {printable(scope.path), counts_text(scope.counts)};
  return hit;
}

double most_scroll_rows(const DiffLook& look) {
  const DiffLayout layout = layout_diff(look);
  const auto room = static_cast<std::size_t>(layout.tree.height() / layout.line_px);
  return look.rows.size() > room ? static_cast<double>(look.rows.size() - room) : 0;
}

double most_text_scroll_rows(const DiffLook& look) {
  if (look.text == nullptr) return 0;
  const DiffLayout layout = layout_diff(look);
  const auto room = static_cast<std::size_t>(layout.text.height() / layout.line_px);
  const std::size_t lines = look.text->lines.size();
  return lines > room ? static_cast<double>(lines - room) : 0;
}

}  // namespace tideline::render
