#include <catch2/catch.hpp>

#include "render/model/checkpoint_contents.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using ui::Intents;

std::shared_ptr<ui::CheckpointContents> changed(const Fixture& fixture) {
  return std::make_shared<ui::CheckpointContents>(*fixture.model.checkpoint);
}

}  // namespace

TEST_CASE("A checkpoint shows its tensors as a tree, and no panels of graphs", "[checkpoint]") {
  const auto fixture = trained_checkpoint();
  Driver driver(fixture->model);
  driver.frames(3);
  CHECK(driver.has("tensors/model/conv1/kernel"));
  CHECK(driver.has("tensor/histogram"));
  CHECK_FALSE(driver.has("policy/mode"));
  CHECK_FALSE(driver.has("centre/Levels"));
}

TEST_CASE("A click on a tensor selects it, one on a part closes it", "[checkpoint]") {
  const auto fixture = trained_checkpoint();
  Driver driver(fixture->model);
  driver.frames(3);
  driver.take();
  driver.click("tensors/model/conv1/kernel");
  CHECK(driver.take() == Intents{{"checkpoint.select", {"model/conv1/kernel"}}});
  driver.click("tensors/conv1");
  driver.frames(2);
  CHECK(driver.take().empty());
  CHECK_FALSE(driver.has("tensors/model/conv1/kernel"));
  CHECK(driver.has("tensors/model/conv2/kernel"));
  driver.click("tensors/conv1");
  driver.frames(2);
  CHECK(driver.has("tensors/model/conv1/kernel"));
}

TEST_CASE("A click on a heading sorts the tensors, which are a list then", "[checkpoint]") {
  const auto fixture = trained_checkpoint();
  Driver driver(fixture->model);
  driver.frames(3);
  REQUIRE(driver.has("tensors/conv1"));
  driver.click("tensors/headings/size");
  driver.frames(2);
  CHECK(driver.view.checkpoint.sort_column == 3);
  CHECK_FALSE(driver.has("tensors/conv1"));
  const auto above = [&](const char* a, const char* b) {
    return driver.rect(std::string("tensors/") + a).y0 <
           driver.rect(std::string("tensors/") + b).y0;
  };
  CHECK(above("model/conv1/bias", "model/conv1/kernel"));
  driver.click("tensors/headings/size");
  driver.frames(2);
  CHECK(above("model/conv1/kernel", "model/conv1/bias"));
  driver.click("tensors/headings/name");
  driver.frames(2);
  CHECK(driver.has("tensors/conv1"));
}

TEST_CASE("The filter leaves the tensors that match, with what is above them", "[checkpoint]") {
  const auto fixture = trained_checkpoint();
  Driver driver(fixture->model);
  driver.view.checkpoint.filter = "bias";
  driver.frames(3);
  CHECK(driver.has("tensors/model/conv1/bias"));
  CHECK_FALSE(driver.has("tensors/model/conv1/kernel"));
  driver.view.checkpoint.filter = "(";
  driver.frames(3);
  CHECK(driver.has("tensors/model/conv1/kernel"));
}

TEST_CASE("The mouse over the histogram tells how many elements a bin has", "[checkpoint]") {
  const auto fixture = trained_checkpoint();
  Driver driver(fixture->model);
  driver.frames(3);
  driver.move_to(middle(driver.rect("tensor/histogram")));
  driver.frames(2);
  CHECK(driver.view.tooltip.starts_with("bin "));
  CHECK(driver.view.tooltip.ends_with(" elements"));
}

TEST_CASE("The histogram of the other checkpoint is told, too", "[checkpoint]") {
  const auto fixture = trained_checkpoint();
  auto contents = std::make_shared<ui::CheckpointContents>(*fixture->model.checkpoint);
  auto facts = std::make_shared<ui::TensorFacts>(*contents->facts);
  facts->other_histogram.assign(facts->histogram.size(), 7);
  facts->other = contents->comparison->path;
  contents->facts = facts;
  fixture->model.checkpoint = contents;
  Driver driver(fixture->model);
  driver.frames(3);
  driver.move_to(middle(driver.rect("tensor/histogram")));
  driver.frames(2);
  CHECK(driver.view.tooltip.ends_with(" elements, 7 in the other checkpoint"));
}

TEST_CASE("The side verifies and converts, and a running job can be cancelled", "[checkpoint]") {
  const auto fixture = trained_checkpoint();
  Driver driver(fixture->model);
  driver.frames(3);
  driver.take();
  driver.click("checkpoint/Verify");
  CHECK(driver.take() == Intents{{"checkpoint.verify", {}}});
  driver.click("checkpoint/Convert...");
  CHECK(driver.take() == Intents{{"checkpoint.convert-dialog", {}}});
  fixture->model.job = ui::JobStatus{"Verifying ckpt", "reading", 0.5};
  driver.frames(2);
  driver.click("checkpoint/Cancel");
  CHECK(driver.take() == Intents{{"job.cancel", {}}});
}

TEST_CASE("The dialog for converting asks for a path", "[checkpoint]") {
  const auto fixture = trained_checkpoint();
  Driver driver(fixture->model);
  driver.view.popup = ui::Popup::kConvertCheckpoint;
  driver.view.write_paths.front() = "/tmp/w.safetensors";
  driver.frames(3);
  driver.take();
  driver.click("convert/Replace");
  CHECK(driver.take() == Intents{{"checkpoint.convert", {"/tmp/w.safetensors", "force"}}});
  CHECK(driver.view.popup == ui::Popup::kNone);
}

TEST_CASE("The pages compare and list backends", "[checkpoint]") {
  const auto fixture = trained_checkpoint();
  Driver driver(fixture->model);
  driver.frames(3);
  driver.click("centre/Comparison");
  driver.frames(2);
  driver.take();
  driver.click("comparison/model/conv2/bias");
  CHECK(driver.take() == Intents{{"checkpoint.select", {"model/conv2/bias"}}});
  driver.click("comparison/Compare with...");
  CHECK(driver.take() == Intents{{"checkpoint.compare-dialog", {}}});
  driver.click("centre/Backends");
  driver.frames(2);
  driver.take();
  driver.click("backends/Load plugins");
  CHECK(driver.take() == Intents{{"checkpoint.backends", {}}});
  CHECK(driver.has("backends/Load plugins"));
}

TEST_CASE("What is not known yet says so", "[checkpoint]") {
  const auto fixture = trained_checkpoint();
  auto contents = changed(*fixture);
  contents->facts = nullptr;
  contents->check = nullptr;
  contents->comparison = nullptr;
  contents->backends = nullptr;
  fixture->model.checkpoint = contents;
  Driver driver(fixture->model);
  for (const auto page : {ui::CheckpointPage::kTensors, ui::CheckpointPage::kComparison,
                          ui::CheckpointPage::kBackends}) {
    driver.view.checkpoint.page = page;
    driver.frames(2);
  }
  CHECK_FALSE(driver.has("tensor/histogram"));
  auto none = changed(*fixture);
  none->selected.clear();
  none->listing = std::make_shared<ui::CheckpointListing>();
  fixture->model.checkpoint = none;
  driver.view.checkpoint.page = ui::CheckpointPage::kTensors;
  driver.frames(2);
  CHECK_FALSE(driver.has("tensors/model/conv1/kernel"));
}

}  // namespace tideline::gui
