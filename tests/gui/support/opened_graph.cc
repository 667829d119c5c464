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

using Shape = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

// A GraphDef as text, op by op.
class GraphDefText {
 public:
  void op(std::string_view name, std::string_view type, const Names& inputs, const Shape& shape) {
    text_ += fmt::format("node {{ name: \"{}\" op: \"{}\"", name, type);
    for (const std::string& input : inputs) text_ += fmt::format(" input: \"{}\"", input);
    std::string dims;
    for (const std::int64_t dim : shape) dims += fmt::format(" dim {{ size: {} }}", dim);
    text_ += fmt::format(
        " attr {{ key: \"T\" value {{ type: DT_FLOAT }} }}"
        " attr {{ key: \"dtype\" value {{ type: DT_FLOAT }} }}"
        " attr {{ key: \"shape\" value {{ shape {{{0} }} }} }}"
        " attr {{ key: \"_output_shapes\" value {{ list {{ shape {{{0} }} }} }} }} }}\n",
        dims);
  }
  void write(const std::string& path) const { std::ofstream(path) << text_; }

 private:
  std::string text_;
};

// A layer with a kernel, and later its gradients and its update. Tensors of data and of kernels.
struct Layer {
  std::string scope, input;
  Shape shape, kernel;

  [[nodiscard]] std::string output() const { return scope + "/Relu"; }
};

// Forward layer by layer, backward in reverse order; the gradients of a layer read its activations.
void train(GraphDefText& graph, const std::vector<Layer>& layers) {
  for (const Layer& layer : layers) {
    graph.op(layer.scope + "/kernel", "VariableV2", {}, layer.kernel);
    graph.op(layer.scope + "/kernel/read", "Identity", {layer.scope + "/kernel"}, layer.kernel);
    graph.op(layer.scope + "/Conv2D", "MadeUpConv", {layer.input, layer.scope + "/kernel/read"},
             layer.shape);
    graph.op(layer.output(), "Relu", {layer.scope + "/Conv2D"}, layer.shape);
  }
  std::string last = layers.back().output();
  for (std::size_t at = layers.size(); at-- > 0;) {
    const Layer& layer = layers[at];
    const std::string back = "gradients/" + layer.scope;
    graph.op(back + "/Relu_grad", "ReluGrad", {last, layer.output()}, layer.shape);
    graph.op(back + "/Filter_grad", "MadeUpFilterGrad", {back + "/Relu_grad", layer.input},
             layer.kernel);
    graph.op(back + "/Input_grad", "MadeUpInputGrad",
             {back + "/Relu_grad", layer.scope + "/kernel/read"}, layer.shape);
    graph.op("train/update_" + layer.scope, "ApplyGradientDescent",
             {layer.scope + "/kernel", "rate", back + "/Filter_grad"}, layer.kernel);
    last = back + "/Input_grad";
  }
}

// Sixteen layers; every block has half the size of the one before.
GraphDefText vgg() {
  GraphDefText graph;
  graph.op("rate", "Const", {}, {});
  graph.op("images", "Placeholder", {}, {32, 224, 224, 3});
  std::vector<Layer> layers;
  std::string last = "images";
  const auto add = [&](const std::string& scope, const Shape& shape, const Shape& kernel) {
    layers.push_back({scope, last, shape, kernel});
    last = layers.back().output();
  };
  std::int64_t side = 224, channels = 3;
  for (const int block : {1, 2, 3, 4, 5}) {
    for (int layer = 1; layer <= (block < 3 ? 2 : 3); ++layer) {
      const std::int64_t out = std::min(512, 32 << block);
      add(fmt::format("block{}_conv{}", block, layer), {32, side, side, out},
          {3, 3, channels, out});
      channels = out;
    }
    side /= 2;
  }
  for (const int dense : {1, 2, 3}) add(fmt::format("dense_{}", dense), {32, 4096}, {4096, 4096});
  train(graph, layers);
  return graph;
}

// Eight ops for each of 1,250 layers of ten towers.
GraphDefText ten_towers() {
  GraphDefText graph;
  graph.op("rate", "Const", {}, {});
  for (int tower = 0; tower < 10; ++tower) {
    std::string last = fmt::format("tower_{}/images", tower);
    graph.op(last, "Placeholder", {}, {32, 28, 28, 64});
    std::vector<Layer> layers;
    for (int at = 0; at < 1250; ++at) {
      layers.push_back({fmt::format("tower_{}/stage_{}/block_{}", tower, at / 250, at),
                        last,
                        {32, 28, 28, 64},
                        {3, 3, 64, 64}});
      last = layers.back().output();
    }
    train(graph, layers);
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
  if (name == "vgg") return {nullptr, "none", "12", "2GiB"};
  REQUIRE(name == "100k");
  return {nullptr, "none", "3000", "60GiB"};
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
