#include "render/view/op_colors.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "render/view/levels_view.h"
#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

constexpr const char* kNet = R"(
  x = Placeholder() @/cpu:0 f32[4,16]
  net/a = Relu(x) @/gpu:0 f32[4,16]
  net/b = MadeUp(net/a) @/gpu:0 f32[400,16]
  net/c = Tanh(net/b) @/gpu:0 f32[4,16]
  loss/d = Sum(net/c) @/gpu:0 f32[]
)";

const Palette& dark() {
  return palette(ThemeKind::kDark);
}

struct Colored {
  test::SnapshotPtr snapshot;
  Scene scene;
  OpColors ops;

  Colored(std::string_view text, ColorBy by, const Policy& policy = {})
      : snapshot(test::snapshot_of(text, policy)),
        scene(snapshot->scene()),
        ops(color_ops(scene, dark(), by)) {}
  Colored(const Colored&) = delete;
  Colored& operator=(const Colored&) = delete;

  [[nodiscard]] Color of(std::string_view name) const {
    return ops.colors.at(ops.kind_of.at(test::op(*scene.graph, name).index()));
  }
  [[nodiscard]] Color said(std::string_view text) const {
    for (const LegendEntry& entry : ops.legend) {
      if (entry.text == text) return entry.color;
    }
    std::string all;
    for (const LegendEntry& entry : ops.legend) all += entry.text + "; ";
    FAIL("not in the legend: " << text << "; there are: " << all);
    return {};
  }
};

TEST_CASE("every kind of an op has a colour, whatever colours say") {
  for (const char* word : kColorByWords) {
    const Colored colored(kNet, color_by_of(word));
    INFO(word);
    CHECK(word_of(color_by_of(word)) == std::string_view(word));
    REQUIRE(colored.ops.kind_of.size() == colored.scene.graph->op_count());
    for (const std::uint8_t kind : colored.ops.kind_of) CHECK(kind < colored.ops.colors.size());
    CHECK_FALSE(colored.ops.legend.empty());
  }
}

TEST_CASE("colours of scopes, devices and types are those of the legend") {
  const Colored scopes(kNet, ColorBy::kScope);
  CHECK(scopes.of("net/a") == scopes.of("net/c"));
  CHECK(scopes.of("net/a") != scopes.of("loss/d"));
  CHECK(scopes.of("x") == scopes.said("in none"));
  const Colored devices(kNet, ColorBy::kDevice);
  CHECK(devices.of("net/a") == devices.said("/gpu:0"));
  CHECK(devices.of("x") == devices.said("/cpu:0"));
  const Colored types(kNet, ColorBy::kType);
  CHECK(types.of("net/a") == types.said("Relu"));
  CHECK(types.of("net/b") == types.said("MadeUp"));
  CHECK(types.of("net/c") == types.said("Tanh"));
}

TEST_CASE("amounts get heat by their logarithm") {
  const Colored memory(kNet, ColorBy::kMemory);
  CHECK(memory.of("net/b") == memory.said(format_bytes(400 * 16 * 4)));
  CHECK(memory.of("net/b") == heat(1));
  const AmountColors scale(1000);
  CHECK(scale.share_0_1(1000) == Approx(1));
  CHECK(scale.share_0_1(100) == Approx(2.0 / 3));
  CHECK(scale.share_0_1(1) == Approx(0));
  CHECK(scale.share_0_1(0) == 0);
  CHECK(AmountColors(0).share_0_1(5) == 0);
  const auto texts = [](std::int64_t most) {
    std::vector<std::string> all;
    const auto legend = AmountColors(most).legend(format_time, "takes no time", {});
    for (const LegendEntry& entry : legend) all.push_back(entry.text);
    return all;
  };
  CHECK(texts(5'000'000) ==
        std::vector<std::string>{"5.0 ms", "500 us", "50 us", "5 us and less", "takes no time"});
  CHECK(texts(29'000) ==
        std::vector<std::string>{"29 us", "3 us", "less than 1 us", "takes no time"});
  const Colored levels(kNet, ColorBy::kLevel);
  CHECK(levels.of("x") == heat(0));
  CHECK(levels.of("loss/d") == heat(1));
}

TEST_CASE("colours of swaps mark whose tensors are swapped out") {
  const Colored swaps(test::u_shaped_graph(1, 15), ColorBy::kSwap, test::swap_policy(5, 2, 0));
  REQUIRE_FALSE(swaps.scene.plan->swaps().empty());
  std::set<OpId> swapped;
  for (const PlannedSwap& swap : swaps.scene.plan->swaps()) swapped.insert(swap.tensor.op);
  for (const OpId op : swaps.scene.graph->ops()) {
    const Color color = swaps.ops.colors[swaps.ops.kind_of[op.index()]];
    CHECK(color == (swapped.count(op) > 0 ? dark().swap_out : dark().candidate));
  }
}

TEST_CASE("the level view is drawn in the colours of its ops, at every zoom") {
  const Colored types(kNet, ColorBy::kType);
  const LevelsLayout layout = layout_levels(types.scene);
  const LevelsPaint paint = paint_levels(types.scene, layout.ops, dark(), ColorBy::kType);
  REQUIRE(paint.boxes.size() == layout.ops.boxes.size());
  REQUIRE(paint.cells.size() == layout.ops.bins.size());
  for (std::size_t k = 0; k < paint.cells.size(); ++k) {
    REQUIRE(paint.cells[k].size() == layout.ops.bins[k].cells.size());
  }
  // All levels in one cell: net has its largest op at the level of net/b.
  const OpBox& largest =
      layout.ops.boxes[layout.ops.box_of[test::op(*types.scene.graph, "net/b").index()]];
  const auto& last = layout.ops.bins.back().cells;
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (last[i].band != largest.band) continue;
    CHECK(paint.ops.colors[paint.cells.back()[i]] == types.said("MadeUp"));
  }
  for (const float width : {30.0F, 900.0F}) {
    INFO(width);
    LevelsLook look;
    look.scene = &types.scene;
    look.ops = &layout.ops;
    look.swaps = &layout.swaps;
    look.palette = &dark();
    look.paint = &paint;
    look.area = {0, 0, width, 400};
    test::RecordingCanvas canvas;
    draw_levels(canvas, look);
    const auto has = [&](Color color) {
      return std::any_of(canvas.fills.begin(), canvas.fills.end(),
                         [&](const auto& fill) { return fill.color == color; });
    };
    CHECK(has(types.said("MadeUp")));
    CHECK((has(types.said("Tanh")) || width < 100));  // small ops may be in a larger one's cell
  }
}

}  // namespace
}  // namespace tideline::render
