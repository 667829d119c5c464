#include "render/view/memory_runs.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "app/engine/snapshot.h"
#include "core/rewrite/policy_parameters.h"
#include "render/model/hover_text.h"
#include "render/view/picture.h"
#include "render/view/svg_canvas.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

std::shared_ptr<const app::Snapshot> in_sections(std::vector<std::string> levels) {
  Progress silent;
  const auto graph = app::open({.graph = {.path = test::tutorial()}, .batch_size = 100}, silent);
  REQUIRE(graph);
  Policy policy;
  policy.rewriter = "sections";
  set_value(policy, "levels", std::move(levels));
  set_value(policy, "loss", std::string("loss/sparse_softmax_cross_entropy_loss/value"));
  auto snapshot = app::make_snapshot(*graph, policy, *built_in_profile("pcie3"), silent);
  REQUIRE(snapshot);
  return *snapshot;
}

}  // namespace

TEST_CASE("The runs of a cycle have a curve each, whose peaks are those of the plan", "[view]") {
  const auto snapshot = in_sections({"8", "16"});
  const render::Scene scene = snapshot->scene();
  const auto cycle = snapshot->plan().cycle(snapshot->graph->graph());
  REQUIRE(cycle);
  REQUIRE(scene.runs.size() == cycle->runs.size());
  const render::MemoryLayout memory = layout_memory(scene, 0, render::MemoryAxis::kStep);
  REQUIRE(memory.runs.size() == scene.runs.size());
  CHECK(memory.runs.front().begin == 0);
  CHECK(memory.runs.back().end == memory.count);
  Bytes most = 0;
  for (std::size_t i = 0; i < memory.runs.size(); ++i) {
    const render::RunSpan& run = memory.runs[i];
    CHECK(run.name == cycle->runs[i].name);
    if (i > 0) CHECK(run.begin == memory.runs[i - 1].end);
    REQUIRE(run.peak_at >= run.begin);
    REQUIRE(run.peak_at < run.end);
    CHECK(memory.before.at(run.peak_at) == run.peak);
    CHECK(memory.before.most(run.begin, run.end) == run.peak);
    most = std::max(most, run.peak);
  }
  CHECK(memory.before_peak == most);
  CHECK(most < snapshot->devices.front().peak_before());
  CHECK(render::live_at(scene, memory, 0, 10).rows.empty());
}

TEST_CASE("Over levels a cycle shows the plain step", "[view]") {
  const auto snapshot = in_sections({"12"});
  const render::Scene scene = snapshot->scene();
  const render::MemoryLayout memory = layout_memory(scene, 0, render::MemoryAxis::kLevel);
  CHECK(memory.runs.empty());
  CHECK(memory.before_peak == snapshot->devices.front().peak_before());
}

TEST_CASE("Runs are named in the picture", "[view]") {
  const auto snapshot = in_sections({"8", "16"});
  const render::Scene scene = snapshot->scene();
  const render::MemoryLayout memory = layout_memory(scene, 0, render::MemoryAxis::kStep);
  render::MemoryLook look;
  look.scene = &scene;
  look.memory = &memory;
  look.palette = &render::palette(render::ThemeKind::kDark);
  look.area = {0, 0, 1600, 500};
  look.range = {0, static_cast<double>(memory.count)};
  render::SvgCanvas canvas(1600, 500, 1, look.palette->background);
  render::draw_memory(canvas, look);
  const std::string svg = canvas.finish();
  for (const render::RunSpan& run : memory.runs) {
    CHECK(svg.find(format_bytes(run.peak)) != std::string::npos);
  }
  CHECK(svg.find(memory.runs.front().name) != std::string::npos);
}

TEST_CASE("A picture says of a cycle what its largest run needs, and lists the runs", "[view]") {
  const auto snapshot = in_sections({"8", "16"});
  const render::Scene scene = snapshot->scene();
  const Bytes most = layout_memory(scene, 0, render::MemoryAxis::kStep).before_peak;
  CHECK(render::peaks_text(scene).find(format_bytes(most) + " in the largest of 4 runs") !=
        std::string::npos);
  render::Picture picture;
  picture.scene = &scene;
  picture.view = render::find_view("memory");
  picture.width_px = 1600;
  picture.height_px = 900;
  picture.part.memory_axis = render::MemoryAxis::kStep;
  const std::string svg = render::draw_svg(picture, 1);
  CHECK(svg.find("Runs of the cycle and their peaks") != std::string::npos);
  CHECK(svg.find("Alive at") == std::string::npos);
}

TEST_CASE("Under the mouse is the name of a run, not that of the original", "[view]") {
  const auto snapshot = in_sections({"8", "16"});
  const render::Scene scene = snapshot->scene();
  const render::MemoryLayout memory = layout_memory(scene, 0, render::MemoryAxis::kStep);
  render::MemoryLook look;
  look.scene = &scene;
  look.memory = &memory;
  render::MemoryHit hit;
  hit.position = memory.runs[1].begin;
  hit.before = memory.before.at(memory.runs[1].begin);
  CHECK(ui::hover_lines(look, hit) ==
        std::vector<std::string>{render::position_text(memory, *hit.position),
                                 memory.runs[1].name + " " + format_bytes(hit.before)});
}

}  // namespace tideline
