// Evaluation: every tower updates variables of its own, which are added up.
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

const std::string kMetric = kDense + R"(
    total = VariableV2() +dtype=f32 +shape=[]
    total/zero = Const() f32[] +dtype=f32
    total/Assign = Assign(total, total/zero) +T=f32
    total/read = Identity(total) f32[] +T=f32
    both = Const() i32[2] +dtype=i32
    sum = Sum(sq, both) f32[] +T=f32 +Tidx=i32
    update = AssignAdd(total, sum) +T=f32
    value = Identity(total/read) f32[] +T=f32
    init = NoOp(^total/Assign)
)";

ReplicateOptions metric_options(int towers = 2) {
  ReplicateOptions options = dense_options(towers);
  options.train_op.clear();
  options.metrics = {"error=value:0=update:0"};
  return options;
}

TEST_CASE("Every tower has metric variables of its own, with initializers", "[replicate]") {
  const Replicated made = replicate_text(kMetric, metric_options());
  CHECK(made.inputs("tower_1/update") == Texts{"tower_1/total:0", "tower_1/sum:0"});
  CHECK(made.inputs("tower_1/total/Assign") == Texts{"tower_1/total:0", "tower_1/total/zero:0"});
  CHECK(made.device("tower_1/total") == "/device:CPU:0");
  CHECK(made.plan.report.init_ops == Texts{"reduce_metrics/init"});
  CHECK(made.inputs("reduce_metrics/init") == Texts{"^tower_1/total/Assign"});
  // Whatever initializes the first tower's does the same for the others.
  CHECK(made.inputs("total/Assign") == Texts{"total:0", "total/zero:0", "^tower_1/total/Assign"});
  CHECK(made.inputs("init") == Texts{"^total/Assign"});
}

TEST_CASE("The copies are read after all updates, added, and only then set to zero",
          "[replicate]") {
  const Replicated made = replicate_text(kMetric, metric_options(3));
  CHECK(made.inputs("reduce_metrics/total/read_2") ==
        Texts{"tower_2/total:0", "^update", "^tower_1/update", "^tower_2/update"});
  CHECK(made.inputs("reduce_metrics/total/AddN") ==
        Texts{"reduce_metrics/total/read_1:0", "reduce_metrics/total/read_2:0"});
  CHECK(made.inputs("reduce_metrics/total/AssignAdd") ==
        Texts{"total:0", "reduce_metrics/total/AddN:0", "^update", "^tower_1/update",
              "^tower_2/update"});
  CHECK(made.inputs("reduce_metrics/total/Assign_1") == Texts{"tower_1/total:0",
                                                              "reduce_metrics/total/zeros_1:0",
                                                              "^reduce_metrics/total/AssignAdd"});
  CHECK(made.inputs("reduce_metrics/update") ==
        Texts{"^reduce_metrics/total/Assign_1", "^reduce_metrics/total/Assign_2"});
  CHECK(made.plan.report.metric_update == "reduce_metrics/update");
  CHECK(made.plan.report.metric_values == std::map<std::string, std::string>{{"error", "value:0"}});
}

TEST_CASE("An update that only waits for the write of a resource variable depends on the batch",
          "[replicate]") {
  const std::string text = kDense + R"(
    total = VarHandleOp() res[] +dtype=f32 +shape=[] +shared_name='total'
    total/zero = Const() f32[] +dtype=f32
    total/Assign = AssignVariableOp(total, total/zero) +dtype=f32
    both = Const() i32[2] +dtype=i32
    sum = Sum(sq, both) f32[] +T=f32 +Tidx=i32
    add = AssignAddVariableOp(total, sum) +dtype=f32
    now = ReadVariableOp(total, ^add) f32[] +dtype=f32
    update = Identity(now) f32[] +T=f32
    value = ReadVariableOp(total) f32[] +dtype=f32
)";
  const Replicated made = replicate_text(text, metric_options());
  CHECK(made.inputs("tower_1/now") == Texts{"tower_1/total:0", "^tower_1/add"});
  CHECK(made.inputs("tower_1/add") == Texts{"tower_1/total:0", "tower_1/sum:0"});
  CHECK(made.plan.report.notices.empty());
}

TEST_CASE("A metric that does not depend on the batch is updated in every tower", "[replicate]") {
  const Replicated made = replicate_text(
      with(kMetric, "sum = Sum(sq, both)", "sum = Sum(both, both)"), metric_options());
  CHECK(made.inputs("tower_1/update") == Texts{"tower_1/total:0", "tower_1/sum:0"});
  REQUIRE(made.plan.report.notices.size() == 1);
  CHECK_THAT(made.plan.report.notices[0],
             Contains("the update of 'error' does not depend on a tensor that is split"));
}

TEST_CASE("A metric with weights, multiplied by ones and counted, is no gradient", "[replicate]") {
  const std::string text = R"(
    x = Placeholder() f32[?,4] +dtype=f32 +shape=[?,4]
    weight = Placeholder() f32[?,1] +dtype=f32 +shape=[?,1]
    sizes = Shape(x) i32[2] +T=f32 +out_type=i32
    one = Const() f32[] +dtype=f32
    ones = Fill(sizes, one) f32[?,4] +T=f32 +index_type=i32
    weights = Mul(weight, ones) f32[?,4] +T=f32
    values = Mul(x, weights) f32[?,4] +T=f32
    both = Const() i32[2] +dtype=i32
    zero = Const() f32[] +dtype=f32
    total = VariableV2() +dtype=f32 +shape=[]
    total/Assign = Assign(total, zero) +T=f32
    count = VariableV2() +dtype=f32 +shape=[]
    count/Assign = Assign(count, zero) +T=f32
    sum = Sum(values, both) f32[] +T=f32 +Tidx=i32
    number = Sum(weights, both) f32[] +T=f32 +Tidx=i32
    add = AssignAdd(total, sum) +T=f32
    add_count = AssignAdd(count, number, ^values) +T=f32
    update = RealDiv(add, add_count) f32[] +T=f32
    value = RealDiv(total, count) f32[] +T=f32
)";
  ReplicateOptions options;
  options.devices = {"/device:CPU:0", "/device:CPU:1"};
  options.split = {"x:0", "weight:0"};
  options.metrics = {"mean=value:0=update:0"};
  const Replicated made = replicate_text(text, options);
  CHECK(made.inputs("tower_1/add_count") ==
        Texts{"tower_1/count:0", "tower_1/number:0", "^tower_1/values"});
  CHECK(made.has("reduce_metrics/count/AssignAdd"));
  CHECK(made.has("reduce_metrics/total/AssignAdd"));
}

TEST_CASE("With one tower the update op just waits for the updates", "[replicate]") {
  const Replicated made = replicate_text(kMetric, metric_options(1));
  CHECK(made.inputs("reduce_metrics/update") == Texts{"^update"});
  CHECK(made.plan.report.init_ops.empty());
}

TEST_CASE("A metric whose variable is not a sum is refused", "[replicate]") {
  CHECK_THAT(refusal(with(kMetric, "update = AssignAdd(", "update = Assign("), metric_options()),
             Contains("'update' (Assign) writes the variable 'total'"));
}

TEST_CASE("A metric that nothing initializes is refused", "[replicate]") {
  std::string text = with(kMetric, "total/Assign = Assign(total, total/zero) +T=f32", "");
  text = with(text, "init = NoOp(^total/Assign)", "");
  CHECK_THAT(refusal(text, metric_options()), Contains("no op initializes the variable 'total'"));
}

}  // namespace
}  // namespace tideline
