#include "app/actions/cycle_runs.h"

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "core/rewrite/policy_parameters.h"
#include "render/model/result_lines.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {

TEST_CASE("The card of a cycle has the peak of its largest run, not that of the plain step",
          "[cycle]") {
  test::Desk desk;
  app::Wish wish;
  wish.batch_size = 100;
  wish.policy.rewriter = "sections";
  set_value(wish.policy, "levels", std::vector<std::string>{"8", "16"});
  set_value(wish.policy, "loss", std::string("loss/sparse_softmax_cross_entropy_loss/value"));
  app::open_graph(desk, {.graph = {.path = test::tutorial()}}, wish);
  test::settle(desk);
  REQUIRE(desk.graph().snapshot());
  const auto runs = app::cycle_runs(*desk.graph().snapshot());
  REQUIRE(runs.size() == 4);
  CHECK(runs[0].name == "forward");
  CHECK(runs[0].keeps > 0);
  CHECK(runs[0].takes == 0);
  CHECK(runs.back().takes > 0);
  Bytes largest = 0;
  for (const ui::RunRow& run : runs) {
    CHECK(run.peak > run.resident);
    largest = std::max(largest, run.peak);
  }
  const ui::UiModel& model = app::make_ui_model(desk);
  const ui::ResultCard card = ui::result_card(model, 0);
  const Bytes plain = model.scene->devices[0].before->device_peak;
  CHECK(largest < plain);
  CHECK(card.title.ends_with(format_bytes(largest)));
  CHECK(std::any_of(card.lines.begin(), card.lines.end(), [](const ui::ResultLine& line) {
    return line.name == "largest-run" && line.text.find("section 0") != std::string::npos;
  }));
}

TEST_CASE("A plan of swaps makes no cycle", "[cycle]") {
  test::Desk desk;
  test::open_tutorial(desk, 50);
  CHECK(app::cycle_runs(*desk.graph().snapshot()).empty());
  CHECK(app::make_ui_model(desk).runs.empty());
}

}  // namespace tideline
