#include "render/view/diff_view.h"

#include <fmt/format.h>
#include <algorithm>
#include <catch2/catch.hpp>

#include "render/view/compared_memory.h"
#include "tests/unit/view/label_canvas.h"

namespace tideline::render {
namespace {

using Texts = std::vector<std::string>;

// net/{a,b/{c}} with an op in each, one op outside; long names.
GraphChanges some_changes() {
  GraphChanges changes;
  changes.verdict =
      "original -> current: 2 ops added, 2 changed, 1 removed; every op computes the same as "
      "before";
  changes.before = {"original", 30, Bytes{5} << 20U, {}};
  changes.after = {"current", 31, Bytes{4} << 20U, {}};
  for (int i = 0; i < 10; ++i) changes.before.levels.push_back({3, i == 4 ? 1 : 0, i == 5 ? 1 : 0});
  for (int i = 0; i < 12; ++i) changes.after.levels.push_back({2, i == 4 ? 1 : 0, i == 6 ? 2 : 0});
  changes.counts = {2, 2, 1};
  changes.scopes = {{"", 0, 5, {2, 2, 1}},
                    {"net", 1, 4, {2, 2, 0}},
                    {"net/a", 2, 1, {2, 0, 0}},
                    {"net/b", 2, 2, {0, 2, 0}},
                    {"net/b/c", 3, 1, {0, 2, 0}}};
  changes.ops = {{"net/b/c/x", "Add", ChangeKind::kChanged, 4, {"input 0: a:0 -> b:0"}},
                 {"net/b/c/y", "Mul", ChangeKind::kChanged, 4, {"waits for z"}},
                 {"gone", "NoOp", ChangeKind::kRemoved, 0, {"NoOp, which only original has"}},
                 {"net/a/swap_out_of_a_tensor_with_a_long_name",
                  "Identity",
                  ChangeKind::kAdded,
                  2,
                  {"Identity"}},
                 {"net/a/in", "Identity", ChangeKind::kAdded, 2, {"Identity"}}};
  for (int i = 0; i < 7; ++i)
    changes.checks.push_back({fmt::format("what has to hold, number {}", i), i != 2});
  return changes;
}

// Curves of these changes, with peaks at the levels 4 and 6.
std::shared_ptr<const ComparedMemory> some_memory() {
  auto memory = std::make_shared<ComparedMemory>();
  MemoryLayout& layout = memory->layout;
  layout.count = 12;
  layout.has_after = true;
  std::vector<Bytes> before, after;
  for (int i = 0; i < 12; ++i) {
    before.push_back(Bytes{i == 4 ? 5 : 2} << 20U);
    after.push_back(Bytes{i == 6 ? 4 : 2} << 20U);
  }
  layout.before = Curve(before);
  layout.after = Curve(after);
  layout.before_peak = Bytes{5} << 20U;
  layout.after_peak = Bytes{4} << 20U;
  layout.before_peak_at = 4;
  layout.after_peak_at = 6;
  memory->budget = Bytes{9} << 19U;
  memory->sides = {"original", "current", "at the ops of current, by level"};
  return memory;
}

Texts rows_of(const GraphChanges& changes, const Texts& open) {
  Texts rows;
  for (const DiffRow& row : diff_rows(changes, open)) {
    rows.push_back(fmt::format(
        "{}{}{}", std::string(row.depth, ' '),
        row.op != DiffRow::kNone ? changes.ops[row.op].name : changes.scopes[row.scope].path,
        row.is_open ? "*" : ""));
  }
  return rows;
}

DiffLook look_at(const GraphChanges& changes, Size size, float font_px = 15) {
  return {.changes = &changes,
          .palette = &palette(ThemeKind::kDark),
          .area = {0, 0, size.width, size.height},
          .font_px = font_px};
}

}  // namespace

TEST_CASE("Open scopes list their scopes, then their ops") {
  const GraphChanges changes = some_changes();
  CHECK(rows_of(changes, {}) == Texts{"net", "gone"});
  CHECK(rows_of(changes, {"net"}) == Texts{"net*", " net/a", " net/b", "gone"});
  CHECK(rows_of(changes, {"net", "net/b"}) ==
        Texts{"net*", " net/a", " net/b*", "  net/b/c*", "   net/b/c/x", "   net/b/c/y", "gone"});
  CHECK(rows_of(changes, {"net", "net/a"}) == Texts{"net*", " net/a*",
                                                    "  net/a/swap_out_of_a_tensor_with_a_long_name",
                                                    "  net/a/in", " net/b", "gone"});
  CHECK(rows_of(changes, {"net/b"}) == Texts{"net", "gone"});  // inside a closed one
}

TEST_CASE("A scope that is alone in another one is open") {
  GraphChanges changes = some_changes();
  changes.ops.erase(changes.ops.begin() + 2);
  CHECK(rows_of(changes, {}) == Texts{"net*", " net/a", " net/b"});
}

TEST_CASE("What is under the mouse is said, and what a click is about") {
  const GraphChanges changes = some_changes();
  DiffLook look = look_at(changes, {1200, 800});
  look.part.open = {"net"};
  const auto rows = diff_rows(changes, look.part.open);
  look.rows = rows;
  const DiffLayout layout = layout_diff(look);
  REQUIRE(layout.shown_rows == 4);
  const auto row = [&](int i) {
    return Point{layout.tree.x0 + 40,
                 layout.tree.y0 + (static_cast<float>(i) + 0.5F) * layout.line_px};
  };
  DiffHit hit = hit_diff(look, row(1));
  CHECK(hit.is_scope);
  CHECK(hit.scope == "net/a");
  CHECK(hit.lines == Texts{"net/a", "2 added, 0 changed, 0 removed"});
  hit = hit_diff(look, row(3));
  CHECK_FALSE(hit.is_scope);
  CHECK(hit.op == "gone");
  CHECK(hit_diff(look, row(4)).lines.empty());
  const float level_px = layout.levels.width() / 12;
  hit = hit_diff(look, {layout.levels.x0 + 4.5F * level_px, layout.axis_y});
  CHECK(hit.level == 4);
  CHECK(hit.lines == Texts{"level 4", "original: 4 ops, 1 changed, 0 removed",
                           "current: 3 ops, 1 changed, 0 added"});
}

TEST_CASE("Curves of memory stand below the strip, level below level, and give way to the lists") {
  GraphChanges changes = some_changes();
  changes.memory = some_memory();
  DiffLook look = look_at(changes, {1200, 800});
  const DiffLayout layout = layout_diff(look);
  CHECK(layout.memory.y0 == layout.levels.y1);
  CHECK(layout.tree.y0 > layout.memory.y1);
  Scene scene;
  const MemoryLook memory = diff_memory_look(look, layout, scene);
  CHECK(scene.device_budget == Bytes{9} << 19U);
  const float level_px = layout.levels.width() / 12;
  CHECK(memory_axis(memory).x(5) == Approx(layout.levels.x0 + 5 * level_px));
  const DiffHit hit = hit_diff(look, {layout.levels.x0 + 4.5F * level_px, layout.memory.y0 + 20});
  CHECK(hit.lines ==
        Texts{"level 4, where the same ops run", "original: 5.00 MiB", "current: 2.00 MiB"});
  LabelCanvas canvas({1200, 800});
  draw_diff(canvas, look);
  const auto is_written = [&](std::string_view text) {
    return std::any_of(canvas.labels.begin(), canvas.labels.end(),
                       [&](const auto& label) { return label.text == text; });
  };
  CHECK(is_written("original, peak 5.00 MiB"));
  CHECK(is_written("current, peak 4.00 MiB"));
  CHECK(is_written("budget 4.50 MiB"));
  look.range = {3, 4};
  CHECK(memory_axis(diff_memory_look(look, layout, scene)).first == 3);
  CHECK(layout_diff(look_at(changes, {600, 300})).memory.height() == 0);
}

TEST_CASE("Lists are scrolled to their end and no further") {
  GraphChanges changes = some_changes();
  for (int i = 0; i < 100; ++i)
    changes.ops.push_back({fmt::format("op{}", i), "Add", ChangeKind::kAdded, 0, {}});
  DiffLook look = look_at(changes, {800, 600});
  const auto rows = diff_rows(changes, {});
  look.rows = rows;
  const double most = most_scroll_rows(look);
  CHECK(most > 50);
  look.part.scroll_rows = 1e9;
  const DiffLayout layout = layout_diff(look);
  CHECK(layout.first_row == static_cast<std::size_t>(most));
  CHECK(layout.first_row + layout.shown_rows == look.rows.size());
  ChangedText text{"gone", {}};
  for (int i = 0; i < 90; ++i) text.lines.emplace_back(DiffLine::Kind::kSame, "attr");
  look.text = &text;
  look.part.op = "gone";
  CHECK(most_text_scroll_rows(look) > 50);
  look.part.text_scroll_rows = 1e9;
  CHECK(layout_diff(look).first_line + layout_diff(look).shown_lines == 90);
}

TEST_CASE("Texts of the diff view stay apart in every size") {
  GraphChanges changes = some_changes();
  ChangedText text{"net/b/c/x", {}};
  for (int i = 0; i < 60; ++i) {
    text.lines.emplace_back(
        i % 3 == 0 ? DiffLine::Kind::kAdded : DiffLine::Kind::kSame,
        std::string(static_cast<std::size_t>(i % 5) * 2, ' ') +
            "value { shape { dim { size: 12345 } } } and much more than has room in a line of it");
  }
  for (const Size size : kSizes) {
    for (const float font_px : kFonts) {
      for (const bool is_overlay : {false, true}) {
        changes.memory = is_overlay ? some_memory() : nullptr;
        LabelCanvas canvas(size);
        DiffLook look = look_at(changes, size, font_px);
        look.text = &text;
        look.part = {{"net", "net/a", "net/b", "net/b/c"}, "net/b/c/x", 0, 0, is_overlay};
        const auto rows = diff_rows(changes, look.part.open);
        look.rows = rows;
        draw_diff(canvas, look);
        INFO(size.width << " " << font_px << " " << is_overlay);
        check_labels(canvas);
      }
    }
  }
}

TEST_CASE("Without graphs to compare it is said why") {
  LabelCanvas canvas({800, 600});
  GraphChanges cycles = some_changes();
  DiffLook look = look_at(cycles, {800, 600});
  look.changes = nullptr;
  look.why_none = "There is no policy";
  draw_diff(canvas, look);
  REQUIRE(canvas.labels.size() == 1);
  CHECK(canvas.labels[0].text == "There is no policy");
  cycles.before.levels.clear();
  cycles.after.levels.clear();
  look.changes = &cycles;
  const auto rows = diff_rows(cycles, {});
  look.rows = rows;
  LabelCanvas flat({800, 600});
  draw_diff(flat, look);
  check_labels(flat);
}

}  // namespace tideline::render
