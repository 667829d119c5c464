// Swaps by the ops of TensorFlow's memory optimizer.
#include "core/rewrite/lms/placed_copy.h"

#include <catch2/catch.hpp>

#include "core/analysis/swap_copies.h"
#include "core/memory/kept_facts.h"
#include "core/rewrite/lms1/lms1.h"
#include "core/runtime/training.h"
#include "tests/unit/rewrite/plan_text.h"

namespace tideline {
namespace {

using Catch::Matchers::Contains;
using test::parameters;
using test::plan_of;
using test::Texts;

constexpr std::string_view kPlacedNet = R"(
  x = Placeholder() @/gpu:0 f32[64,1024]
  net/f = Relu(x) @/gpu:0 f32[64,1024]
  net/a1 = Relu(net/f) @/gpu:0 f32[64,1024]
  net/a2 = Relu(net/a1) @/gpu:0 f32[64,1024]
  net/a3 = Relu(net/a2) @/gpu:0 f32[64,1024]
  grad/a4 = ReluGrad(net/a3, net/a3) @/gpu:0 f32[64,1024]
  grad/c = ReluGrad(grad/a4, net/f) @/gpu:1 f32[64,1024]
  grad/d = ReluGrad(grad/c, net/f) @/gpu:0 f32[64,1024]
)";

TEST_CASE("A copy on the host is on the task of the op beside it", "[lms]") {
  CHECK(host_beside("/job:worker/task:1/device:GPU:0", "/cpu:0") ==
        "/job:worker/task:1/device:CPU:0");
  CHECK(host_beside("/job:ps/replica:0/task:0/cpu:0", "/cpu:1") ==
        "/job:ps/replica:0/task:0/device:CPU:1");
  CHECK(host_beside("/device:GPU:0", "/cpu:0") == "/cpu:0");
  CHECK(host_beside("/job:worker/task:1/gpu:0", "/job:ps/task:0/cpu:0") == "/job:ps/task:0/cpu:0");
  CHECK(host_beside("no device", "/cpu:0") == "/cpu:0");
  CHECK(host_beside("/job:worker/task:1/gpu:0", "host") == "host");
}

Lms2Options by_grappler(int groupby = 0) {
  Lms2Options options = parameters(3, 1, groupby);
  options.copy_mode = CopyMode::kGrappler;
  return options;
}

std::string strings_of(const Graph& graph, OpId op, std::string_view key) {
  const auto value = graph.attribute(op, key);
  return value && *value ? fmt::format("{}", fmt::join((*value)->strings, " ")) : "none";
}

// "name = Type(input) @device class" of the ops that the plan adds.
Texts added(const io::Document& net, const LmsPlan& plan) {
  const auto changed = apply(net.graph, plan);
  REQUIRE(changed);
  Texts lines;
  for (const OpId op : changed->ops()) {
    if (op.index() < net.graph.op_count()) continue;
    CHECK(changed->attribute(op, "T").value()->type == DataType::kFloat);
    lines.push_back(fmt::format("{} = {}({}) @{} {}", changed->name(op), changed->type(op),
                                changed->tensor_name(changed->inputs(op)[0]), changed->device(op),
                                strings_of(*changed, op, "_class")));
  }
  return lines;
}

Bytes peak_of_file(const Graph& graph) {
  const auto tensors = TensorTable::build(graph, {.model = SizeModel::kFaithful});
  REQUIRE(tensors);
  const auto step = build_step_graph(graph, *tensors, {}, {});
  REQUIRE(step);
  return simulate_step(*step).timeline.device_peak;
}

}  // namespace

TEST_CASE("copies of Grappler stand beside the producer and the first reader") {
  const io::Document net = test::read_graph(kPlacedNet);
  CHECK(added(net, plan_of(net, by_grappler())) ==
        Texts{"swap_out_grad/c_1 = _CopyFromGpuToHost(net/f:0) @/gpu:0 loc:@net/f",
              "swap_in_grad/c_1 = _CopyFromHostToGpu(swap_out_grad/c_1:0) @/gpu:1 loc:@grad/c",
              "swap_in_grad/d_1 = _CopyFromHostToGpu(swap_out_grad/c_1:0) @/gpu:0 loc:@grad/d"});
  CHECK(added(net, plan_of(net, by_grappler(9))).size() == 2);
}

TEST_CASE("a plan with copies of Grappler has the edges and the peak of one with Identity ops") {
  const io::Document net = test::read_graph(kPlacedNet);
  const LmsPlan plan = plan_of(net, by_grappler());
  const LmsPlan usual = plan_of(net, parameters(3, 1, 0));
  REQUIRE(plan.edit.control.size() == usual.edit.control.size());
  REQUIRE(!plan.edit.control.empty());
  for (std::size_t i = 0; i < plan.edit.control.size(); ++i) {
    CHECK(plan.edit.control[i].op == usual.edit.control[i].op);
    CHECK(plan.edit.control[i].after == usual.edit.control[i].after);
  }
  const auto tensors = TensorTable::build(net.graph, {.model = SizeModel::kFaithful});
  REQUIRE(tensors);
  const auto step = build_step_graph(net.graph, *tensors, {}, {});
  REQUIRE(step);
  CHECK(keeps_facts(*step, net.graph, plan.edit, std::nullopt));
  const Bytes predicted = test::predict_step(*step, net.graph, plan, {}).timeline.device_peak;
  CHECK(predicted == test::predict_step(*step, net.graph, usual, {}).timeline.device_peak);
  const auto changed = apply(net.graph, plan);
  REQUIRE(changed);
  CHECK(peak_of_file(*changed) == predicted);
  CHECK(predicted < peak_of_file(net.graph));
}

TEST_CASE("the swaps of a graph with copies of Grappler are those of the plan") {
  const io::Document net = test::read_graph(kPlacedNet);
  const LmsPlan plan = plan_of(net, by_grappler());
  const auto changed = apply(net.graph, plan);
  REQUIRE(changed);
  const SwapCopies found = find_swap_copies(*changed);
  REQUIRE(found.swaps.size() == plan.swaps.size());
  REQUIRE(found.swaps[0].swap_ins.size() == 2);
  CHECK(found.swaps[0].tensor == plan.swaps[0].tensor);
  CHECK(found.swaps[0].swap_ins[1].copy == plan.swaps[0].swap_ins[1].copy);
  CHECK(found.swaps[0].swap_ins[0].waits_for ==
        std::vector<OpId>{plan.swaps[0].swap_ins[0].trigger});
  Progress silent;
  const auto again = plan_lms2(*changed, {}, by_grappler(), silent);
  REQUIRE(again);
  CHECK(again->already_edited);
}

TEST_CASE("a plan with copies of Grappler says that nobody ran them") {
  const io::Document net = test::read_graph(kPlacedNet);
  const LmsPlan plan = plan_of(net, by_grappler());
  REQUIRE(plan.warnings.size() == 1);
  CHECK(plan.warnings[0].kind == "not tried");
  CHECK_THAT(plan.warnings[0].text, Contains("never run on a GPU"));
  CHECK(plan_of(net, parameters(3, 1, 0)).warnings.empty());
  CHECK(plan_of(net,
                [] {
                  Lms2Options none = by_grappler();
                  none.swapout_threshold = 100;
                  return none;
                }())
            .warnings.empty());
}

TEST_CASE("copies of Grappler are refused where no GPU can be") {
  Progress silent;
  const auto refused = [&](std::string text, const Lms2Options& options) -> std::string {
    const io::Document net = test::read_graph(text);
    const auto plan = plan_lms2(net.graph, net.collections, options, silent);
    if (plan) return "";
    CHECK(plan.error().code == Code::kUnsupported);
    return plan.error().message;
  };
  std::string on_cpu(kPlacedNet);
  for (const std::string device : {"/gpu:0", "/gpu:1"}) {
    for (std::size_t at; (at = on_cpu.find(device)) != std::string::npos;) {
      on_cpu.replace(at, device.size(), "/cpu:0");
    }
  }
  CHECK_THAT(refused(on_cpu, by_grappler()), Contains("all ops of the graph are placed on CPUs"));
  CHECK(refused(on_cpu, parameters(3, 1, 0)).empty());
  Lms2Options for_cpu = by_grappler();
  for_cpu.gpu_device = "/device:CPU:0";
  CHECK_THAT(refused(std::string(kPlacedNet), for_cpu), Contains("/device:CPU:0 is a CPU"));
}

TEST_CASE("LMS v1 makes the same pairs, but none beside an op on a CPU") {
  const auto plan_for = [](std::string_view text) {
    const io::Document net = test::read_graph(text);
    Lms1Options options;
    options.optimizer_scopes = {"grad"};
    options.copy_mode = CopyMode::kGrappler;
    Progress silent;
    const auto plan = plan_lms1(net.graph, net.collections, options, silent);
    REQUIRE(plan);
    return added(net, *plan);
  };
  const Texts lines = plan_for(R"(
    x = Const() @/gpu:0 f32[2,4]
    f = Relu(x) @/gpu:0 f32[2,4]
    h = Relu(f) @/cpu:0 f32[2,4]
    g = Relu(h) @/gpu:0 f32[2,4]
    grad/g = ReluGrad(g, h) @/gpu:0 f32[2,4]
    grad/f = ReluGrad(grad/g, f) @/gpu:0 f32[2,4]
    end = Relu(grad/f) @/gpu:0 f32[2,4]
  )");
  REQUIRE(lines.size() >= 2);
  for (const std::string& line : lines) CHECK(line.find("h:0") == std::string::npos);
  CHECK(lines[0] == "swap_out_grad/f_1 = _CopyFromGpuToHost(f:0) @/gpu:0 loc:@f");
}

TEST_CASE("a step with copies of Grappler is not run here") {
  const io::Document net = test::read_graph(R"(
    loss = Relu() f32[2,4]
    train = NoOp(^in)
    out = _CopyFromGpuToHost(loss) f32[2,4]
    in = _CopyFromHostToGpu(out) f32[2,4]
    unrelated = NoOp()
  )");
  Progress silent;
  runtime::TrainingRequest request;
  request.loss = "loss";
  request.train = "train";
  const auto refused = runtime::prepare_training(net, request, silent);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kUnsupported);
  CHECK_THAT(refused.error().message, Contains("op 'out' copies by _CopyFromGpuToHost"));
  request.train = "unrelated";
  CHECK(runtime::prepare_training(net, request, silent));
}

}  // namespace tideline
