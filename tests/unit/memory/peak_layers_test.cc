#include "core/memory/peak_layers.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// Ops that all are alive at the peak, with these names, kinds and bytes.
struct Alive {
  std::string name;
  MemoryKind kind = MemoryKind::kActivation;
  Bytes bytes = 0;
};

std::vector<PeakLayer> layers_of(const std::vector<Alive>& alive, std::size_t most = 10,
                                 Bytes scratch = 0, const std::vector<VariableUse>& uses = {}) {
  std::string text;
  for (const Alive& entry : alive) text += entry.name + " = MadeUp() f32[1]\n";
  const io::Document document = test::read_graph(text);
  MemoryTimeline timeline;
  timeline.device_peak = scratch;
  for (std::uint32_t i = 0; i < alive.size(); ++i) {
    LiveTensor tensor;
    tensor.tensor = {OpId{i}, 0};
    tensor.bytes = alive[i].bytes;
    tensor.kind = alive[i].kind;
    timeline.alive_at_peak.push_back(tensor);
    timeline.device_peak += alive[i].bytes;
  }
  std::vector<PeakLayer> layers = peak_layers(document.graph, uses, timeline, most);
  Bytes sum = 0;
  for (const PeakLayer& layer : layers) sum += layer.bytes;
  CHECK(sum == timeline.device_peak);
  CHECK(layers.size() <= most);
  return layers;
}

std::string names_of(const std::vector<PeakLayer>& layers) {
  std::string names;
  for (const PeakLayer& layer : layers)
    names += layer.name + "=" + std::to_string(layer.bytes) + " ";
  return names;
}

}  // namespace

TEST_CASE("gradients count for the layer that they belong to") {
  const auto layers = layers_of({{"conv1/Conv2D", MemoryKind::kActivation, 100},
                                 {"conv1/kernel", MemoryKind::kVariable, 10},
                                 {"gradients/conv1/Conv2D_grad/Shape", MemoryKind::kGradient, 7},
                                 {"fc/MatMul", MemoryKind::kActivation, 50}});
  CHECK(names_of(layers) == "conv1=117 fc=50 ");
  CHECK(layers[0].variables == 10);
  CHECK(layers[0].activations == 100);
  CHECK(layers[0].gradients == 7);
}

TEST_CASE("a slot counts for its variable, whatever it is called") {
  VariableUse slot;
  slot.variable = OpId{1};
  slot.slot_of = OpId{0};
  const auto layers = layers_of({{"dense/kernel", MemoryKind::kVariable, 10},
                                 {"training/Adam/m_3", MemoryKind::kOptimizerSlot, 20}},
                                10, 0, {slot});
  CHECK(names_of(layers) == "dense=30 ");
  CHECK(layers[0].slots == 20);
}

TEST_CASE("large blocks are opened as long as there is room, layers are not") {
  const std::vector<Alive> net = {{"net/a/conv/Conv2D", MemoryKind::kActivation, 40},
                                  {"net/a/conv/Relu", MemoryKind::kActivation, 30},
                                  {"net/a/pool/MaxPool", MemoryKind::kActivation, 20},
                                  {"net/b/conv/Conv2D", MemoryKind::kActivation, 10}};
  CHECK(names_of(layers_of(net, 10)) == "net/a/conv=70 net/a/pool=20 net/b/conv=10 ");
  CHECK(names_of(layers_of(net, 2)) == "net/a/conv=70 =30 ");
  CHECK(names_of(layers_of(net, 1)) == "net=100 ");
}

TEST_CASE("what does not fit into the table, and scratch memory, is one row") {
  std::vector<Alive> many;
  for (int i = 0; i < 14; ++i) {
    many.push_back({"layer" + std::to_string(i) + "/op", MemoryKind::kActivation, 100 - i});
  }
  const auto layers = layers_of(many, 10, 1000);
  REQUIRE(layers.size() == 10);
  CHECK(layers[0].name == "layer0");
  CHECK(layers[9].name.empty());
  CHECK(layers[9].others == 5);
  CHECK(layers_of({{"x", MemoryKind::kActivation, 0}}, 10, 5).back().bytes == 5);
}

}  // namespace tideline
