#include "render/view/scope_layout.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "render/view/labels.h"
#include "tests/support/scene_text.h"
#include "tests/support/test_data.h"

namespace tideline::render {
namespace {

struct Laid {
  test::SnapshotPtr snapshot;
  Scene scene;
  ScopeBoxes boxes;
  ScopeLayout layout;

  Laid(std::string_view text, OpenBoxes open, bool is_vertical = false, AsideBoxes aside = {})
      : snapshot(test::snapshot_of(text)),
        scene(snapshot->scene()),
        boxes(find_scope_boxes(scene)),
        layout(layout_scopes(scene, boxes, {open, is_vertical, aside})) {}

  [[nodiscard]] std::string path(std::uint32_t placed) const {
    return std::string(boxes.path(scene, boxes.boxes[layout.placed[placed].box]));
  }
  [[nodiscard]] const PlacedScope& at(std::string_view wanted) const {
    for (std::uint32_t i = 1; i < layout.placed.size(); ++i) {
      if (path(i) == wanted) return layout.placed[i];
    }
    FAIL("not seen: " << wanted);
    return layout.placed[0];
  }
  [[nodiscard]] const ScopeEdge& edge(std::string_view from, std::string_view to) const {
    for (const ScopeEdge& edge : layout.edges) {
      if (path(edge.from) == from && path(edge.to) == to) return edge;
    }
    FAIL("no edge " << from << " -> " << to);
    return layout.edges[0];
  }
};

test::SnapshotPtr snapshot_of_file(const char* name) {
  Progress silent;
  const auto graph = app::open({.graph = {.path = test::graph_file(name).string()}}, silent);
  REQUIRE(graph);
  const auto snapshot = app::make_snapshot(*graph, {}, *built_in_profile("pcie3"), silent);
  REQUIRE(snapshot);
  return *snapshot;
}

bool lies_in(const Rect& inner, const Rect& outer) {
  return inner.x0 >= outer.x0 && inner.y0 >= outer.y0 && inner.x1 <= outer.x1 + 1e-3F &&
         inner.y1 <= outer.y1 + 1e-3F;
}

// The stated invariants, and sums of edges by a slow count.
void check_layout(const Scene& scene, const ScopeLayout& layout) {
  for (std::uint32_t i = 1; i < layout.placed.size(); ++i) {
    const PlacedScope& placed = layout.placed[i];
    if (!lies_in(placed.rect, layout.placed[placed.parent].rect)) FAIL_CHECK("outside: " << i);
    std::uint32_t next = placed.end;
    for (; next < layout.placed[placed.parent].end; next = layout.placed[next].end)
      if (do_meet(placed.rect, layout.placed[next].rect)) FAIL_CHECK(i << " lies on " << next);
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<TensorId>> read;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> controls;
  for (const OpId op : scene.graph->ops()) {
    const std::uint32_t to = layout.placed_of[op.index()];
    if (layout.placed[to].is_open) FAIL_CHECK("in an open box: " << scene.graph->name(op));
    for (const TensorId input : scene.graph->inputs(op)) {
      const std::uint32_t from = layout.placed_of[input.op.index()];
      if (from != to) read[{from, to}].insert(input);
    }
    for (const OpId input : scene.graph->control_inputs(op)) {
      const std::uint32_t from = layout.placed_of[input.index()];
      if (from != to) ++controls[{from, to}];
    }
  }
  std::size_t with_data = 0, with_control = 0;
  for (const ScopeEdge& edge : layout.edges) {
    Bytes bytes = 0;
    for (const TensorId tensor : read[{edge.from, edge.to}]) bytes += scene.tensors->bytes(tensor);
    if (edge.bytes != bytes) FAIL_CHECK("bytes of " << edge.from << " -> " << edge.to);
    if (edge.tensors != (read[{edge.from, edge.to}].size())) FAIL_CHECK("tensors");
    const auto waits = controls.find({edge.from, edge.to});
    if (edge.controls != (waits == controls.end() ? 0 : waits->second)) FAIL_CHECK("controls");
    with_data += edge.tensors > 0 ? 1 : 0;
    with_control += edge.controls > 0 ? 1 : 0;
  }
  std::erase_if(read, [](const auto& entry) { return entry.second.empty(); });
  CHECK(with_data == read.size());
  CHECK(with_control == controls.size());
}

// 4 x 16 floats are 256 bytes.
constexpr const char* kNet = R"(
  x = Placeholder() f32[4,16]
  w = VariableV2() f32[4,16]
  net/a = MadeUp(x) f32[4,16]
  net/in/b = MadeUp(net/a, w) f32[4,16]
  net/in/c = MadeUp(net/in/b, net/a) f32[4,16]
  loss/d = MadeUp(net/in/c, net/in/b) f32[4,16]
  loss/e = MadeUp(loss/d, net/in/c) f32[4,16]
  loss/done = NoOp(^net/in/c)
  init = Assign(w, w) f32[4,16]
)";

}  // namespace

TEST_CASE("edges between boxes count each tensor once, and waiting apart") {
  const Laid laid(kNet, {});
  const ScopeEdge& edge = laid.edge("net", "loss");
  CHECK(edge.tensors == 2);  // b and c; d and e both read c
  CHECK(edge.bytes == 512);
  CHECK(edge.controls == 1);
  CHECK(edge.references == 0);
  CHECK_FALSE(edge.is_aside);
  CHECK(laid.edge("w", "init").references == 1);
  CHECK(laid.edge("w", "init").tensors == 1);
  check_layout(laid.scene, laid.layout);
}

TEST_CASE("a box that is open shows what is in it, between what it reads and what reads it") {
  const Laid closed(kNet, {"net/in"});  // its parent is not open
  CHECK(closed.layout.placed.size() == 6);
  const Laid laid(kNet, {"net", "net/in"});
  CHECK(laid.at("net").is_open);
  const Rect& net = laid.at("net").rect;
  CHECK(laid.at("x").rect.x1 < net.x0);
  CHECK(net.x1 < laid.at("loss").rect.x0);
  CHECK(laid.at("net/a").rect.x1 < laid.at("net/in").rect.x0);
  CHECK(laid.at("net/in/b").rect.x1 < laid.at("net/in/c").rect.x0);
  CHECK(lies_in(laid.at("net/in/b").rect, laid.at("net/in").rect));
  CHECK(laid.edge("net/a", "net/in/b").bytes == 256);
  check_layout(laid.scene, laid.layout);
}

TEST_CASE("from top to bottom is the same the other way round") {
  const Laid laid(kNet, {"net"}, true);
  CHECK(laid.at("x").rect.y1 < laid.at("net").rect.y0);
  CHECK(laid.at("net").rect.y1 < laid.at("loss").rect.y0);
  CHECK(laid.at("net/a").rect.y1 < laid.at("net/in").rect.y0);
  check_layout(laid.scene, laid.layout);
}

TEST_CASE("what was moved by hand stands aside, or in the flow, whatever reads it") {
  const AsideBoxes aside = {{"net/in", true}, {"x", true}, {"init", false}, {"gone", true}};
  const Laid laid(kNet, {"net"}, false, aside);
  CHECK(laid.at("x").is_aside);
  CHECK(laid.at("net/in").is_aside);
  CHECK_FALSE(laid.at("init").is_aside);
  CHECK_FALSE(laid.at("net/a").is_aside);
  CHECK(laid.edge("net/a", "net/in").is_aside);
  CHECK(laid.edge("net/in", "loss").is_aside);  // one that leaves what is around it, too
  CHECK_FALSE(laid.edge("w", "init").is_aside);
  CHECK(laid.at("net/in").rect.y0 > laid.at("net/a").rect.y1);
  CHECK(laid.at("x").rect.y0 > laid.at("net").rect.y1);
  check_layout(laid.scene, laid.layout);
}

TEST_CASE("what no step runs, and what very many read, stands aside") {
  std::string text = kNet;
  text += "rate = Placeholder() f32[]\n";
  for (int i = 0; i < 13; ++i)
    text += fmt::format("branch{}x/y = {}(loss/e, rate) f32[4,16]\n", i, i % 2 ? "MadeUp" : "Add");
  const Laid laid(text, {});
  CHECK(laid.at("init").is_aside);
  CHECK(laid.at("rate").is_aside);
  CHECK_FALSE(laid.at("x").is_aside);
  CHECK_FALSE(laid.at("loss").is_aside);  // read by as many, but no op
  CHECK(laid.edge("rate", "branch0x").is_aside);
  CHECK(laid.at("rate").rect.y0 > laid.at("loss").rect.y1);
  check_layout(laid.scene, laid.layout);
}

TEST_CASE("the invariants hold on real graphs, closed, opened and opened as a whole") {
  for (const char* name : {"mlp.meta", "cond.meta", "while_nested.meta", "resnet50.meta"}) {
    const auto snapshot = snapshot_of_file(name);
    const Scene scene = snapshot->scene();
    const ScopeBoxes boxes = find_scope_boxes(scene);
    OpenBoxes some, all;
    for (const ScopeBox& box : boxes.boxes) {
      if (!box.can_open() || box.depth == 0) continue;
      all.emplace_back(boxes.path(scene, box));
      if (box.depth == 1) some.push_back(all.back());
    }
    for (const OpenBoxes& open : {OpenBoxes{}, some, all}) {
      for (const bool is_vertical : {false, true}) {
        INFO(name << ", open: " << open.size());
        check_layout(scene, layout_scopes(scene, boxes, {open, is_vertical}));
      }
    }
  }
}

TEST_CASE("the graph without ops has a layout") {
  const Laid laid("", {"nothing"});
  CHECK(laid.layout.placed.size() == 1);
  CHECK(laid.layout.width > 0);
  CHECK(placed_of_op(laid.layout, OpId{7}) == 0);
}

}  // namespace tideline::render
