// Draws the diff view. Added is drawn as swap-ins and removed as the budget are, changed as
// swap-outs: each also has a sign (+, ~, -) and a place of its own.
#include "render/view/diff_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr float kLeastOpsPx = 2;  // one changed op among hundreds is seen
constexpr float kLeastTickPx = 70;

struct Signs {
  Color added, changed, removed;
};

class Drawing {
 public:
  Drawing(Canvas& canvas, const DiffLook& look)
      : canvas_(canvas),
        look_(look),
        changes_(*look.changes),
        colors_(*look.palette),
        layout_(layout_diff(look)),
        signs_{text_color(colors_.swap_in), text_color(colors_.swap_out),
               text_color(colors_.error)} {}

  void draw() {
    draw_head();
    draw_levels();
    if (layout_.memory.height() > 0) {
      Scene scene;
      draw_memory(canvas_, diff_memory_look(look_, layout_, scene));
    }
    draw_tree();
    draw_text();
  }

 private:
  [[nodiscard]] Color text_color(Color color) const {
    return readable(color, colors_.background, colors_.text);
  }
  void write(Point at, std::string_view text, Color color, float room_px) {
    canvas_.text(at, fit_text(canvas_, text, layout_.text_px, room_px), color, layout_.text_px);
  }
  [[nodiscard]] float width(std::string_view text) const {
    return canvas_.text_width(text, layout_.text_px);
  }

  void draw_head() {
    const Rect& head = layout_.head;
    const std::string of_earlier = look_.is_stale ? "of an earlier policy: " : "";
    write({head.x0, head.y0}, of_earlier + changes_.verdict,
          look_.is_stale             ? text_color(colors_.warning)
          : changes_.has_same_values ? colors_.text
                                     : signs_.removed,
          head.width());
    const auto columns = layout_.check_columns;
    const std::size_t rows = (changes_.checks.size() + columns - 1) / columns;
    const float column_px = head.width() / static_cast<float>(columns);
    for (std::size_t i = 0; i < changes_.checks.size(); ++i) {
      const GraphChanges::Check& check = changes_.checks[i];
      const float x = head.x0 + static_cast<float>(i / rows) * column_px;
      const float y = head.y0 + static_cast<float>(i % rows + 1) * layout_.line_px;
      const float mark = width("not ");
      if (check.holds) {
        const float size = layout_.text_px * 0.4F, top = y + layout_.text_px * 0.3F;
        canvas_.fill({x, top, x + size, top + size}, colors_.good, size / 2);
      } else {
        canvas_.text({x, y}, "not", signs_.removed, layout_.text_px);
      }
      write({x + mark, y}, check.text, check.holds ? colors_.dim_text : signs_.removed,
            column_px - mark - layout_.text_px);
    }
  }

  // Sums over the levels of each column of pixels.
  struct Column {
    std::int64_t same = 0, changed = 0, own = 0;
    [[nodiscard]] std::int64_t all() const { return same + changed + own; }
  };
  [[nodiscard]] std::vector<Column> columns_of(const GraphChanges::Side& side, const Axis& axis,
                                               int per_column) const {
    const int begin = axis.begin() / per_column, end = axis.end(changes_.level_count());
    std::vector<Column> columns;
    for (int at = begin * per_column; at < end; at += per_column) {
      Column& column = columns.emplace_back();
      for (int level = at; level < std::min(end, at + per_column); ++level) {
        if (static_cast<std::size_t>(level) >= side.levels.size()) break;
        const auto& ops = side.levels[static_cast<std::size_t>(level)];
        column.same += ops.same;
        column.changed += ops.changed;
        column.own += ops.own;
      }
    }
    return columns;
  }
  // Upwards or downwards from the axis, as high as the root of what there is: of the first levels
  // some have a hundred times as many ops as the others.
  void draw_side(const std::vector<Column>& columns, const Axis& axis, int per_column, float scale,
                 bool is_before) {
    const bool is_up = is_before || look_.part.is_overlay;
    const Color own = is_before ? colors_.error : colors_.swap_in;
    int at = axis.begin() / per_column * per_column;
    for (const Column& column : columns) {
      const float x0 = std::max(layout_.levels.x0, axis.x(at));
      const float x1 = std::min(layout_.levels.x1, axis.x(at + per_column));
      at += per_column;
      float y = layout_.axis_y;
      if (column.all() == 0) continue;
      const float whole_px = scale * std::sqrt(static_cast<float>(column.all()));
      const auto add = [&](std::int64_t ops, Color color, bool is_outline) {
        if (ops == 0) return;
        const float share = static_cast<float>(ops) / static_cast<float>(column.all());
        const float height = std::max(kLeastOpsPx, share * whole_px);
        const float to = is_up ? y - height : y + height;
        const Rect bar = {x0, std::min(y, to), std::max(x1, x0 + 1), std::max(y, to)};
        is_outline ? canvas_.frame(bar, color, 1) : canvas_.fill(bar, color);
        y = to;
      };
      if (look_.part.is_overlay && is_before) {  // over the other graph's bars
        add(column.all(), colors_.text, true);
        continue;
      }
      add(column.own, own, false);
      add(column.changed, colors_.swap_out, false);
      add(column.same, colors_.original.with_alpha(0.55), false);
    }
  }

  void draw_levels() {
    const Rect& area = layout_.levels;
    const int count = changes_.level_count();
    canvas_.line({area.x0, layout_.axis_y}, {area.x1, layout_.axis_y}, colors_.outline, 1);
    if (count > 0) {
      const Axis axis = make_axis(look_.range, count, area.x0, area.x1);
      const int per_column = std::max(1, static_cast<int>(std::ceil(2 / axis.px_per_unit())));
      const auto before = columns_of(changes_.before, axis, per_column);
      const auto after = columns_of(changes_.after, axis, per_column);
      std::int64_t most = 1;
      for (const auto* columns : {&before, &after}) {
        for (const Column& column : *columns) most = std::max(most, column.all());
      }
      const float room = layout_.axis_y - area.y0 - 1.5F * layout_.line_px;
      const float scale = std::max(1.0F, room) / std::sqrt(static_cast<float>(most));
      canvas_.push_clip(area);
      draw_side(after, axis, per_column, scale, false);
      draw_side(before, axis, per_column, scale, true);
      canvas_.pop_clip();
      draw_ticks(axis, count);
    }
    const auto title = [&](const GraphChanges::Side& side, std::string_view own) {
      const std::string peak = side.peak ? ", peak " + format_bytes(*side.peak) : std::string();
      return fmt::format("{}: {} ops, {} levels{}{}", printable(side.title), side.op_count,
                         side.levels.size(), peak, own);
    };
    const std::string above = title(changes_.before, look_.part.is_overlay ? ": outlines" : "");
    write({area.x0, area.y0}, above, colors_.dim_text, area.width());
    const float below_y = look_.part.is_overlay ? area.y0 : area.y1 - layout_.line_px;
    const float x = look_.part.is_overlay ? area.x0 + width(above) + 2 * layout_.text_px : area.x0;
    const std::string below = title(changes_.after, look_.part.is_overlay ? ": filled" : "");
    write({x, below_y}, below, colors_.dim_text, area.x1 - x);
    draw_key(area, std::max(area.x0 + width(above), look_.part.is_overlay ? x + width(below) : 0));
  }

  void draw_ticks(const Axis& axis, int count) {
    const float y = layout_.axis_y;
    for (const int tick : axis_ticks(axis, count, kLeastTickPx)) {
      const float x = axis.x(tick);
      canvas_.line({x, y - 3}, {x, y + 3}, colors_.outline, 1);
      if (look_.part.is_overlay) {
        canvas_.text({x, y + 3}, fmt::format("{}", tick), colors_.dim_text,
                     layout_.text_px * 0.85F);
      }
    }
  }

  // What the colours are, at the right of the titles.
  void draw_key(const Rect& area, float from) {
    const std::array<std::pair<std::string_view, Color>, 3> entries = {
        std::pair("+ added", signs_.added), std::pair("~ changed", signs_.changed),
        std::pair("- removed", signs_.removed)};
    float x = area.x1;
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      x -= width(entry->first) + layout_.text_px;
      if (x < from + layout_.text_px) return;
      canvas_.text({x, area.y0}, entry->first, entry->second, layout_.text_px);
    }
  }

  void draw_counts(const ChangeCounts& counts, float y, float& right) {
    const std::array<std::pair<std::string, Color>, 3> parts = {
        std::pair(fmt::format("-{}", counts.removed), signs_.removed),
        std::pair(fmt::format("~{}", counts.changed), signs_.changed),
        std::pair(fmt::format("+{}", counts.added), signs_.added)};
    const std::array<std::int64_t, 3> numbers = {counts.removed, counts.changed, counts.added};
    const float column = width("+00000");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (numbers[i] > 0) {
        canvas_.text({right, y}, parts[i].first, parts[i].second, layout_.text_px, Align::kRight);
      }
      right -= std::max(column, width(parts[i].first) + layout_.text_px * 0.5F);
    }
  }

  void draw_tree() {
    const float most_indent_px = layout_.tree.width() / 2;
    canvas_.push_clip(layout_.tree);
    for (std::size_t i = 0; i < layout_.shown_rows; ++i) {
      const DiffRow& row = look_.rows[layout_.first_row + i];
      const float y = layout_.tree.y0 + static_cast<float>(i) * layout_.line_px;
      const float x = layout_.tree.x0 +
                      std::min(static_cast<float>(row.depth) * layout_.text_px, most_indent_px);
      row.op != DiffRow::kNone ? draw_op(row, {x, y}) : draw_scope(row, {x, y});
    }
    canvas_.pop_clip();
    if (changes_.ops.empty()) {
      write({layout_.tree.x0, layout_.tree.y0}, "no op differs", colors_.dim_text,
            layout_.tree.width());
    }
  }

  void draw_scope(const DiffRow& row, Point at) {
    const GraphChanges::Scope& scope = changes_.scopes[row.scope];
    float right = layout_.tree.x1;
    draw_counts(scope.counts, at.y, right);
    const float size = layout_.text_px * 0.5F, top = at.y + layout_.text_px * 0.3F;
    if (row.is_open) {
      canvas_.triangle({at.x, top}, {at.x + size, top}, {at.x + size / 2, top + size},
                       colors_.dim_text);
    } else {
      canvas_.triangle({at.x, top}, {at.x + size, top + size / 2}, {at.x, top + size},
                       colors_.dim_text);
    }
    const float x = at.x + layout_.text_px;
    const std::string name = printable(last_part(scope.path));
    write({x, at.y}, name.empty() ? "(no name)" : name, colors_.text, right - x);
  }

  void draw_op(const DiffRow& row, Point at) {
    const GraphChanges::Op& op = changes_.ops[row.op];
    const Rect line = {layout_.tree.x0, at.y - 1, layout_.tree.x1, at.y - 1 + layout_.line_px};
    if (op.name == look_.part.op) canvas_.fill(line, colors_.selection.with_alpha(0.25), 2);
    const bool is_added = op.kind == ChangeKind::kAdded;
    const bool is_removed = op.kind == ChangeKind::kRemoved;
    canvas_.text(at,
                 is_added     ? "+"
                 : is_removed ? "-"
                              : "~",
                 is_added     ? signs_.added
                 : is_removed ? signs_.removed
                              : signs_.changed,
                 layout_.text_px);
    const float x = at.x + layout_.text_px;
    const std::string type = printable(op.type, 60);
    const float type_px = width(type) + layout_.text_px;
    write({x, at.y}, printable(last_part(op.name)), colors_.text, layout_.tree.x1 - x - type_px);
    canvas_.text({layout_.tree.x1, at.y}, type, colors_.dim_text, layout_.text_px, Align::kRight);
  }

  void draw_text() {
    const Rect& area = layout_.text;
    if (layout_.words.empty()) {
      write({area.x0, area.y0},
            changes_.ops.empty() ? "" : "a click on an op shows what differs in it",
            colors_.dim_text, area.width());
      return;
    }
    float y = layout_.tree.y0;
    for (std::size_t i = 0; i < layout_.words.size() && y + layout_.line_px <= look_.area.y1; ++i) {
      write({area.x0, y}, layout_.words[i], i == 0 ? colors_.text : colors_.dim_text, area.width());
      y += layout_.line_px;
    }
    if (look_.text == nullptr || look_.text->op != look_.part.op) return;
    for (std::size_t i = 0; i < layout_.shown_lines; ++i) {
      const auto& [kind, line] = look_.text->lines[layout_.first_line + i];
      const float line_y = area.y0 + static_cast<float>(i) * layout_.line_px;
      const bool is_same = kind == DiffLine::Kind::kSame, is_added = kind == DiffLine::Kind::kAdded;
      const Color color = is_same ? colors_.dim_text : is_added ? signs_.added : signs_.removed;
      if (!is_same) canvas_.text({area.x0, line_y}, is_added ? "+" : "-", color, layout_.text_px);
      // Two blanks are one level; a blank is narrower than most letters.
      const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
      const float x = area.x0 + layout_.text_px * (1 + 0.5F * static_cast<float>(indent));
      write({x, line_y}, printable(std::string_view(line).substr(indent)), color, area.x1 - x);
    }
  }

  Canvas& canvas_;
  const DiffLook& look_;
  const GraphChanges& changes_;
  const Palette& colors_;
  DiffLayout layout_;
  Signs signs_;
};

}  // namespace

void draw_diff(Canvas& canvas, const DiffLook& look) {
  canvas.fill(look.area, look.palette->background);
  if (look.changes == nullptr) {
    const float size = look.font_px;
    canvas.text({look.area.x0 + size, look.area.y0 + size},
                fit_text(canvas, look.why_none, size, look.area.width() - 2 * size),
                look.palette->dim_text, size);
    return;
  }
  Drawing(canvas, look).draw();
}

}  // namespace tideline::render
