// Pictures of the whole window against those that somebody has looked at.
//
// Tolerance: other versions of Mesa and FreeType draw edges a little differently. What a person
// would notice (a panel gone, a text cut, another colour) moves the mean by more than
// PictureTolerance allows; single pixels at edges may differ by anything, so only how many differ
// much is limited.

#include <catch2/catch.hpp>

#include "app/actions/cycle_runs.h"
#include "app/gui/window_picture.h"
#include "tests/gui/support/fixture.h"
#include "tests/gui/support/golden_picture.h"

namespace tideline::gui {
namespace {

constexpr const char* kTutorial = "assets/samples/tutorial_mnist.meta";

void check(const std::string& name, const Fixture& fixture, ui::ViewState view, int width,
           int height) {
  const auto drawn = draw_window_frames(fixture.model, view, width, height);
  INFO((drawn ? "" : drawn.error().message));
  REQUIRE(drawn);
  check_golden(name, *drawn);
}

}  // namespace

TEST_CASE("The window with the tutorial looks as it did, in every theme", "[golden]") {
  const auto fixture = tutorial();
  ui::ViewState view;
  select(*fixture, view, "conv1/Relu");
  for (std::size_t theme = 0; theme < render::kThemeCount; ++theme) {
    view.theme = static_cast<render::ThemeKind>(theme);
    check(std::string("tutorial_") + render::theme_name(view.theme), *fixture, view, 1100, 700);
  }
}

TEST_CASE("Small windows and large letters look as they did", "[golden]") {
  const auto fixture = tutorial();
  ui::ViewState view;
  select(*fixture, view, "conv1/Relu");
  view.font_px = 24;
  check("narrow_1280_24", *fixture, view, 1280, 720);
  view.font_px = 16;
  view.theme = render::ThemeKind::kLight;
  view.open_side = ui::Side::kRight;
  check("narrow_800_16", *fixture, view, 800, 600);
  view.font_px = 32;
  view.theme = render::ThemeKind::kColorBlindSafe;
  view.open_side = ui::Side::kNone;
  view.tab = ui::Tab::kMemory;
  check("narrow_800_32", *fixture, view, 800, 600);
}

TEST_CASE("Sections and towers look as they did", "[golden]") {
  const std::string loss = "loss/sparse_softmax_cross_entropy_loss/value";
  Policy sections;
  sections.rewriter = "sections";
  set_value(sections, "levels", std::vector<std::string>{"8", "16"});
  set_value(sections, "loss", loss);
  const auto of_sections = fixture(kTutorial, sections, 100);
  of_sections->model.runs = app::cycle_runs(*of_sections->snapshot);
  check("sections", *of_sections, {}, 1100, 700);
  Policy towers;
  towers.rewriter = "replicate";
  set_value(towers, "devices", std::vector<std::string>{"/gpu:0", "/gpu:1"});
  set_value(towers, "split", std::vector<std::string>{"Placeholder", "Placeholder_1"});
  set_value(towers, "train-op", std::string("adam_optimizer/Adam"));
  set_value(towers, "loss", loss);
  check("towers", *fixture(kTutorial, towers, 100), {}, 1100, 700);
}

TEST_CASE("The timeline of a traced step looks as it did", "[golden]") {
  const auto fixture = traced_swaps();
  ui::ViewState view;
  view.tab = ui::Tab::kTimeline;
  select(*fixture, view, "gradients/layer1/ReluGrad");
  check("timeline", *fixture, view, 1300, 700);
  view.theme = render::ThemeKind::kLight;
  view.stretch = ui::TimeStretch{300, 420};
  view.trace = {250, 220};
  check("timeline_light", *fixture, view, 1300, 700);
}

TEST_CASE("Scopes look as they did", "[golden]") {
  const auto fixture = tutorial();
  ui::ViewState view;
  view.tab = ui::Tab::kScopes;
  view.boxes.open = {"conv1"};
  select(*fixture, view, "conv1/Relu");
  check("scopes", *fixture, view, 1400, 900);
}

TEST_CASE("What fits looks as it did", "[golden]") {
  const auto fixture = tutorial();
  fixture->model.fit.card = some_fit();
  ui::ViewState view;
  view.tab = ui::Tab::kFit;
  check("fit", *fixture, view, 1500, 900);
  view.theme = render::ThemeKind::kColorBlindSafe;
  fixture->model.fit.is_stale = true;
  check("fit_stale", *fixture, view, 1100, 700);
}

TEST_CASE("What the search tried looks as it did", "[golden]") {
  Policy policy = lms2(-1, -1, -1);
  policy.budget = MemoryBudget{};
  policy.budget->device = Bytes{500} << 20U;
  const auto fixture = gui::fixture("assets/samples/residual.meta", policy, 4096);
  ui::ViewState view;
  view.tab = ui::Tab::kTried;
  check("tried", *fixture, view, 1200, 700);
}

TEST_CASE("Measured levels that limit the table of swaps look as they did", "[golden]") {
  const auto fixture = tutorial();
  ui::ViewState view;
  view.levels = ui::LevelStretch{60, 75, true};
  check("measured_levels", *fixture, view, 1200, 760);
}

TEST_CASE("The window at twice the scale looks as it did", "[golden]") {
  const auto fixture = tutorial();
  ui::ViewState view;
  view.scale = 2;
  view.show_left = false;
  view.tab = ui::Tab::kMemory;
  check("memory_2x", *fixture, view, 700, 420);
}

TEST_CASE("The empty window looks as it did", "[golden]") {
  const auto fixture = empty_fixture();
  check("empty", *fixture, {}, 1000, 500);
}

TEST_CASE("The charts of a log look as they did", "[golden]") {
  const auto fixture = logged_training();
  ui::ViewState view;
  check("log_scalars", *fixture, view, 1100, 700);
  view.theme = render::ThemeKind::kLight;
  view.log.look.axis = render::LogAxis::kWallTime;
  view.log.look.is_log_y = true;
  view.log.look.visible = {1763820300, 1763821000};
  check("log_scalars_light", *fixture, view, 1100, 700);
}

TEST_CASE("Histograms, images and texts of a log look as they did", "[golden]") {
  const auto fixture = logged_pages();
  ui::ViewState view;
  view.log.page = ui::LogPage::kHistograms;
  check("log_histograms", *fixture, view, 1100, 500);
  view.log.histograms.is_offset = false;
  view.theme = render::ThemeKind::kLight;
  check("log_histograms_light", *fixture, view, 1100, 500);
  view.log.page = ui::LogPage::kDistributions;
  check("log_distributions_light", *fixture, view, 1100, 500);
  view.theme = render::ThemeKind::kColorBlindSafe;
  view.log.look.axis = render::LogAxis::kRelative;
  check("log_distributions", *fixture, view, 1100, 500);
  view.theme = render::ThemeKind::kDark;
  view.log.page = ui::LogPage::kImages;
  check("log_images", *fixture, view, 1100, 600);
  view.log.page = ui::LogPage::kText;
  view.log.step = 40;
  check("log_texts", *fixture, view, 1100, 600);
}

TEST_CASE("NaN in a log, hyperparameters and tables look as they did", "[golden]") {
  const auto odd = opened_log("nan_histograms");
  ui::ViewState view;
  view.log.page = ui::LogPage::kHistograms;
  check("log_nan_histograms", *odd, view, 800, 400);
  view.log.page = ui::LogPage::kDistributions;
  check("log_nan_distributions", *odd, view, 800, 400);
  view.log.page = ui::LogPage::kScalars;
  check("log_nan_scalars", *odd, view, 800, 400);
  const auto fixture = opened_log("hparams");
  view.log.page = ui::LogPage::kHparams;
  check("log_hparams", *fixture, view, 1100, 400);
  view.log.page = ui::LogPage::kText;
  check("log_text_tables", *fixture, view, 1100, 500);
}

TEST_CASE("A checkpoint looks as it did, in every theme, and its other pages", "[golden]") {
  const auto fixture = trained_checkpoint();
  ui::ViewState view;
  for (std::size_t theme = 0; theme < render::kThemeCount; ++theme) {
    view.theme = static_cast<render::ThemeKind>(theme);
    check(std::string("checkpoint_") + render::theme_name(view.theme), *fixture, view, 1100, 700);
  }
  view.theme = render::ThemeKind::kDark;
  view.checkpoint.page = ui::CheckpointPage::kComparison;
  check("checkpoint_comparison", *fixture, view, 1100, 500);
  view.checkpoint.page = ui::CheckpointPage::kBackends;
  check("checkpoint_backends", *fixture, view, 1100, 500);
}

TEST_CASE("A picture that is off in one panel is told from the golden one", "[golden]") {
  const auto fixture = tutorial();
  ui::ViewState view;
  const auto with = draw_window_frames(fixture->model, view, 800, 500);
  view.show_right = false;
  const auto without = draw_window_frames(fixture->model, view, 800, 500);
  REQUIRE(with);
  REQUIRE(without);
  const PictureTolerance tolerance;
  CHECK(distance(*with, *without, tolerance.much).mean > tolerance.mean_off);
}

}  // namespace tideline::gui
