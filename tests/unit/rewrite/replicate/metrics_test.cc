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
  // The group that initializes the first tower's does the same for the others.
  CHECK(made.inputs("init") == Texts{"^total/Assign", "^tower_1/total/Assign"});
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
  CHECK_THAT(refusal(with(text, "now = ReadVariableOp(total, ^add)", "now = ReadVariableOp(total)"),
                     metric_options()),
             Contains("--metrics: 'update:0' does not depend on a tensor that is split"));
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
