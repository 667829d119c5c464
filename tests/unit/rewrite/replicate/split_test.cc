// What is split, and what stays whole.
#include <catch2/catch.hpp>

#include "tests/unit/rewrite/replicate/replicate_text.h"

namespace tideline {
namespace {

using Catch::Matchers::Contains;
using test::dense_options;
using test::kDense;
using test::refusal;
using test::replicate_text;
using test::Replicated;
using test::with;
using Texts = std::vector<std::string>;

// A sparse feature that a dense layer reads.
const std::string kSparse = R"(
    at = Placeholder() i64[?,2] +dtype=i64 +shape=[?,2]
    values = Placeholder() f32[?] +dtype=f32 +shape=[?]
    shape = Placeholder() i64[2] +dtype=i64 +shape=[2]
    default = Const() f32[] +dtype=f32
    x = SparseToDense(at, shape, values, default) f32[?,4] +T=f32 +Tindices=i64
    w = Const() f32[4,2] +dtype=f32
    h = MatMul(x, w) f32[?,2] +T=f32
)";

ReplicateOptions sparse_options() {
  ReplicateOptions options;
  options.devices = {"/device:GPU:0", "/device:GPU:1"};
  options.split = {"at:0+values:0+shape:0"};
  options.predictions = {"y=h:0"};
  return options;
}

TEST_CASE("What no tower reads is not split", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.split.insert(options.split.begin(), "weights");
  const Replicated made =
      replicate_text(kDense +
                         "weights = Placeholder() f32[?] +dtype=f32 +shape=[?]\n"
                         "summary = Identity(weights) f32[?] +T=f32\n",
                     options);
  CHECK(made.inputs("summary") == Texts{"weights:0"});
  CHECK(made.inputs("h") == Texts{"split_inputs/split:0", "w/read:0"});
  CHECK(made.plan.report.split.size() == 2);
  REQUIRE(made.plan.report.notices.size() == 1);
  CHECK_THAT(made.plan.report.notices[0], Contains("no tower reads 'weights:0'"));
}

TEST_CASE("A split tensor may be made of another, which is whole there", "[replicate]") {
  std::string text =
      with(kDense, "h = MatMul(x, w/read) f32[?,2]",
           "square = Square(x) f32[?,4] +T=f32\n    h = MatMul(square, w/read) f32[?,2]");
  text = with(text, "g/w = MatMul(x, g/square)", "g/w = MatMul(square, g/square)");
  text = with(text, "d = Sub(h, y) f32[?,2]",
              "more = MatMul(x, w/read) f32[?,2] +T=f32\n    d = Sub(h, more) f32[?,2]");
  ReplicateOptions options = dense_options();
  options.split = {"x", "square"};
  const Replicated made = replicate_text(text, options);
  CHECK(made.inputs("square") == Texts{"x:0"});
  CHECK(made.inputs("more") == Texts{"split_inputs/split:0", "w/read:0"});
  CHECK(made.inputs("tower_1/h") == Texts{"split_inputs/split_1:1", "w/read:0"});
  CHECK(made.inputs("tower_1/more") == Texts{"split_inputs/split:1", "w/read:0"});
}

TEST_CASE("A prediction that is a split tensor, or the same for all, stays whole", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.train_op.clear();
  options.loss.clear();
  options.split = {"x:0"};
  options.predictions = {"y=h:0", "key=x:0", "rate=rate:0"};
  const Replicated made = replicate_text(kDense, options);
  CHECK(made.plan.report.predictions ==
        std::map<std::string, std::string>{{"key", "x:0"}, {"rate", "rate:0"}, {"y", "y_1:0"}});
  CHECK(made.plan.report.notices.size() == 2);
}

TEST_CASE("A sparse tensor is split as one, on a CPU", "[replicate]") {
  const Replicated made = replicate_text(kSparse, sparse_options());
  CHECK(made.type("split_inputs/split") == "SparseSplit");
  CHECK(made.inputs("split_inputs/split") ==
        Texts{"split_inputs/split/split_dim:0", "at:0", "values:0", "shape:0"});
  CHECK(made.inputs("x") ==
        Texts{"split_inputs/split:0", "split_inputs/split:4", "split_inputs/split:2", "default:0"});
  CHECK(made.inputs("tower_1/x") == Texts{"split_inputs/split:1", "split_inputs/split:5",
                                          "split_inputs/split:3", "tower_1/default:0"});
  CHECK(made.device("split_inputs/split") == "/device:CPU:0");
  ReplicateOptions one = sparse_options();
  one.devices = {"/device:GPU:0"};
  CHECK(replicate_text(kSparse, one).device("split_inputs/split") == "/device:CPU:0");
  CHECK(made.plan.report.split.size() == 3);
}

TEST_CASE("A sparse tensor is named by its indices, values and shape", "[replicate]") {
  ReplicateOptions options = sparse_options();
  options.split = {"at:0+values:0"};
  CHECK_THAT(refusal(kSparse, options), Contains("'at:0+values:0' is neither a tensor nor"));
  options.split = {"values:0+at:0+shape:0"};
  CHECK_THAT(refusal(kSparse, options),
             Contains("'values:0' is DT_FLOAT [?]") && Contains("the indices of a sparse tensor "
                                                                "have rank 2 and type int64"));
  options = sparse_options();
  CHECK_THAT(refusal(with(kSparse, "values = Placeholder() f32[?] +dtype=f32 +shape=[?]",
                          "values = Placeholder() f32[6] +dtype=f32 +shape=[6]"),
                     options),
             Contains("the values 'values:0' of a sparse tensor are fixed (shape [6])"));
  CHECK_THAT(refusal(with(kSparse, "shape = Placeholder() i64[2] +dtype=i64 +shape=[2]",
                          "shape = Const() i64[2] +dtype=i64"),
                     options),
             Contains("the shape 'shape:0' of a sparse tensor are fixed"));
}

}  // namespace
}  // namespace tideline
