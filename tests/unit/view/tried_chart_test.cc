#include "render/view/tried_chart.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

struct TriedMade {
  test::SnapshotPtr snapshot;
  Scene scene;

  explicit TriedMade(test::SnapshotPtr made)
      : snapshot(std::move(made)), scene(snapshot->scene()) {}
};

// The residual net, which needs 704 MiB without swaps.
test::SnapshotPtr residual(const Policy& policy) {
  Progress silent;
  static const auto graph = app::open(
      {.graph = {.path = TIDELINE_SOURCE_DIR "/assets/samples/residual.meta"}, .batch_size = 4096},
      silent);
  REQUIRE(graph);
  const auto snapshot = app::make_snapshot(*graph, policy, *built_in_profile("v100"), silent);
  REQUIRE(snapshot);
  return *snapshot;
}

Policy searching(Bytes budget_mib) {
  Policy policy = test::swap_policy(-1, -1, -1);
  policy.budget = MemoryBudget{};
  policy.budget->device = budget_mib << 20U;
  return policy;
}

const TriedMade& searched() {
  static const TriedMade made(residual(searching(500)));
  return made;
}

}  // namespace

TEST_CASE("taking a try gives the peak and the time that the search had for it") {
  REQUIRE(searched().scene.tried != nullptr);
  const TriedSettings& tried = *searched().scene.tried;
  const auto& trials = tried.found.trials;
  REQUIRE(trials.size() > 10);
  CHECK(tried.are_of(searched().snapshot->policy));
  std::size_t fit = 0;
  for (std::size_t i = 0; i < trials.size(); i += std::max<std::size_t>(1, trials.size() / 30)) {
    if (!trials[i].fits) continue;
    INFO("try " << i << ": " << tried.text(i));
    const Policy taken = tried.taken(i);
    CHECK_FALSE(taken.is_automatic());
    CHECK(tried.are_of(taken));
    CHECK(tried.trial_of(taken).has_value());
    const test::SnapshotPtr made = residual(taken);
    CHECK(made->time().device_peak == trials[i].device_peak);
    CHECK(made->time().step_ns() == trials[i].step_ns);
    CHECK(tried.added_ns(i) == trials[i].step_ns - tried.found.without.step_ns);
    ++fit;
  }
  CHECK(fit > 3);
  Policy other = tried.policy;
  other.budget->device += 1;
  CHECK_FALSE(tried.are_of(other));
  // What the search keeps besides belongs to it, what the user adds does not.
  other = tried.policy;
  set_value(other, "keep-tensors", tried.found.kept);
  CHECK(tried.are_of(other));
  set_value(other, "keep-tensors", std::vector<std::string>{"layer1/MatMul:0", "x:0"});
  CHECK_FALSE(tried.are_of(other));
  other = tried.policy;
  other.rewriter = "lms1";
  CHECK_FALSE(tried.are_of(other));
  CHECK_FALSE(tried.trial_of(other));
}

TEST_CASE("all that was tried is in the chart, and what fits lies on this side of the budget") {
  const TriedSettings& tried = *searched().scene.tried;
  const test::RecordingCanvas measure;
  const TriedChart chart = layout_tried(searched().scene, 900, 600, 15, measure);
  REQUIRE(chart.marks.size() == tried.found.trials.size());
  REQUIRE(chart.budget_px);
  std::size_t hollow = 0;
  for (const TriedChart::Mark& mark : chart.marks) {
    CHECK(chart.plot.contains(mark.at));
    CHECK(mark.fits == tried.found.trials[mark.trial].fits);
    if (mark.fits) CHECK(mark.at.x <= *chart.budget_px + 0.01F);
    if (!mark.fits) ++hollow;
    const auto hit = hit_tried(chart, mark.at);
    REQUIRE(hit);
    // The first of those at one place.
    CHECK(*hit <= mark.trial);
    CHECK(chart.marks[*hit].at == mark.at);
  }
  CHECK(hollow > 0);
  CHECK_FALSE(hit_tried(chart, {chart.plot.x0 - 60, chart.plot.y1 + 60}));
  REQUIRE(chart.chosen);
  CHECK(tried.found.trials[*chart.chosen].fits);
  const std::vector<std::string> lines = trial_lines(tried, *chart.chosen);
  CHECK(lines[1] ==
        "device peak " + format_bytes(tried.found.trials[*chart.chosen].device_peak) + ", fits");
  test::RecordingCanvas canvas;
  draw_tried(canvas, palette(ThemeKind::kDark), chart, {10, 20}, 0);
  CHECK(canvas.says("budget " + format_bytes(static_cast<Bytes>(tried.found.device_budget))));
  CHECK(canvas.says(chart.note));
  CHECK(canvas.all_finite);
}

TEST_CASE("without a search the chart says how to get one") {
  const TriedMade made(residual(test::swap_policy(5, 2, 0)));
  CHECK(made.scene.tried == nullptr);
  test::RecordingCanvas canvas;
  const TriedChart chart = layout_tried(made.scene, 1200, 300, 15, canvas);
  draw_tried(canvas, palette(ThemeKind::kDark), chart, {0, 0}, {});
  CHECK(canvas.says("give a device budget"));
  CHECK_FALSE(hit_tried(chart, {100, 100}));
}

}  // namespace tideline::render
