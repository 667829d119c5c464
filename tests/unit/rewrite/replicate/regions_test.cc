// What is cut, and how it is combined: rows of embeddings, norms of all gradients, moving averages.
#include <catch2/catch.hpp>

#include "tests/unit/rewrite/replicate/replicate_text.h"

namespace tideline {
namespace {

using test::dense_options;
using test::kDense;
using test::refusal;
using test::replicate_text;
using test::Replicated;
using test::with;
using Texts = std::vector<std::string>;

std::string op_of(const std::string& tensor) {
  return tensor.substr(0, tensor.rfind(':'));
}

// An embedding in place of the input: its gradient is a pair of values and row numbers.
std::string embedding(const std::string& update) {
  std::string text = with(kDense, "x = Placeholder() f32[?,4] +dtype=f32 +shape=[?,4]", R"(
    ids = Placeholder() i32[?] +dtype=i32 +shape=[?]
    table = VariableV2() +dtype=f32 +shape=[20,4]
    table/read = Identity(table) f32[20,4] +T=f32
    zero = Const() i32[] +dtype=i32
    x = GatherV2(table/read, ids, zero) f32[?,4] +Tparams=f32 +Tindices=i32 +Taxis=i32)");
  return with(text, "rate = Const() f32[] +dtype=f32", R"(
    g/x = MatMul(g/square, w/read) f32[?,4] +T=f32 +transpose_b=true
    g/rows/shape = Const() i32[2] +dtype=i32
    g/rows = Reshape(g/x, g/rows/shape) f32[?,4] +T=f32 +Tshape=i32
    g/ids/shape = Const() i32[1] +dtype=i32
    g/ids = Reshape(ids, g/ids/shape) i32[?] +T=i32 +Tshape=i32
    rate = Const() f32[] +dtype=f32)") +
         update;
}

ReplicateOptions embedding_options() {
  ReplicateOptions options = dense_options();
  options.split = {"ids", "y"};
  return options;
}

const char* const kScatter = R"(
    scaled = Mul(g/rows, rate) f32[?,4] +T=f32
    scatter = ScatterSub(table, g/ids, scaled) +T=f32 +Tindices=i32
    both = NoOp(^train, ^scatter)
)";

TEST_CASE("Rows and their numbers are concatenated, through a learning rate", "[replicate]") {
  ReplicateOptions options = embedding_options();
  options.train_op = "both";
  const Replicated made = replicate_text(embedding(kScatter), options);
  const std::string values = made.inputs("scaled")[0];
  const std::string rows = made.inputs("scatter")[1];
  CHECK(made.plan.report.aggregated.at("table") == values);
  CHECK(made.plan.report.aggregated_indices.at("table") == rows);
  CHECK(made.inputs(op_of(values))[1] == "tower_1/g/rows:0");
  CHECK(made.inputs(op_of(rows))[1] == "tower_1/g/ids:0");
  CHECK(made.plan.report.aggregated.at("w") == made.inputs("apply")[2]);
}

TEST_CASE("Rows are concatenated before the optimizer adds duplicates up", "[replicate]") {
  ReplicateOptions options = embedding_options();
  options.train_op = "both";
  const Replicated made = replicate_text(embedding(R"(
    unique = Unique(g/ids) i32[?] i32[?] +T=i32 +out_idx=i32
    unique/count = Size(unique) i32[] +T=i32 +out_type=i32
    summed = UnsortedSegmentSum(g/rows, unique:1, unique/count) f32[?,4] +T=f32 +Tindices=i32 +Tnumsegments=i32
    scaled = Mul(summed, rate) f32[?,4] +T=f32
    scatter = ScatterSub(table, unique, scaled) +T=f32 +Tindices=i32
    both = NoOp(^train, ^scatter)
)"),
                                         options);
  CHECK(made.inputs("summed")[0] == made.plan.report.aggregated.at("table"));
  CHECK(made.inputs("unique")[0] == made.plan.report.aggregated_indices.at("table"));
  CHECK(made.inputs("scatter") == Texts{"table:0", "unique:0", "scaled:0"});
}

TEST_CASE("A norm of all gradients does not make the dense ones rows", "[replicate]") {
  ReplicateOptions options = embedding_options();
  options.train_op = "both";
  std::string text =
      with(embedding(R"(
    norm/a = L2Loss(g/rows) f32[] +T=f32
    norm/b = L2Loss(g/w) f32[] +T=f32
    norm = AddN(norm/a, norm/b) f32[] +T=f32 +N=2
    factor = Rsqrt(norm) f32[] +T=f32
    rows/clipped = Mul(g/rows, factor) f32[?,4] +T=f32
    w/clipped = Mul(g/w, factor) f32[4,2] +T=f32
    scatter = ScatterSub(table, g/ids, rows/clipped) +T=f32 +Tindices=i32
    both = NoOp(^train, ^scatter)
)"),
           "ApplyGradientDescent(w, rate, g/w)", "ApplyGradientDescent(w, rate, w/clipped)");
  const Replicated made = replicate_text(text, options);
  CHECK(made.inputs("w/clipped")[0] == made.inputs("norm/b")[0]);
  CHECK(made.plan.report.aggregated.at("w") == made.inputs("w/clipped")[0]);
  CHECK(made.type(std::string(made.inputs("w/clipped")[0], 0,
                              made.inputs("w/clipped")[0].size() - 2)) == "AddN");
  CHECK(made.type(op_of(made.inputs("norm/a")[0])) == "ConcatV2");
}

TEST_CASE("Averaging divides values of rows, and leaves their numbers", "[replicate]") {
  ReplicateOptions options = embedding_options();
  options.train_op = "both";
  options.average = true;
  const Replicated made = replicate_text(embedding(kScatter), options);
  const std::string values = made.inputs("scaled")[0];
  const std::string rows = made.inputs("scatter")[1];
  CHECK(made.type(op_of(values)) == "RealDiv");
  CHECK(made.type(op_of(rows)) == "ConcatV2");
}

// A batch statistic that moves an average, as batch normalisation does.
const std::string kAverage = R"(
    average = VariableV2() +dtype=f32 +shape=[2]
    average/read = Identity(average) f32[2] +T=f32
    statistic = Mean(h, zero) f32[2] +T=f32 +Tidx=i32
    zero = Const() i32[] +dtype=i32
    distance = Sub(average/read, statistic) f32[2] +T=f32
    part = Const() f32[] +dtype=f32
    move = Mul(distance, part) f32[2] +T=f32
    moved = AssignSub(average, move) +T=f32
    step = NoOp(^train, ^moved)
)";

TEST_CASE("Moving averages move by the first tower's statistics, or by the mean", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.train_op = "step";
  const Replicated first = replicate_text(kDense + kAverage, options);
  CHECK(first.inputs("moved") == Texts{"average:0", "move:0"});
  CHECK_FALSE(first.has("tower_1/move"));
  CHECK(first.device("moved") == "/device:CPU:0");
  options.batch_norm_update = BatchNormUpdate::kAll;
  const Replicated all = replicate_text(kDense + kAverage, options);
  CHECK(all.inputs("moved") == Texts{"average:0", "moving_averages/mean:0"});
  CHECK(all.inputs("moving_averages/mean/AddN") == Texts{"move:0", "tower_1/move:0"});
  CHECK(all.plan.report.moving_averages ==
        std::map<std::string, std::string>{{"average", "moving_averages/mean:0"}});
  options.devices.resize(1);
  CHECK(replicate_text(kDense + kAverage, options).inputs("moved")[1] == "move:0");
}

TEST_CASE("A tower does not wait for the moving average of the first", "[replicate]") {
  const std::string text = with(kDense, "d = Sub(h, y)", kAverage + "\n    d = Sub(h, y, ^moved)");
  const Replicated made =
      replicate_text(with(text, "step = NoOp(^train, ^moved)", ""), dense_options());
  CHECK(made.inputs("d") == Texts{"h:0", "split_inputs/split_1:0", "^moved"});
  CHECK(made.inputs("tower_1/d") == Texts{"tower_1/h:0", "split_inputs/split_1:1"});
}

TEST_CASE("The backward pass can be named where it is not recognised", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.gradient_scope = "g/";
  const Replicated made = replicate_text(kDense, options);
  CHECK(made.inputs("apply")[2] == "gradient_aggregating/AddN:0");
  options.gradient_scope = "gradients";
  CHECK_THAT(refusal(kDense, options), Catch::Matchers::Contains("no op is in 'gradients'"));
}

TEST_CASE("A placeholder that is not split is the same for all towers", "[replicate]") {
  const std::string text = with(kDense, "d = Sub(h, y)",
                                "keep = Placeholder() f32? +dtype=f32\n    "
                                "h/kept = Mul(h, keep) f32[?,2] +T=f32\n    d = Sub(h/kept, y)");
  const Replicated made = replicate_text(text, dense_options());
  CHECK(made.inputs("tower_1/h/kept") == Texts{"tower_1/h:0", "keep:0"});
  CHECK_FALSE(made.has("tower_1/keep"));
}

}  // namespace
}  // namespace tideline
