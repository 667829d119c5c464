#include "render/view/scopes_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

constexpr const char* kNet = R"(
  x = Placeholder() f32[4,16]
  net/a = MadeUp(x) f32[4,16]
  net/b = MadeUp(net/a) f32[4,16]
  net/c = MadeUp(net/b) f32[4,16]
  loss/d = MadeUp(net/c, net/b) f32[4,16]
  loss/done = NoOp(^x)
)";

// A look at a graph, with what it points to.
struct Looked {
  test::SnapshotPtr snapshot;
  Scene scene;
  ScopeBoxes boxes;
  ScopeLayout layout;
  ScopePaint paint;
  ScopesLook look;

  explicit Looked(OpenBoxes open, std::string_view text = kNet, ColorBy by = ColorBy::kScope,
                  const Policy& policy = {})
      : snapshot(test::snapshot_of(text, policy)),
        scene(snapshot->scene()),
        boxes(find_scope_boxes(scene)),
        layout(layout_scopes(scene, boxes, {open, false})),
        paint(paint_scopes(scene, boxes, layout, palette(ThemeKind::kDark), by)) {
    look = {.scene = &scene,
            .boxes = &boxes,
            .layout = &layout,
            .paint = &paint,
            .palette = &palette(ThemeKind::kDark),
            .area = {0, 0, 1000, 600}};
  }
  Looked(const Looked&) = delete;
  Looked& operator=(const Looked&) = delete;

  [[nodiscard]] std::uint32_t at(std::string_view path) const {
    for (std::uint32_t i = 1; i < layout.placed.size(); ++i) {
      if (boxes.path(scene, boxes.boxes[layout.placed[i].box]) == path) return i;
    }
    FAIL("not seen: " << path);
    return 0;
  }
  [[nodiscard]] Point middle(std::string_view path) const {
    const Rect rect = box_rects(look)[at(path)];
    return {(rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2};
  }
};

}  // namespace

TEST_CASE("every box that is seen has its name, closed ones with what they hold") {
  const Looked closed({});
  test::RecordingCanvas canvas;
  draw_scopes(canvas, closed.look);
  CHECK(canvas.says("net"));
  CHECK(canvas.says("3 ops, 768 B"));  // 3 x 256 bytes
  CHECK_FALSE(canvas.says("+"));
  CHECK(canvas.open_clips == 0);
  CHECK(canvas.all_finite);
  const Looked open({"net"});
  test::RecordingCanvas opened;
  draw_scopes(opened, open.look);
  for (const char* name : {"net", "a", "b", "c", "loss", "x"}) CHECK(opened.says(name));
}

TEST_CASE("tensors are lines with their size, waiting is dots") {
  const Looked looked({});
  test::RecordingCanvas canvas;
  draw_scopes(canvas, looked.look);
  CHECK(canvas.curves.size() == 2);  // x -> net, net -> loss
  CHECK(canvas.lines.size() > 5);    // x -> loss
  CHECK(canvas.says("512 B"));       // b and c
  CHECK(canvas.says("waits for"));
}

TEST_CASE("a click finds the innermost box, or the edge beside all boxes") {
  const Looked looked({"net"});
  const ScopesHit op = hit_scopes(looked.look, looked.middle("net/b"));
  CHECK(op.placed == looked.at("net/b"));
  CHECK(hit_lines(looked.look, op)[1] == "MadeUp, forward, level 2");
  const Rect net = box_rects(looked.look)[looked.at("net")];
  const ScopesHit head = hit_scopes(looked.look, {net.x0 + 3, net.y0 + 3});
  CHECK(head.placed == looked.at("net"));
  CHECK(hit_lines(looked.look, head)[1] == "scope, 3 ops, levels 1 to 3");
  CHECK(hit_scopes(looked.look, {2, 2}).placed == 0);
  CHECK(hit_lines(looked.look, hit_scopes(looked.look, {2, 2})).empty());
  const Rect a = box_rects(looked.look)[looked.at("net/a")];
  const Rect b = box_rects(looked.look)[looked.at("net/b")];
  const ScopesHit edge = hit_scopes(looked.look, {(a.x1 + b.x0) / 2, (a.y0 + a.y1) / 2});
  REQUIRE(edge.edge);
  CHECK(hit_lines(looked.look, edge) ==
        std::vector<std::string>{"net/a -> net/b", "1 tensor, 256 B"});
}

TEST_CASE("what flows into a marked box and out of it is marked, as far as asked for") {
  Looked looked({"net"});
  const Palette& colors = palette(ThemeKind::kDark);
  const auto count = [&](Color color) {
    test::RecordingCanvas canvas;
    draw_scopes(canvas, looked.look);
    return std::count_if(canvas.curves.begin(), canvas.curves.end(),
                         [&](const auto& curve) { return curve.color == color; });
  };
  CHECK(count(colors.accent) == 0);
  looked.look.selected = looked.at("net/c");
  CHECK(count(colors.accent) == 1);    // b
  CHECK(count(colors.measured) == 1);  // loss
  looked.look.trace = 3;
  CHECK(count(colors.accent) == 3);  // b, a, x
  looked.look.selected = looked.at("net");
  looked.look.trace = 1;
  CHECK(count(colors.accent) == 1);    // x -> a
  CHECK(count(colors.measured) == 2);  // b and c -> loss
}

TEST_CASE("zooming keeps what is under the mouse, moving follows it") {
  Looked looked({"net"});
  const Point at = looked.middle("net/b");
  looked.look.camera = zoomed_at(looked.look, 3, at);
  CHECK(looked.look.camera.zoom == 3);
  const Point now = looked.middle("net/b");
  CHECK(now.x == Approx(at.x).margin(0.5));
  CHECK(now.y == Approx(at.y).margin(0.5));
  looked.look.camera = moved_by(looked.look, 40, -10);
  const Point moved = looked.middle("net/b");
  CHECK(moved.x == Approx(at.x + 40).margin(0.5));
  CHECK(moved.y == Approx(at.y - 10).margin(0.5));
  CHECK(zoomed_at(looked.look, 0.01, at).zoom == 1);
  const ScopesCamera again = camera_of(range_of(looked.look.camera), looked.look.camera.y_0_1);
  CHECK(again.zoom == Approx(3));
  CHECK(again.x_0_1 == Approx(looked.look.camera.x_0_1).margin(1e-6));
}

TEST_CASE("looking at a box brings it into the middle") {
  Looked looked({"net"});
  looked.look.camera = camera_on(looked.layout, looked.at("x"));
  const Point x = looked.middle("x");
  if (looked.look.camera.zoom > 1) CHECK(x.x == Approx(500).margin(2));
  CHECK(camera_on(looked.layout, 0).zoom == 1);
}

TEST_CASE("numbers that are none draw a finite picture") {
  Looked looked({"net"});
  const double none = std::numeric_limits<double>::quiet_NaN();
  looked.look.camera = {none, none, none};
  test::RecordingCanvas canvas;
  draw_scopes(canvas, looked.look);
  CHECK(canvas.all_finite);
  const float none_px = std::numeric_limits<float>::quiet_NaN();
  CHECK(hit_scopes(looked.look, {none_px, 5}).placed == 0);
}

TEST_CASE("colours say what was asked for, and the legend says it in words") {
  const auto legend = [](const Looked& looked) {
    std::vector<std::string> words;
    for (const LegendEntry& entry : looked.paint.legend) words.push_back(entry.text);
    return words;
  };
  const Palette& colors = palette(ThemeKind::kDark);
  const Looked phases({}, kNet, ColorBy::kPhase);
  CHECK(legend(phases).front() == "forward");
  CHECK(phases.paint.fill[phases.at("net")] == colors.phases[1]);
  const Looked types({}, kNet, ColorBy::kType);
  CHECK(legend(types) == std::vector<std::string>{"MadeUp", "Placeholder", "NoOp"});
  CHECK(types.paint.fill[types.at("net")] == colors.scopes[0]);
  CHECK(types.paint.fill[types.at("x")] == colors.scopes[1]);
  const Looked devices({}, kNet, ColorBy::kDevice);
  CHECK(legend(devices) == std::vector<std::string>{"no device named"});
  const Looked memory({}, kNet, ColorBy::kMemory);
  CHECK(legend(memory).front() == "768 B");
  CHECK(memory.paint.fill[memory.at("net")] != memory.paint.fill[memory.at("x")]);
  const Looked levels({"loss"}, kNet, ColorBy::kLevel);
  CHECK(legend(levels) == std::vector<std::string>{"begins the step", "level 2",
                                                   "level 4, the last", "outside the step"});
  CHECK(levels.paint.fill[levels.at("x")] == levels.paint.legend.front().color);
  CHECK(levels.paint.fill[levels.at("loss/d")] == levels.paint.legend[2].color);
  // b takes the time of a product of matrices, a that of a copy of its input.
  const std::string_view products = R"(
    x = Placeholder() f32[256,256]
    net/a = Relu(x) f32[256,256]
    net/b = MatMul(net/a, net/a) f32[256,256]
  )";
  const Looked times({"net"}, products, ColorBy::kTime);
  INFO(fmt::format("{}", fmt::join(legend(times), "; ")));
  CHECK(legend(times).back() == "takes no time");
  CHECK(times.paint.fill[times.at("net/b")] == times.paint.legend.front().color);
  CHECK(times.paint.fill[times.at("net/a")] != times.paint.fill[times.at("net/b")]);
  const Looked swaps({}, test::u_shaped_graph(1, 8), ColorBy::kSwap, test::swap_policy(3, 1, 0));
  CHECK(swaps.paint.swapped[swaps.at("tower_0")] > 0);
  CHECK(swaps.paint.fill[swaps.at("tower_0")] == colors.swap_out);
}

TEST_CASE("a graph of many boxes draws at most so many edges") {
  std::string text = "x = Placeholder() f32[1]\n";
  for (int i = 0; i < 300; ++i)
    text += fmt::format("a/op{}x = {}(x) f32[1]\n", i, i % 2 == 0 ? "MadeUp" : "Add");
  for (int i = 0; i < 390; ++i) {
    text += fmt::format("b/op{}x = {}(a/op{}x, a/op{}x, a/op{}x, a/op{}x) f32[1]\n", i,
                        i % 2 == 0 ? "MadeUp" : "Add", i % 300, (i + 7) % 300, (i + 50) % 300,
                        (i + 101) % 300);
  }
  const Looked looked({"a", "b"}, text);
  REQUIRE(looked.layout.edges.size() > kMostScopeEdges);
  test::RecordingCanvas canvas;
  draw_scopes(canvas, looked.look);
  CHECK(canvas.curves.size() <= kMostScopeEdges);
}

TEST_CASE("a rectangle finds the boxes that it touches, and their levels") {
  Looked net({"net"});
  const auto names = [&](const Rect& band) {
    std::vector<std::string> found;
    for (const std::uint32_t placed : boxes_in(net.look, band)) {
      const ScopeBox& box = net.boxes.boxes[net.layout.placed[placed].box];
      found.emplace_back(net.boxes.path(net.scene, box));
    }
    std::sort(found.begin(), found.end());
    return found;
  };
  const Point a = net.middle("net/a"), b = net.middle("net/b");
  const auto around = [](Point one, Point other) {
    return Rect{std::min(one.x, other.x) - 1, std::min(one.y, other.y) - 1,
                std::max(one.x, other.x) + 1, std::max(one.y, other.y) + 1};
  };
  CHECK(names(around(a, a)) == std::vector<std::string>{"net/a"});
  const auto both = names(around(a, b));
  CHECK(std::find(both.begin(), both.end(), "net/a") != both.end());
  CHECK(std::find(both.begin(), both.end(), "net/b") != both.end());
  const auto level = [&](const char* name) {
    return net.scene.levels->level(net.scene.graph->find(name));
  };
  const auto levels = levels_in(net.look, around(a, b));
  REQUIRE(levels);
  CHECK(levels->from == level("net/a"));
  CHECK(levels->to == level("net/b"));
  // A closed box stands for all of its ops; the open one around them for none.
  const auto all = levels_in(net.look, net.look.area);
  REQUIRE(all);
  CHECK(all->from == 0);
  CHECK(all->to == level("loss/d"));
  CHECK_FALSE(levels_in(net.look, {-50, -50, -1, -1}));
  // It is drawn, with what it means.
  net.look.band = around(a, b);
  net.look.lines = {"levels 1 to 2: 2"};
  test::RecordingCanvas canvas;
  draw_scopes(canvas, net.look);
  CHECK(canvas.says("levels 1 to 2: 2"));
}

}  // namespace tideline::render
