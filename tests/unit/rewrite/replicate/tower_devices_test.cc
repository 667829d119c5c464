#include <catch2/catch.hpp>

#include "core/rewrite/replicate/report_json.h"
#include "tests/unit/rewrite/replicate/replicate_text.h"

namespace tideline {
namespace {

using test::dense_options;
using test::kDense;
using test::replicate_text;
using test::Replicated;
using test::with;

TEST_CASE("Towers run on their devices, variables and the update on the CPU", "[replicate]") {
  const Replicated made = replicate_text(kDense, dense_options());
  CHECK(made.device("h") == "/device:GPU:0");
  CHECK(made.device("tower_1/h") == "/device:GPU:1");
  CHECK(made.device("tower_1/g/w") == "/device:GPU:1");
  for (const char* name : {"w", "w/read", "w/Assign", "apply", "rate", "steps", "train", "loss",
                           "split_inputs/split", "gradient_aggregating/AddN"}) {
    INFO(name);
    CHECK(made.device(name) == "/device:CPU:0");
  }
  CHECK(made.device("x").empty());
  CHECK(made.plan.report.parameter_device == "/device:CPU:0");
}

TEST_CASE("With a single GPU the variables are on it", "[replicate]") {
  CHECK(replicate_text(kDense, dense_options(1)).device("w") == "/device:GPU:0");
}

TEST_CASE("In a cluster the variables are on the CPU beside the first tower", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.devices = {"/job:worker/task:1/device:GPU:0", "/job:worker/task:2/device:GPU:0"};
  const Replicated made = replicate_text(kDense, options);
  CHECK(made.device("w") == "/job:worker/task:1/device:CPU:0");
  CHECK(made.device("h") == "/job:worker/task:1/device:GPU:0");
  CHECK(made.device("tower_1/h") == "/job:worker/task:2/device:GPU:0");
  options.parameter_device = "/job:ps/task:0/device:CPU:0";
  CHECK(replicate_text(kDense, options).device("w") == "/job:ps/task:0/device:CPU:0");
}

TEST_CASE("What a device string of the graph says stays", "[replicate]") {
  std::string text = with(kDense, "h = MatMul(x, w/read)", "h = MatMul(x, w/read) @/cpu:0");
  text = with(text, "sq = Square(d)", "sq = Square(d) @/task:3");
  const Replicated made = replicate_text(text, dense_options());
  CHECK(made.device("h") == "/cpu:0");
  CHECK(made.device("tower_1/h") == "/cpu:0");
  CHECK(made.device("tower_1/sq") == "/task:3/device:GPU:1");
}

TEST_CASE("The report says where the ops of a tower are whose device the graph names",
          "[replicate]") {
  const auto lines_of = [](const std::string& text) {
    const Replicated made = replicate_text(text, dense_options());
    const replicate::TowerReport report(made.plan.report);
    std::vector<std::string> towers = report.lines(made.original.graph, made.plan.edit);
    return std::vector(towers.begin() + 1, towers.begin() + 3);
  };
  CHECK(lines_of(kDense) == std::vector<std::string>{"  the ops of the graph on /device:GPU:0",
                                                     "  tower_1/... on /device:GPU:1"});
  // Of the 17 ops from h to g/w one names a device, and one follows a variable.
  std::string text = with(kDense, "sq = Square(d)", "sq = Square(d) @/device:GPU:0");
  text = with(text, "h = MatMul(x, w/read) f32[?,2] +T=f32",
              "h = MatMul(x, w/read) f32[?,2] +T=f32 +_class=('loc:@w')");
  CHECK(lines_of(text) ==
        std::vector<std::string>{
            "  the ops of the graph on /device:GPU:0: 16 ops; beside variables: 1 op",
            "  tower_1/... on /device:GPU:1: 15 ops; on /device:GPU:0, which the graph names: 1 "
            "op; beside variables: 1 op"});
}

TEST_CASE("A graph that names a device for most ops of a tower keeps it there, which is noted",
          "[replicate]") {
  std::string text = kDense;
  for (const char* op :
       {"= MatMul(", "= Sub(", "= Square(", "= Mean(", "= Const(", "= Fill(", "= Shape(",
        "= BroadcastTo(", "= Size(", "= Cast(", "= RealDiv(", "= Mul("}) {
    for (std::size_t at = 0; (at = text.find(op, at)) != std::string::npos; ++at) {
      const std::size_t end = text.find(')', at) + 1;
      text.insert(end, " @/device:GPU:0");
    }
  }
  const Replicated made = replicate_text(text, dense_options());
  CHECK(made.device("tower_1/h") == "/device:GPU:0");
  REQUIRE(made.plan.report.towers.size() == 2);
  const Tower& second = made.plan.report.towers[1];
  CHECK(second.ops_on_device == 0);
  CHECK(second.kept.at("/device:GPU:0") == made.plan.report.replicated_ops);
  const replicate::TowerReport report(made.plan.report);
  CHECK(report.parts(made.original.graph, made.plan.edit).parts[1].note == "/device:GPU:0");
  // As in the graph that is written.
  std::int64_t written = 0;
  for (const OpId op : made.graph.ops()) {
    const bool is_of_tower = made.graph.name(op).starts_with("tower_1/");
    written += is_of_tower && made.graph.device(op) == "/device:GPU:0" ? 1 : 0;
  }
  CHECK(written == second.kept.at("/device:GPU:0"));
  REQUIRE(made.plan.report.notices.size() == 1);
  CHECK(made.plan.report.notices[0].find("ops of tower_1/..., so they are not on /device:GPU:1") !=
        std::string::npos);
  CHECK(replicate_text(kDense, dense_options()).plan.report.notices.empty());
}

TEST_CASE("An op of a tower that is colocated with a variable stays with it", "[replicate]") {
  const std::string text = with(kDense, "h = MatMul(x, w/read) f32[?,2] +T=f32",
                                "h = MatMul(x, w/read) f32[?,2] +T=f32 +_class=('loc:@w')");
  const Replicated made = replicate_text(text, dense_options());
  CHECK(made.device("h") == "/device:CPU:0");
  CHECK(made.device("tower_1/h") == "/device:CPU:0");
}

TEST_CASE("A resource variable is read where it is, once for every tower", "[replicate]") {
  std::string text = with(kDense, "w = VariableV2() +dtype=f32 +shape=[4,2]",
                          "w = VarHandleOp() res[] +dtype=f32 +shape=[4,2] +shared_name='w'");
  text = with(text, "w/Assign = Assign(w, w/init) +T=f32",
              "w/Assign = AssignVariableOp(w, w/init) +dtype=f32");
  text = with(text, "w/read = Identity(w) f32[4,2] +T=f32 +_class=('loc:@w')",
              "w/read = ReadVariableOp(w) f32[4,2] +dtype=f32");
  text = with(text, "apply = ApplyGradientDescent(", "apply = ResourceApplyGradientDescent(");
  const Replicated made = replicate_text(text, dense_options());
  CHECK(made.device("tower_1/w/read") == "/device:CPU:0");
  CHECK(made.inputs("tower_1/w/read") == std::vector<std::string>{"w:0"});
  CHECK(made.inputs("tower_1/h")[1] == "tower_1/w/read:0");
}

}  // namespace
}  // namespace tideline
