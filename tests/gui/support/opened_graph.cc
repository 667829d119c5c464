#include "tests/gui/support/opened_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <string_view>
#include <vector>

#include "app/actions/lesson_player.h"
#include "app/actions/ui_model.h"
#include "tests/support/test_data.h"

namespace tideline::gui {
namespace {

// A GraphDef as text, op by op.
class GraphDefText {
 public:
  void op(std::string_view name, std::string_view type, const std::vector<std::string>& inputs,
          const std::vector<std::int64_t>& shape) {
    text_ += fmt::format("node {{ name: \"{}\" op: \"{}\"", name, type);
    for (const std::string& input : inputs) text_ += fmt::format(" input: \"{}\"", input);
    text_ +=
        " attr { key: \"T\" value { type: DT_FLOAT } } attr { key: \"_output_shapes\" value { "
        "list { shape {";
    for (const std::int64_t dim : shape) text_ += fmt::format(" dim {{ size: {} }}", dim);
    text_ += " } } } } }\n";
  }
  void write(const std::string& path) const { std::ofstream(path) << text_; }

 private:
  std::string text_;
};

using Shape = std::vector<std::int64_t>;

// Convolutions in five blocks, each of half the size, three dense layers, and the way back, in
// which the gradient of each layer reads its activation.
GraphDefText vgg() {
  struct Layer {
    std::string name;
    Shape shape;
  };
  GraphDefText graph;
  std::vector<Layer> layers = {{"images", {32, 224, 224, 3}}};
  graph.op("images", "Placeholder", {}, layers[0].shape);
  const auto add = [&](const std::string& name, const char* type, const Shape& shape) {
    graph.op(name, type, {layers.back().name}, shape);
    layers.push_back({name, shape});
  };
  std::int64_t side = 224;
  for (int block = 1; block <= 5; ++block) {
    const std::int64_t channels = std::min(512, 32 << block);
    for (int layer = 1; layer <= (block < 3 ? 2 : 3); ++layer) {
      const std::string scope = fmt::format("block{}_conv{}", block, layer);
      add(scope + "/Conv2D", "MadeUpConv", {32, side, side, channels});
      add(scope + "/Relu", "Relu", {32, side, side, channels});
    }
    side /= 2;
    add(fmt::format("block{}_pool/MaxPool", block), "MadeUpPool", {32, side, side, channels});
  }
  for (const int dense : {1, 2, 3}) {
    add(fmt::format("dense_{}/MatMul", dense), "MadeUpDense", {32, dense == 3 ? 1000 : 4096});
  }
  add("loss/value", "MadeUpLoss", {});
  std::string last = layers.back().name;
  for (std::size_t at = layers.size() - 1; at-- > 1;) {
    const std::string name = "gradients/" + layers[at].name + "_grad";
    graph.op(name, "MadeUpGrad", {last, layers[at].name, layers[at - 1].name}, layers[at].shape);
    last = name;
  }
  return graph;
}

GraphDefText ten_towers() {
  constexpr int kTowers = 10, kLength = 5000;
  const Shape shape = {32, 28, 28, 64};
  GraphDefText graph;
  for (int tower = 0; tower < kTowers; ++tower) {
    const auto name = [&](int at) {
      return fmt::format("tower_{}/stage_{}/block_{}/add", tower, at / 500, at);
    };
    std::string last = fmt::format("tower_{}/images", tower);
    graph.op(last, "Placeholder", {}, shape);
    for (int at = 0; at < kLength; ++at) {
      graph.op(name(at), "MadeUp", {last}, shape);
      last = name(at);
    }
    for (int at = kLength; at-- > 0;) {
      const std::string back = "gradients/" + name(at) + "_grad";
      graph.op(back, "MadeUpGrad", {last, name(at)}, shape);
      last = back;
    }
  }
  return graph;
}

struct Choice {
  const char* file;  // of the data; nullptr: made here
  const char* batch;
  const char* threshold;
  const char* budget;
};

Choice choice_of(const std::string& name) {
  if (name == "tutorial") return {"tutorial_mnist.meta", "500", "2", "120MiB"};
  if (name == "resnet50") return {"resnet50.meta", "32", "100", "2GiB"};
  if (name == "transformer") return {"transformer.meta", "32", "60", "2GiB"};
  if (name == "vgg") return {nullptr, "none", "10", "5GiB"};
  REQUIRE(name == "100k");
  return {nullptr, "none", "6000", "300GiB"};
}

}  // namespace

void OpenedGraph::run(const std::string& id, const app::Words& words) {
  const auto done = app::run_action(viewer, id, words);
  INFO(id << ": " << (done ? std::string() : done.error().message));
  REQUIRE(done);
  viewer.graph().end_gesture();
}

const ui::UiModel& OpenedGraph::model() {
  const ui::UiModel* shown = &app::make_ui_model(viewer);  // which may begin something
  while (session.is_busy()) {
    app::settle_lesson(viewer);  // waits, also without a lesson
    shown = &app::make_ui_model(viewer);
  }
  return *shown;
}

std::unique_ptr<OpenedGraph> open_graph(const std::string& name) {
  const Choice choice = choice_of(name);
  const test::TemporaryFolder folder;
  std::string path;
  if (choice.file != nullptr) {
    path = test::graph_file(choice.file).string();
  } else {
    path = folder.file(name + "_like.pbtxt");
    (name == "vgg" ? vgg() : ten_towers()).write(path);
  }
  auto opened = std::make_unique<OpenedGraph>();
  opened->run("file.open", {path});
  REQUIRE(opened->model().scene);
  opened->run("graph.batch-size", {choice.batch});
  opened->run("policy.mode", {"lms2"});
  opened->run("policy.set", {"swapout-threshold", choice.threshold});
  opened->run("policy.set", {"swapin-ahead", "10"});
  opened->run("policy.set", {"device-memory", choice.budget});
  REQUIRE(opened->model().scene);
  opened->run("select.next-swap", {});
  REQUIRE_FALSE(opened->model().swaps.empty());
  REQUIRE(opened->model().selected);
  return opened;
}

}  // namespace tideline::gui
