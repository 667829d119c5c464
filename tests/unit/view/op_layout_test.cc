#include "render/view/op_layout.h"

#include <catch2/catch.hpp>
#include <set>

#include "app/actions/commands.h"
#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline::render {
namespace {

OpLayout layout_of(std::string_view text) {
  const auto snapshot = test::snapshot_of(text);
  return layout_ops(snapshot->scene());
}

// 4 x 16 floats are 256 bytes, 16 x 16 are 1024.
constexpr const char* kTwoScopes = R"(
  w = VariableV2() f32[16,16]
  net/a = MadeUp(w) f32[16,16]
  net/b = MadeUp(net/a) f32[4,16]
  loss/c = MadeUp(net/b) f32[4,16]
  init = Assign(w, w) f32[16,16]
)";

const Band& band_of(const OpLayout& layout, const test::SnapshotPtr& snapshot,
                    std::string_view name) {
  const OpId op = test::op(snapshot->graph->graph(), name);
  return layout.bands[layout.boxes[layout.box_of[op.index()]].band];
}

}  // namespace

TEST_CASE("a top-level scope is a band; variables and what no step runs stand beside") {
  const auto snapshot = test::snapshot_of(kTwoScopes);
  const OpLayout layout = layout_ops(snapshot->scene());
  CHECK(band_of(layout, snapshot, "net/a").name == "net");
  CHECK(band_of(layout, snapshot, "loss/c").name == "loss");
  CHECK(band_of(layout, snapshot, "w").name == "variables, constants, inputs (not to scale)");
  CHECK(band_of(layout, snapshot, "init").name == "outside the step (not to scale)");
  // net has levels 1 and 2, loss 3: one row is enough for both.
  CHECK(band_of(layout, snapshot, "net/a").row == band_of(layout, snapshot, "loss/c").row);
  CHECK(band_of(layout, snapshot, "w").row != band_of(layout, snapshot, "net/a").row);
}

TEST_CASE("with the parts of a plan these are the bands, and their borders are edges") {
  const auto snapshot = test::snapshot_of(kTwoScopes);
  const Graph& graph = snapshot->graph->graph();
  StepParts parts;
  parts.parts = {{"section 0", "peak 1.00 KiB"}, {"section 1", ""}};
  parts.part_of.assign(graph.op_count(), -1);
  parts.part_of[test::op(graph, "net/a").index()] = 0;
  parts.part_of[test::op(graph, "net/b").index()] = 1;
  Scene scene = snapshot->scene();
  scene.parts = &parts;
  const OpLayout layout = layout_ops(scene);
  const Band& first = band_of(layout, snapshot, "net/a");
  const Band& second = band_of(layout, snapshot, "net/b");
  CHECK(first.name == "section 0: peak 1.00 KiB");
  CHECK(second.name == "section 1");
  CHECK(first.is_part);
  CHECK(first.hue != second.hue);
  REQUIRE(first.ranges.size() == 1);
  CHECK(first.ranges[0].from == 1);
  CHECK(first.ranges[0].to == 1);
  CHECK(band_of(layout, snapshot, "loss/c").name == "other ops of the step");
  CHECK_FALSE(band_of(layout, snapshot, "loss/c").is_part);
  REQUIRE(layout.part_edges.size() == 2);
  CHECK(layout.part_edges[0].to == test::op(graph, "net/b"));
  CHECK(layout.part_edges[1].to == test::op(graph, "loss/c"));
}

TEST_CASE("a cell is as high as the root of its bytes") {
  const auto snapshot = test::snapshot_of(kTwoScopes);
  const OpLayout layout = layout_ops(snapshot->scene());
  const auto height = [&](std::string_view name) {
    const OpBox& box =
        layout.boxes[layout.box_of[test::op(snapshot->graph->graph(), name).index()]];
    return box.bottom - box.top;
  };
  CHECK(layout.largest_cell == 1024);
  CHECK(height("net/a") == 1);
  CHECK(height("net/b") == 0.5);  // a quarter of the bytes
}

TEST_CASE("a box knows whether one of its ops runs in the step that TensorFlow runs") {
  const auto snapshot = test::snapshot_of(R"(
    in = Placeholder() f32[4,16]
    net/a = MadeUp(in) f32[4,16]
    net/same = Identity(net/a) f32[4,16]
    v = VariableV2() f32[4,16]
    loss/b = ApplyGradientDescent(v, net/same, net/same) f32[4,16]
  )");
  const OpLayout layout = layout_ops(snapshot->scene());
  const auto runs = [&](std::string_view name) {
    return layout.boxes[layout.box_of[test::op(snapshot->graph->graph(), name).index()]].runs;
  };
  CHECK(runs("in"));
  CHECK(runs("net/a"));
  CHECK_FALSE(runs("net/same"));
  CHECK(runs("loss/b"));
}

TEST_CASE("of towers, the ops of all towers run, those of the original graph and copies alike") {
  test::Desk desk;
  test::open_tutorial(desk);
  const auto run = [&](const char* action, const std::vector<std::string>& words) {
    REQUIRE(app::run_action(desk, action, words));
    test::settle(desk);
  };
  run("policy.mode", {"replicate"});
  run("policy.set", {"devices", "/device:GPU:0,/device:GPU:1"});
  run("policy.set", {"split", "Placeholder:0,Placeholder_1:0"});
  run("policy.set", {"loss", "loss/sparse_softmax_cross_entropy_loss/value"});
  run("policy.set", {"train-op", "adam_optimizer/Adam"});
  REQUIRE(desk.graph().snapshot());
  const Scene scene = desk.graph().snapshot()->scene();
  const OpLayout layout = layout_ops(scene);
  for (const char* name : {"conv1/Conv2D", "tower_1/conv1/Conv2D"}) {
    INFO(name);
    const OpId op = scene.graph->find(name);
    REQUIRE(op.valid());
    CHECK(layout.boxes[layout.box_of[op.index()]].runs);
  }
}

TEST_CASE("scopes with large ops at the same levels get rows of their own") {
  const OpLayout layout = layout_of(R"(
    a/x = MadeUp() f32[4,16]
    b/x = MadeUp() f32[4,16]
    a/y = MadeUp(a/x) f32[4,16]
    b/y = MadeUp(b/x) f32[4,16]
  )");
  REQUIRE(layout.bands.size() == 3);  // and inputs
  CHECK(layout.bands[0].row != layout.bands[1].row);
}

TEST_CASE("of very many scopes the largest are bands, the others are one for each phase") {
  std::string text = "s/in = MadeUp() f32[4,16]\n";
  for (int i = 0; i < 40; ++i) {
    text += "s" + std::to_string(i) + "/a = MadeUp(s/in) f32[" + std::to_string(i + 1) + ",16]\n";
  }
  const auto snapshot = test::snapshot_of(text);
  const OpLayout layout = layout_ops(snapshot->scene());
  CHECK(layout.bands.size() <= kMostBands);
  CHECK(band_of(layout, snapshot, "s39/a").name == "s39");
  CHECK(band_of(layout, snapshot, "s1/a").name == "31 more scopes: forward");
}

TEST_CASE("small ops are folded and the box knows them") {
  std::string text = "in = MadeUp() f32[64,64]\n";
  for (int i = 0; i < 30; ++i) text += "n/small_" + std::to_string(i) + " = MadeUp(in) f32[]\n";
  text += "n/large = MadeUp(in) f32[512,512]\n";
  const auto snapshot = test::snapshot_of(text);
  const OpLayout layout = layout_ops(snapshot->scene());
  const auto boxes = layout.boxes_at(1);
  REQUIRE(boxes.size() == 2);
  CHECK_FALSE(boxes[0].is_folded);
  CHECK(boxes[1].is_folded);
  CHECK(boxes[1].op_count == 30);
  CHECK(layout.ops_of(boxes[1])[0] == test::op(snapshot->graph->graph(), "n/small_0"));
  CHECK(boxes[1].top == boxes[0].bottom);
}

TEST_CASE("an op of unknown size has a box with room for a question mark") {
  const auto snapshot = test::snapshot_of(R"(
    in = Placeholder() f32[512,512]
    n/a = MadeUp(in) f32[512,512]
    n/b = MadeUp(n/a) f32?
  )");
  const OpLayout layout = layout_ops(snapshot->scene());
  const OpBox& box = layout.boxes[layout.box_of[2]];
  CHECK(box.is_unknown);
  CHECK_FALSE(box.is_folded);
  CHECK(box.bottom - box.top > 0.1F);
  CHECK(layout.unknown_ops == 1);
}

TEST_CASE("a graph without ops, with one, with unknown sizes only can be laid out") {
  CHECK(layout_of("").boxes.empty());
  CHECK(layout_of("").bins.size() == 1);
  CHECK(layout_of("a = NoOp()").boxes.size() == 1);
  const OpLayout unknown = layout_of("a = MadeUp() f32?\nb = MadeUp(a) f32?\n");
  CHECK(unknown.boxes.size() == 2);
  CHECK(unknown.unknown_ops == 2);
  CHECK(unknown.backward_level == -1);
}

TEST_CASE("coarser bins keep the highest cell of each band") {
  const OpLayout layout = layout_of(test::u_shaped_graph(2, 50));
  REQUIRE(layout.bins.back().first.size() == 2);
  for (std::size_t k = 1; k < layout.bins.size(); ++k) {
    const CellBins& fine = layout.bins[k - 1];
    const CellBins& coarse = layout.bins[k];
    for (std::size_t bin = 0; bin + 1 < coarse.first.size(); ++bin) {
      const std::size_t past = std::min(2 * bin + 2, fine.first.size() - 1);
      for (std::size_t i = fine.first[2 * bin]; i < fine.first[past]; ++i) {
        bool found = false;
        for (std::size_t j = coarse.first[bin]; j < coarse.first[bin + 1]; ++j) {
          found = found || (coarse.cells[j].band == fine.cells[i].band &&
                            coarse.cells[j].height >= fine.cells[i].height);
        }
        CHECK(found);
      }
    }
  }
}

TEST_CASE("long-lived tensors are those that cost most over time") {
  const auto snapshot = test::snapshot_of(test::u_shaped_graph(1, 20));
  const OpLayout layout = layout_ops(snapshot->scene());
  REQUIRE_FALSE(layout.long_lived.empty());
  // op_0, at level 1, is read last by its counterpart at level 40.
  CHECK(layout.long_lived[0].tensor.op == test::op(snapshot->graph->graph(), "tower_0/op_0"));
  CHECK(layout.long_lived[0].from_level == 1);
  CHECK(layout.long_lived[0].to_level == 40);
}

}  // namespace tideline::render
