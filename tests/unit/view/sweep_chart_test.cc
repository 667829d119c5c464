#include "render/view/sweep_chart.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "app/engine/shown_sweep.h"
#include "render/view/labels.h"
#include "render/view/picture.h"
#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

constexpr Bytes kMiB = 1 << 20;
constexpr std::int64_t kMilli = 1000000;

// 3 x 2 plans: the peak grows to the right, the time upwards; those of the last column do not fit.
SweepGrid six_plans() {
  SweepGrid grid;
  grid.x = {"swapout-threshold", {"5", "10", "15"}};
  grid.y = SweepAxis{"swapin-ahead", {"1", "2"}};
  for (int x = 1; x <= 3; ++x) {
    for (int y = 1; y <= 2; ++y) grid.cells.push_back({x * 100 * kMiB, y * 20 * kMilli, x < 3});
  }
  grid.best = 2;
  grid.has_budget = true;
  grid.budget = 250 * kMiB;
  return grid;
}

SweepGrid four_points() {
  SweepGrid grid = six_plans();
  grid.y.reset();
  grid.x.values = {"5", "10", "15", "20"};
  grid.cells.resize(4);
  grid.cells[3] = {300 * kMiB, 40 * kMilli, false};
  return grid;
}

SweepChart laid_out(const SweepGrid& grid, float width = 900, float height = 500) {
  const test::RecordingCanvas canvas;
  return layout_sweep(grid, width, height, 15, canvas);
}

bool has_text(const SweepChart::Plot& plot, std::string_view words) {
  return std::any_of(plot.texts.begin(), plot.texts.end(), [&](const SweepChart::Text& text) {
    return text.text.find(words) != std::string::npos;
  });
}

void check_texts_apart(const SweepChart& chart) {
  std::vector<SweepChart::Text> all = chart.peak.texts;
  all.insert(all.end(), chart.time.texts.begin(), chart.time.texts.end());
  REQUIRE(all.size() > 4);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].box.x0 >= 0);
    CHECK(all[i].box.x1 <= chart.width_px);
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      INFO(all[i].text << " and " << all[j].text);
      CHECK_FALSE(do_meet(all[i].box, all[j].box));
    }
  }
}

}  // namespace

TEST_CASE("a cell lies right for the first parameter and up for the second", "[sweep]") {
  const SweepChart chart = laid_out(six_plans());
  REQUIRE(chart.is_map);
  for (const SweepChart::Plot* plot : {&chart.peak, &chart.time}) {
    REQUIRE(plot->marks.size() == 6);
    const auto& marks = plot->marks;
    CHECK(marks[2].box.x0 > marks[0].box.x1);
    CHECK(marks[2].box.y0 == marks[0].box.y0);
    CHECK(marks[1].box.y1 < marks[0].box.y0);
    CHECK(marks[1].box.x0 == marks[0].box.x0);
    for (const SweepChart::Mark& mark : marks) {
      CHECK(mark.box.x0 >= plot->area.x0);
      CHECK(mark.box.y0 >= plot->area.y0);
      CHECK(mark.box.x1 <= plot->area.x1);
      CHECK(mark.box.y1 <= plot->area.y1);
    }
  }
}

TEST_CASE("colours go from the least to the most that fits", "[sweep]") {
  const SweepChart chart = laid_out(six_plans());
  CHECK(chart.peak.marks[0].share_0_1 == 0);
  CHECK(chart.peak.marks[2].share_0_1 == 1);
  CHECK(chart.peak.marks[4].fits == false);
  CHECK(chart.time.marks[1].share_0_1 == 1);
  // Where all are the same there is no more and no less.
  SweepGrid same = six_plans();
  for (SweepCell& cell : same.cells) cell.device_peak = kMiB;
  CHECK(laid_out(same).peak.marks[3].share_0_1 == 0);
}

TEST_CASE("numbers of a map have a unit, axes have names", "[sweep]") {
  const SweepChart chart = laid_out(six_plans());
  CHECK(has_text(chart.peak, "device peak, MiB"));
  CHECK(has_text(chart.peak, "to the right swapout-threshold"));
  CHECK(has_text(chart.peak, "upwards swapin-ahead"));
  CHECK(has_text(chart.peak, "100 MiB"));
  CHECK(has_text(chart.peak, "200 MiB"));
  CHECK_FALSE(has_text(chart.peak, "300 MiB"));  // does not fit
  CHECK(chart.peak.marks[0].text == "100");
  CHECK(has_text(chart.time, "time of a step, ms"));
  CHECK(chart.time.marks[1].text == "40.0");
}

TEST_CASE("what does not fit is hatched, and the best is framed", "[sweep]") {
  test::RecordingCanvas canvas;
  const SweepGrid grid = six_plans();
  const Palette& colors = palette(ThemeKind::kDark);
  draw_sweep(canvas, colors, layout_sweep(grid, 900, 500, 15, canvas), {0, 0});
  CHECK(canvas.hatches.size() == 4);
  const auto frames = [&] {
    return std::count_if(canvas.frames.begin(), canvas.frames.end(),
                         [&](const auto& frame) { return frame.color == colors.selection; });
  };
  CHECK(frames() == 2);
  CHECK(canvas.says("hatched: does not fit"));
  CHECK(canvas.says("budget 250.00 MiB"));
  CHECK(canvas.all_finite);
  // Without a budget neither.
  SweepGrid free = grid;
  free.has_budget = false;
  free.budget.reset();
  for (SweepCell& cell : free.cells) cell.fits = true;
  test::RecordingCanvas other;
  draw_sweep(other, colors, layout_sweep(free, 900, 500, 15, other), {0, 0});
  CHECK(other.hatches.empty());
  CHECK_FALSE(other.says("does not fit"));
}

TEST_CASE("one parameter gives points, with the budget as a line", "[sweep]") {
  const SweepChart chart = laid_out(four_points());
  CHECK_FALSE(chart.is_map);
  REQUIRE(chart.peak.marks.size() == 4);
  const auto middle = [](const Rect& box) { return (box.y0 + box.y1) / 2; };
  CHECK(middle(chart.peak.marks[3].box) < middle(chart.peak.marks[0].box));
  REQUIRE(chart.peak.budget_px);
  CHECK(*chart.peak.budget_px > middle(chart.peak.marks[3].box));
  CHECK(*chart.peak.budget_px < middle(chart.peak.marks[2].box));
  CHECK_FALSE(chart.time.budget_px);
  // A budget far above the points would press them together.
  SweepGrid far = four_points();
  far.budget = 100 * 1024 * kMiB;
  CHECK_FALSE(laid_out(far).peak.budget_px);
}

TEST_CASE("texts of a sweep keep apart in every size", "[sweep]") {
  SweepGrid many = six_plans();
  many.x.values.clear();
  many.y->values.clear();
  many.cells.clear();
  for (int i = 0; i < 60; ++i) many.x.values.push_back(std::to_string(128 * i) + "MiB");
  for (int i = 0; i < 40; ++i) many.y->values.push_back(std::to_string(1000 + i));
  for (int i = 0; i < 2400; ++i) many.cells.push_back({(i + 1) * kMiB, (i + 1) * kMilli, true});
  SweepGrid points = many;
  points.y.reset();
  points.cells.resize(60);
  for (const auto& [width, height] :
       {std::pair(1600.0F, 1000.0F), {700.0F, 500.0F}, {500.0F, 900.0F}}) {
    for (const SweepGrid* grid : {&many, &points}) {
      INFO(width << " x " << height);
      check_texts_apart(laid_out(*grid, width, height));
    }
  }
}

TEST_CASE("a picture without room is drawn all the same", "[sweep]") {
  for (const SweepGrid& grid : {six_plans(), four_points()}) {
    test::RecordingCanvas canvas;
    draw_sweep(canvas, palette(ThemeKind::kLight), layout_sweep(grid, 60, 40, 48, canvas), {0, 0});
    CHECK(canvas.all_finite);
  }
}

TEST_CASE("nothing that fits has no colours and no best cell", "[sweep]") {
  SweepGrid grid = six_plans();
  for (SweepCell& cell : grid.cells) cell.fits = false;
  grid.best.reset();
  test::RecordingCanvas canvas;
  draw_sweep(canvas, palette(ThemeKind::kDark), layout_sweep(grid, 900, 500, 15, canvas), {0, 0});
  CHECK(canvas.hatches.size() == 12);
  CHECK_FALSE(canvas.says("framed"));
}

TEST_CASE("a picture of a sweep needs no graph", "[sweep]") {
  const SweepGrid grid = six_plans();
  Picture picture;
  picture.sweep = &grid;
  picture.title = "a.pb";
  const std::string svg = draw_svg(picture, 1);
  CHECK(svg.find("device peak, MiB") != std::string::npos);
  CHECK(svg.find("a.pb") != std::string::npos);
}

TEST_CASE("cells of a sweep are its rows", "[sweep]") {
  app::SweepRequest request;
  const Rewriter& lms2 = *find_rewriter("lms2");
  request.varied = {*parse_varied(lms2, "device-memory=1GiB,2GiB"),
                    *parse_varied(lms2, "sync-mode=0:1")};
  app::Sweep found;
  for (std::int64_t i = 0; i < 4; ++i) {
    app::SweepRow row;
    row.device_peak = 1536 * kMiB;
    row.step_ns = i;
    row.budget = (i < 2 ? 1024 : 2048) * kMiB;
    found.rows.push_back(row);
  }
  found.best = 2;
  const SweepGrid grid = app::shown_sweep(request, found);
  CHECK(grid.x.values == std::vector<std::string>{"1GiB", "2GiB"});
  CHECK(grid.y->name == "sync-mode");
  REQUIRE(grid.cells.size() == 4);
  CHECK(grid.cells[3].step_ns == 3);
  CHECK_FALSE(grid.cells[1].fits);
  CHECK(grid.cells[2].fits);
  CHECK(grid.best == 2U);
  CHECK(grid.has_budget);
  CHECK_FALSE(grid.budget);  // of two sizes
}

}  // namespace tideline::render
