#include "core/memory/cost_model.h"

#include <catch2/catch.hpp>

#include "core/memory/step_time.h"
#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

namespace tideline {
namespace {

StepGraph flatten(const io::Document& document, std::optional<std::int64_t> batch_size = {},
                  RunModel run = kAsInFile) {
  TensorOptions options;
  options.model = SizeModel::kFaithful;
  options.batch_size = batch_size;
  const auto tensors = TensorTable::build(document.graph, options);
  REQUIRE(tensors);
  StepOptions step_options;
  step_options.run = run;
  auto step = build_step_graph(document.graph, *tensors, document.collections, step_options);
  REQUIRE(step);
  return *std::move(step);
}

// A byte takes a nanosecond, and so do ten operations in float, forty in half.
DeviceProfile roofline() {
  DeviceProfile profile;
  profile.memory_bytes_per_s = 1e9;
  profile.flops_per_s = {{DataType::kFloat, 10e9}, {DataType::kHalf, 40e9}};
  return profile;
}

// b is 2 * 16 * 64 * 64 = 131072 operations and moves 4096 + 16384 + 4096 bytes; c is 2 * 16 * 64 *
// 4 = 8192 and moves 4096 + 1024 + 256.
constexpr const char* kProducts = R"(
  a = Placeholder() f32[16,64]
  w = Placeholder() f32[64,64]
  v = Placeholder() f32[64,4]
  b = MatMul(a, w) f32[16,64]
  c = MatMul(b, v) f32[16,4]
  d = Relu(c) f32[16,4]
  e = Reshape(d, ^c) f32[64]
)";

OpCost cost_of(const io::Document& document, const CostModel& costs, std::string_view name) {
  return costs.op_cost(flatten(document), test::op(document, name));
}

}  // namespace

// Of a product, and what it takes besides.
constexpr double kShare = 0.84;
constexpr double kFillNs = 10'000;

TEST_CASE("an op takes what is longer, its arithmetic or its bytes") {
  const io::Document document = test::read_graph(kProducts);
  DeviceProfile profile = roofline();
  const OpCost bytes = cost_of(document, CostModel(profile), "b");
  CHECK(bytes.ns == kFillNs + 4096 + 16384 + 4096);  // 131072 / 10 / 0.84 is less
  CHECK(bytes.source == CostSource::kBytes);
  profile.flops_per_s[0].flops_per_s = 1e9;
  const OpCost flops = cost_of(document, CostModel(profile), "b");
  CHECK(flops.ns == Approx(kFillNs + 131072 / kShare));
  CHECK(flops.source == CostSource::kFlops);
  const OpCost small = cost_of(document, CostModel(profile), "c");
  CHECK(small.ns == Approx(kFillNs + 8192 / kShare));               // more than 5376
  CHECK(cost_of(document, CostModel(profile), "d").ns == 2 * 256);  // has no arithmetic to speak of
}

TEST_CASE("every op that starts a kernel pays for the launch, views do not take any time") {
  const io::Document document = test::read_graph(kProducts);
  DeviceProfile profile = roofline();
  profile.launch_ns = 100;
  const CostModel costs(profile);
  CHECK(cost_of(document, costs, "d").ns == 100 + 2 * 256);
  CHECK(cost_of(document, costs, "b").ns == 100 + kFillNs + 4096 + 16384 + 4096);
  const OpCost view = cost_of(document, costs, "e");
  CHECK(view.ns == 0);
  CHECK(view.source == CostSource::kNoKernel);
  CHECK(cost_of(document, costs, "a").source == CostSource::kNoKernel);
}

TEST_CASE("shapes and control flow on the device start no kernel") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder() f32[16,64]
    s = Shape(x) i32[2]
    t = Add(s, s) i32[2]
    p = Const() bool[]
    q = Switch(x, p) f32[16,64] f32[16,64]
    v = VariableV2() f32[16,64]
    r = Identity(v) f32[16,64]
    g = AssignAdd(v, x) f32[16,64]
  )");
  DeviceProfile profile = roofline();
  profile.launch_ns = 100;
  const CostModel costs(profile);
  for (const char* name : {"s", "t", "p", "q", "v", "r"}) {
    INFO(name);
    CHECK(cost_of(document, costs, name).source == CostSource::kNoKernel);
  }
  CHECK(cost_of(document, costs, "g").source == CostSource::kBytes);
}

TEST_CASE("the rate is that of the element type; a type without one costs its bytes") {
  const io::Document document = test::read_graph(R"(
    a = Placeholder() f16[64,64]
    b = MatMul(a, a) f16[64,64]
    c = Placeholder() f64[64,64]
    d = MatMul(c, c) f64[64,64]
  )");
  DeviceProfile profile = roofline();
  profile.memory_bytes_per_s = 100e9;
  // 2 * 64^3 = 524288 operations in half: 40 a nanosecond.
  CHECK(cost_of(document, CostModel(profile), "b").ns == Approx(kFillNs + 524288 / 40.0 / kShare));
  // In double there is no rate: 3 * 32768 bytes, 100 a nanosecond.
  CHECK(cost_of(document, CostModel(profile), "d").ns == Approx(98304 / 100.0));
  CHECK(cost_of(document, CostModel(profile), "d").source == CostSource::kBytes);
}

TEST_CASE("an op of unknown shape costs the bytes that are assumed for it") {
  const io::Document document =
      test::read_graph("a = Mystery() f32?\nb = Mystery() f32[64,64]\nc = MatMul(a, b) f32?");
  const OpCost cost = cost_of(document, CostModel(roofline()), "c");
  CHECK(cost.source == CostSource::kBytes);
  // An unknown rank is one byte, in a block of 256: twice that and 16384.
  CHECK(cost.ns == kFillNs + 256 + 16384 + 256);
}

TEST_CASE("a measured time counts whatever the profile says, also a zero") {
  const io::Document document = test::read_graph(kProducts);
  const std::vector<std::int64_t> measured = {-1, -1, -1, 7, 0};
  DeviceProfile profile = roofline();
  profile.launch_ns = 100;
  const CostModel costs(profile, measured);
  CHECK(cost_of(document, costs, "b").ns == 7);
  CHECK(cost_of(document, costs, "b").source == CostSource::kMeasured);
  CHECK(cost_of(document, costs, "c").ns == 0);
  CHECK(cost_of(document, costs, "c").source == CostSource::kMeasured);
  CHECK(cost_of(document, costs, "d").ns == 100 + 2 * 256);  // past the end: not known
}

TEST_CASE("under a profile without rates every op costs its bytes, views too") {
  const io::Document document = test::read_graph(kProducts);
  DeviceProfile profile = roofline();
  profile.flops_per_s.clear();
  const CostModel costs(profile);
  CHECK(cost_of(document, costs, "b").ns == 4096 + 16384 + 4096);
  CHECK(cost_of(document, costs, "e").ns == 2 * 256);
}

TEST_CASE("a copy takes its latency and its bytes") {
  DeviceProfile profile;
  profile.to_host = {1e9, 30};
  profile.to_device = {0.5e9, 40};
  const CostModel costs(profile);
  CHECK(costs.to_host_ns(1000) == 30 + 1000);
  CHECK(costs.to_device_ns(1000) == 40 + 2000);
}

TEST_CASE("on tensor cores the share is another, and volumes are moved three times") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder() f32[1,64]
    w = Placeholder() f32[64,64]
    p = MatMul(x, w) f32[1,64]
    v = Placeholder() f32[1,8,8,8,32]
    f = Placeholder() f32[3,3,3,32,32]
    c = Conv3D(v, f) f32[1,8,8,8,32]
  )");
  DeviceProfile profile = roofline();
  profile.flops_per_s[0] = {DataType::kFloat, 0.1e9, true};
  profile.launch_ns = 100;
  CHECK(cost_of(document, CostModel(profile), "p").ns ==
        Approx(100 + kFillNs + 10 * 2 * 64 * 64 / 0.81));
  const double bytes = 2 * (4 * 8 * 8 * 8 * 32) + 4 * 3 * 3 * 3 * 32 * 32;
  CHECK(cost_of(document, CostModel(profile), "c").ns ==
        Approx(100 + kFillNs + 10 * 2.0 * 8 * 8 * 8 * 32 * 27 * 32 / 0.65 + 2 * (100 + bytes)));
}

// Published, of one V100 16 GB in float without XLA:
// - ResNet-50 v1.5, 128 images a step: 369.62 images/s (NVIDIA DeepLearningExamples,
//   TensorFlow/Classification/ConvNets/resnet50v1.5/README.md at fed7ba99, June 2020); with XLA 412
//   (at 729963dd). The graph is v1, which is about 5 % faster.
// - BERT base, sequences of 128, 32 a step: 107.33 sequences/s (OneFlow DLPerf at c89430ba,
//   NVIDIADeepLearningExamples/TensorFlow/LanguageModeling/BERT/README.md).
// A 3-D U-Net like ours has not been published: device_profiles.md compares one that has.
TEST_CASE("steps on a V100 are within a factor of 1.25 of published throughput") {
  const auto [file, batch, published] =
      GENERATE(table<const char*, int, double>({{"resnet50.meta", 64, 369.62},
                                                {"resnet50.meta", 128, 369.62},
                                                {"transformer.meta", 32, 107.33}}));
  INFO(file << " " << batch);
  Progress silent;
  const auto document = io::read_document(test::graph_file(file).string(), silent);
  REQUIRE(document);
  const StepGraph graph = flatten(*document, batch, {AsRun::kModelled, Executor::kGpu});
  const StepTime time =
      estimate_time(graph, simulate_step(graph), CostModel(*built_in_profile("v100")));
  const double per_s = batch / (static_cast<double>(time.step_ns()) / 1e9);
  CHECK(per_s > published / 1.25);
  CHECK(per_s < published * 1.25);
}

}  // namespace tideline
