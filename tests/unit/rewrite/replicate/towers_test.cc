// The edit: copies, splits, aggregation, names and attributes.
#include <catch2/catch.hpp>

#include "tests/unit/rewrite/replicate/replicate_text.h"

namespace tideline {
namespace {

using test::dense_options;
using test::kDense;
using test::replicate_text;
using test::Replicated;
using test::with;
using Texts = std::vector<std::string>;

TEST_CASE("Every tower gets its part of the batch and a copy of both passes", "[replicate]") {
  const Replicated made = replicate_text(kDense, dense_options());
  CHECK(made.inputs("split_inputs/split") == Texts{"split_inputs/split/split_dim:0", "x:0"});
  CHECK(made.inputs("h") == Texts{"split_inputs/split:0", "w/read:0"});
  CHECK(made.inputs("tower_1/h") == Texts{"split_inputs/split:1", "w/read:0"});
  CHECK(made.inputs("tower_1/d") == Texts{"tower_1/h:0", "split_inputs/split_1:1"});
  CHECK(made.inputs("tower_1/g/w") == Texts{"split_inputs/split:1", "tower_1/g/square:0"});
  // Constants go along, variables and what updates them do not.
  CHECK(made.has("tower_1/axes"));
  for (const char* once : {"w", "w/read", "w/Assign", "rate", "apply", "steps", "train", "x"}) {
    INFO(once);
    CHECK_FALSE(made.has(std::string("tower_1/") + once));
  }
  CHECK(made.added_outside("tower_1/") ==
        Texts{"split_inputs/split/split_dim", "split_inputs/split",
              "split_inputs/split_1/split_dim", "split_inputs/split_1", "gradient_aggregating/AddN",
              "loss"});
}

TEST_CASE("Gradients and losses of the towers are added", "[replicate]") {
  const Replicated made = replicate_text(kDense, dense_options(3));
  CHECK(made.inputs("gradient_aggregating/AddN") ==
        Texts{"g/w:0", "tower_1/g/w:0", "tower_2/g/w:0"});
  CHECK(made.inputs("apply") == Texts{"w:0", "rate:0", "gradient_aggregating/AddN:0"});
  CHECK(made.type("loss") == "AddN");
  CHECK(made.inputs("loss") == Texts{"loss_mean:0", "tower_1/loss_mean:0", "tower_2/loss_mean:0"});
  CHECK(made.plan.report.loss == "loss:0");
  CHECK(made.plan.report.train_op == "train");
  CHECK(made.plan.report.aggregated ==
        std::map<std::string, std::string>{{"w", "gradient_aggregating/AddN:0"}});
}

TEST_CASE("With averaging, sums are divided by the number of towers", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.average = true;
  const Replicated made = replicate_text(kDense, options);
  CHECK(made.type("gradient_aggregating/mean") == "RealDiv");
  CHECK(made.inputs("gradient_aggregating/mean") ==
        Texts{"gradient_aggregating/mean/AddN:0", "gradient_aggregating/Cast:0"});
  CHECK(made.inputs("gradient_aggregating/Cast") == Texts{"gradient_aggregating/towers:0"});
  CHECK(made.inputs("apply")[2] == "gradient_aggregating/mean:0");
  CHECK(made.inputs("loss") == Texts{"loss/AddN:0", "gradient_aggregating/Cast:0"});
}

TEST_CASE("One tower is the graph itself, with copies in place of sums", "[replicate]") {
  const Replicated made = replicate_text(kDense, dense_options(1));
  CHECK(made.type("gradient_aggregating/AddN") == "Identity");
  CHECK(made.inputs("gradient_aggregating/AddN") == Texts{"g/w:0"});
  CHECK(made.type("loss") == "Identity");
  CHECK(made.plan.edit.added.size() == 6);
}

TEST_CASE("Names that are taken are avoided, and so is a scope of a tower", "[replicate]") {
  const Replicated made =
      replicate_text(kDense + "loss = NoOp()\ntower_1/old = NoOp()\n", dense_options());
  CHECK(made.plan.report.loss == "loss_1:0");
  CHECK(made.plan.report.towers[1].prefix == "tower_1_1/");
  CHECK(made.has("tower_1_1/h"));
}

TEST_CASE("What else looks at the batch sees the first tower's part", "[replicate]") {
  const Replicated made = replicate_text(kDense + "right = Equal(h, y) +T=f32\n", dense_options());
  CHECK(made.inputs("right") == Texts{"h:0", "split_inputs/split_1:0"});
  CHECK_FALSE(made.has("tower_1/right"));
}

TEST_CASE("Copies are colocated with copies, and recorded shapes are left out", "[replicate]") {
  const std::string text = with(kDense, "d = Sub(h, y) f32[?,2] +T=f32",
                                "d = Sub(h, y) f32[?,2] +T=f32 +_class=('loc:@h','loc:@w')");
  const Replicated made = replicate_text(text, dense_options());
  const OpId copy = test::op(made.graph, "tower_1/d");
  const auto group = made.graph.attribute(copy, "_class");
  REQUIRE((group && *group));
  CHECK((*group)->strings == Texts{"loc:@tower_1/h", "loc:@w"});
  CHECK_FALSE(made.graph.attribute(copy, "_output_shapes")->has_value());
  CHECK(made.graph.attribute(test::op(made.graph, "d"), "_output_shapes")->has_value());
}

TEST_CASE("Towers draw different random numbers from one seed", "[replicate]") {
  const std::string noise = R"(
    noise/shape = Const() i32[2] +dtype=i32
    noise = RandomUniform(noise/shape) f32[?,2] +dtype=f32 +T=i32 +seed=5 +seed2=7
    free = RandomUniform(noise/shape) f32[?,2] +dtype=f32 +T=i32 +seed=0 +seed2=0
    h/noisy = AddN(h, noise, free) f32[?,2] +T=f32 +N=3
    d = Sub(h/noisy, y))";
  const Replicated made = replicate_text(with(kDense, "d = Sub(h, y)", noise), dense_options(3));
  const auto seed = [&](const std::string& name) {
    return (*made.graph.attribute(test::op(made.graph, name), "seed2"))->integer;
  };
  CHECK(seed("noise") == 7);
  CHECK(seed("tower_1/noise") == 7 + 1000003);
  CHECK(seed("tower_2/noise") == 7 + 2000006);
  CHECK(seed("tower_1/free") == 0);  // TensorFlow draws a seed for it
}

TEST_CASE("A loop is copied whole, in a frame of its own", "[replicate]") {
  const std::string loop = R"(
    l/enter = Enter(h) f32[?,2] +T=f32 +frame_name='l'
    l/merge = Merge(l/enter, l/next) f32[?,2] i32[] +T=f32
    l/flag = Const(^l/merge) bool[] +dtype=bool
    l/cond = LoopCond(l/flag) bool[]
    l/switch = Switch(l/merge, l/cond) f32[?,2] f32[?,2] +T=f32
    l/next = NextIteration(l/switch:1) f32[?,2] +T=f32
    l/exit = Exit(l/switch) f32[?,2] +T=f32
    d = Sub(l/exit, y))";
  const Replicated made = replicate_text(with(kDense, "d = Sub(h, y)", loop), dense_options());
  CHECK((*made.graph.attribute(test::op(made.graph, "tower_1/l/enter"), "frame_name"))->string ==
        "tower_1/l");
  CHECK(made.inputs("tower_1/l/merge") == Texts{"tower_1/l/enter:0", "tower_1/l/next:0"});
  CHECK(made.inputs("tower_1/l/flag") == Texts{"^tower_1/l/merge"});
}

TEST_CASE("What the update waits for in one tower, it waits for in all", "[replicate]") {
  const std::string text = with(kDense, "rate = Const()", "rate = Const(^g/w)");
  const Replicated made = replicate_text(text, dense_options());
  CHECK(made.inputs("rate") == Texts{"^g/w", "^tower_1/g/w"});
}

TEST_CASE("A second optimizer may compute its gradients after the step of the first",
          "[replicate]") {
  const std::string text = kDense + R"(
    s/one = Const(^train) f32[] +dtype=f32
    s/seed = Fill(g/shape, s/one) f32[] +T=f32 +index_type=i32
    s/tile = BroadcastTo(s/seed, g/sizes) f32[?,2] +T=f32 +Tidx=i32
    s/mean = RealDiv(s/tile, g/divisor) f32[?,2] +T=f32
    s/square = Mul(s/mean, g/twice) f32[?,2] +T=f32
    s/w = MatMul(x, s/square) f32[4,2] +T=f32 +transpose_a=true
    second = ApplyGradientDescent(w, rate, s/w) +T=f32 +_class=('loc:@w')
)";
  ReplicateOptions options = dense_options();
  options.train_op = "second";
  const Replicated made = replicate_text(text, options);
  CHECK(made.inputs("tower_1/s/one") == Texts{"^train"});
  CHECK(made.inputs("apply") == Texts{"w:0", "rate:0", "gradient_aggregating/AddN:0"});
  CHECK(made.inputs("second") == Texts{"w:0", "rate:0", "gradient_aggregating/AddN_1:0"});
  CHECK(made.inputs("gradient_aggregating/AddN") == Texts{"g/w:0", "tower_1/g/w:0"});
}

TEST_CASE("A gradient that nobody applies is no part of the update", "[replicate]") {
  // As TensorFlow has it: the gradients of an op wait for each other.
  std::string text = with(kDense, "g/square = Mul(g/mean, g/twice)",
                          "g/unused = Mul(d, g/mean) f32[?,2] +T=f32\n"
                          "    g/both = NoOp(^g/unused, ^g/mean)\n"
                          "    g/square = Mul(g/mean, g/twice, ^g/both)");
  const Replicated made = replicate_text(text, dense_options());
  CHECK(made.inputs("tower_1/g/square") ==
        Texts{"tower_1/g/mean:0", "tower_1/g/twice:0", "^tower_1/g/both"});
  CHECK(made.inputs("tower_1/g/unused") == Texts{"tower_1/d:0", "tower_1/g/mean:0"});
}

TEST_CASE("A train op that hands on the loss hands on that of all towers", "[replicate]") {
  const std::string text = kDense + "slim = Identity(loss_mean, ^train) +T=f32\n";
  ReplicateOptions options = dense_options();
  options.train_op = "slim";
  const Replicated made = replicate_text(text, options);
  CHECK(made.inputs("slim") == Texts{"gradient_aggregating/AddN:0", "^train"});
  CHECK(made.inputs("gradient_aggregating/AddN") == Texts{"loss_mean:0", "tower_1/loss_mean:0"});
}

TEST_CASE("A prediction that is called like an op of another tower gets another name",
          "[replicate]") {
  ReplicateOptions options = dense_options();
  options.predictions = {"tower_1/h=h"};
  const Replicated made = replicate_text(kDense, options);
  CHECK(made.type("tower_1/h") == "MatMul");
  CHECK(made.plan.report.predictions ==
        std::map<std::string, std::string>{{"tower_1/h", "tower_1/h_1:0"}});
}

TEST_CASE("Predictions are concatenated in ops called by their keys", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.split = {"x"};
  options.loss.clear();
  options.train_op.clear();
  options.predictions = {"out=h:0", "a b=h"};
  const Replicated made = replicate_text(kDense, options);
  CHECK(made.type("out") == "ConcatV2");
  CHECK(made.inputs("out") == Texts{"h:0", "tower_1/h:0", "out/axis:0"});
  CHECK(made.plan.report.predictions ==
        std::map<std::string, std::string>{{"a b", "a_b:0"}, {"out", "out:0"}});
  CHECK_FALSE(made.has("tower_1/d"));  // nobody asked for it
  options.devices.resize(1);
  CHECK(replicate_text(kDense, options).type("out") == "Identity");
}

TEST_CASE("Two towers on one device are noted", "[replicate]") {
  CHECK(replicate_text(kDense, dense_options(3)).plan.report.notices.empty());
  ReplicateOptions options = dense_options();
  options.devices = {"/device:CPU:1", "/cpu:0", "/device:cpu:0"};
  const Texts notices = replicate_text(kDense, options).plan.report.notices;
  REQUIRE(notices.size() == 1);
  CHECK(notices[0].find("the towers 1 and 2 share the device /device:CPU:0") != std::string::npos);
}

}  // namespace
}  // namespace tideline
