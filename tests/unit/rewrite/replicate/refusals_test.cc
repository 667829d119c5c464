// Graphs that would train otherwise than intended, each refused with the op and the rule.
#include <catch2/catch.hpp>

#include "tests/unit/rewrite/replicate/replicate_text.h"

namespace tideline {
namespace {

using Catch::Matchers::Contains;
using test::dense_options;
using test::kDense;
using test::refusal;
using test::with;

TEST_CASE("A fixed batch size is refused", "[replicate]") {
  std::string text = with(kDense, "x = Placeholder() f32[?,4] +dtype=f32 +shape=[?,4]",
                          "x = Placeholder() f32[12,4] +dtype=f32 +shape=[12,4]");
  CHECK_THAT(refusal(text, dense_options()),
             Contains("'x:0' has the fixed batch size 12 (shape [12,4])"));
  CHECK_THAT(refusal(text, dense_options(1)), Contains("fixed batch size"));
}

TEST_CASE("A scalar cannot be split", "[replicate]") {
  const std::string text = with(kDense, "x = Placeholder() f32[?,4] +dtype=f32 +shape=[?,4]",
                                "x = Placeholder() f32[] +dtype=f32 +shape=[]");
  CHECK_THAT(refusal(text, dense_options()), Contains("'x:0' is a scalar"));
}

TEST_CASE("Names that are not in the graph, and names that are given twice", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.split = {"x", "z"};
  CHECK_THAT(refusal(kDense, options), Contains("{split}: the graph has no op or tensor 'z'"));
  options.split = {"x", "x:0"};
  CHECK_THAT(refusal(kDense, options), Contains("{split} names 'x:0' twice"));
  options = dense_options();
  options.train_op = "fit";
  CHECK_THAT(refusal(kDense, options), Contains("{train-op}: the graph has no op"));
  options = dense_options();
  options.split = {"x:1", "y"};
  CHECK_THAT(refusal(kDense, options), Contains("'x' (Placeholder) has no output 1"));
}

TEST_CASE("A result that is an output its op does not have is refused, not named", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.loss = "loss_mean:7";
  CHECK_THAT(refusal(kDense, options), Contains("{loss}: op 'loss_mean' (Mean) has no output 7"));
  options = dense_options();
  options.predictions = {"y=h:9"};
  CHECK_THAT(refusal(kDense, options), Contains("{predictions}: op 'h' (MatMul) has no output 9"));
  options = dense_options();
  options.metrics = {"mse=loss_mean:2=train"};
  CHECK_THAT(refusal(kDense, options), Contains("{metrics}: op 'loss_mean' (Mean) has no output"));
}

TEST_CASE("Split tensors on none of which anything depends are refused", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.train_op.clear();
  options.loss.clear();
  options.predictions = {"rate=rate:0"};
  CHECK_THAT(refusal(kDense, options), Contains("does not depend on 'x:0'"));
}

TEST_CASE("A loss that does not depend on the batch is refused", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.loss = "rate";
  CHECK_THAT(refusal(kDense, options),
             Contains("{loss}: 'rate:0' does not depend on a tensor that is split"));
}

TEST_CASE("An input that may be part of the batch has to be split", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.split = {"x"};
  CHECK_THAT(refusal(kDense, options),
             Contains("reads 'y:0' (shape [?,2])") && Contains("add it to {split}"));
}

TEST_CASE("A queue inside of a tower is refused", "[replicate]") {
  const std::string text = with(kDense, "y = Placeholder() f32[?,2] +dtype=f32 +shape=[?,2]",
                                "queue = FIFOQueueV2() res[] +component_types=(1,1)\n"
                                "    y = QueueDequeueV2(queue) f32[?,2] +component_types=(1,1)");
  ReplicateOptions options = dense_options();
  options.split = {"x"};
  CHECK_THAT(refusal(text, options),
             Contains("'y' (QueueDequeueV2)") && Contains("split its output instead ({split})"));
}

TEST_CASE("A train op without gradients is refused", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.train_op = "w/Assign";
  CHECK_THAT(refusal(kDense, options), Contains("'w/Assign' (Assign) applies no gradient"));
  // One that hands a gradient on writes nothing with it.
  options.train_op = "handed";
  CHECK_THAT(refusal(kDense + "handed = Identity(g/w) f32[4,2] +T=f32\n", options),
             Contains("'handed' (Identity) applies no gradient"));
}

TEST_CASE("What depends on the update is named, not the loss before it", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.predictions = {"p=late"};
  CHECK_THAT(refusal(kDense + "late = AddV2(h, apply) f32[?,2] +T=f32\n", options),
             Contains("'apply' (ApplyGradientDescent) belongs to the update, and the prediction "
                      "'p' depends on its result"));
}

TEST_CASE("A loss that is computed from the update is refused", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.loss = "late";
  CHECK_THAT(refusal(kDense + "norm = L2Loss(apply) f32[] +T=f32\n"
                              "late = AddV2(loss_mean, norm) f32[] +T=f32\n"
                              "all = NoOp(^late, ^train)\n",
                     options),
             Contains("'apply' (ApplyGradientDescent) belongs to the update"));
}

std::string writing(const std::string& write) {
  return with(kDense, "d = Sub(h, y)",
              "seen = VariableV2() +dtype=f32 +shape=[]\n"
              "    count = VariableV2() +dtype=i32 +shape=[]\n"
              "    seen/read = Identity(seen) f32[] +T=f32\n"
              "    all = Const() i32[2] +dtype=i32\n"
              "    sum = Sum(h, all) f32[] +T=f32 +Tidx=i32\n"
              "    size = Size(h) i32[] +T=f32 +out_type=i32\n" +
                  write + "\n    d = Sub(h, y, ^write)");
}

TEST_CASE("A write of the forward pass other than a moving average is refused", "[replicate]") {
  CHECK_THAT(refusal(writing("    write = AssignAdd(seen, sum) +T=f32"), dense_options()),
             Contains("'write' (AssignAdd)") && Contains("does not move what the variable was"));
  CHECK_THAT(refusal(writing("    write = AssignAdd(count, size) +T=i32"), dense_options()),
             Contains("'write' (AssignAdd)") && Contains("no floating-point number"));
}

TEST_CASE("A write that does not depend on the batch happens once", "[replicate]") {
  const auto made = test::replicate_text(
      writing("    one = Const() f32[] +dtype=f32\n    write = AssignAdd(seen, one) +T=f32"),
      dense_options());
  CHECK_FALSE(made.has("tower_1/write"));
  CHECK(made.inputs("tower_1/d").back() == "^write");
}

TEST_CASE("An activation that the update reads is refused", "[replicate]") {
  const std::string text = with(kDense, "apply = ApplyGradientDescent(w, rate, g/w)",
                                "mixed = AddN(g/w, h) f32[4,2] +T=f32 +N=2\n"
                                "    apply = ApplyGradientDescent(w, rate, mixed)");
  CHECK_THAT(refusal(text, dense_options()),
             Contains("'mixed' (AddN)") && Contains("'h:0', which depends on the batch"));
}

TEST_CASE("A learning rate that depends on the batch is refused", "[replicate]") {
  const std::string text = with(kDense, "apply = ApplyGradientDescent(w, rate, g/w)",
                                "slower = Mul(rate, loss_mean) f32[] +T=f32\n"
                                "    apply = ApplyGradientDescent(w, slower, g/w)");
  CHECK_THAT(refusal(text, dense_options()),
             Contains("'apply' (ApplyGradientDescent)") && Contains("'slower:0'"));
}

TEST_CASE("An integer of the batch that is no row number is refused", "[replicate]") {
  const std::string text = with(kDense, "apply = ApplyGradientDescent(w, rate, g/w)",
                                "count = Size(h) i32[] +T=f32 +out_type=i32\n"
                                "    count/float = Cast(count, ^g/w) f32[] +SrcT=i32 +DstT=f32\n"
                                "    slower = Mul(rate, count/float) f32[] +T=f32\n"
                                "    apply = ApplyGradientDescent(w, slower, g/w)");
  CHECK_THAT(refusal(text, dense_options()),
             Contains("'count/float' (Cast)") && Contains("no row numbers"));
}

TEST_CASE("Options that contradict themselves are refused before the graph is read",
          "[replicate]") {
  ReplicateOptions options = dense_options();
  options.devices = {"gpu 0"};
  CHECK_THAT(validate(options).error().message, Contains("{devices}: 'gpu 0' is no device"));
  options.devices = {"/device:foo bar:0"};
  CHECK_THAT(validate(options).error().message, Contains("'/device:foo bar:0' is no device"));
  options.devices.clear();
  CHECK_THAT(validate(options).error().message, Contains("{devices} is missing"));
  options = dense_options();
  options.split.clear();
  CHECK_THAT(validate(options).error().message, Contains("{split} is missing"));
  options = dense_options();
  options.train_op.clear();
  CHECK_THAT(validate(options).error().message, Contains("expected one of them"));
  options.metrics = {"mse=value"};
  CHECK_THAT(validate(options).error().message, Contains("NAME=VALUE_TENSOR=UPDATE_OP"));
  options.metrics.clear();
  options.predictions = {"=x"};
  CHECK_THAT(validate(options).error().message, Contains("KEY=TENSOR"));
}

// The forward pass goes through a loop; `body` makes "l/body".
std::string looping(const std::string& body) {
  return with(kDense, "d = Sub(h, y)",
              "seen = VariableV2() +dtype=f32 +shape=[?,2]\n"
              "    l/seen = Enter(seen) +T=f32 +frame_name='l' +is_constant=true\n"
              "    l/enter = Enter(h) f32[?,2] +T=f32 +frame_name='l'\n"
              "    l/merge = Merge(l/enter, l/next) f32[?,2] i32[] +T=f32\n"
              "    l/flag = Const(^l/merge) bool[] +dtype=bool\n"
              "    l/cond = LoopCond(l/flag) bool[]\n"
              "    l/switch = Switch(l/merge, l/cond) f32[?,2] f32[?,2] +T=f32\n    " +
                  body +
                  "\n    l/next = NextIteration(l/body) f32[?,2] +T=f32\n"
                  "    l/exit = Exit(l/switch) f32[?,2] +T=f32\n"
                  "    d = Sub(l/exit, y)");
}

TEST_CASE("A write inside of a loop is refused", "[replicate]") {
  CHECK_THAT(
      refusal(looping("l/body = AssignAdd(l/seen, l/switch:1) f32[?,2] +T=f32"), dense_options()),
      Contains("op 'l/body' (AssignAdd) is needed by every tower, and writes a variable inside a "
               "loop"));
}

TEST_CASE("A result inside of a loop is refused", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.predictions = {"p=l/body"};
  CHECK_THAT(refusal(looping("l/body = Tanh(l/switch:1) f32[?,2] +T=f32"), options),
             Contains("{predictions}: 'l/body:0' is inside a loop"));
}

TEST_CASE("A file that a tower reads is refused", "[replicate]") {
  const std::string text = with(kDense, "d = Sub(h, y)",
                                "file = Const() str[] +dtype=str\n"
                                "    kept = Restore(file, file) f32[?,2] +dt=f32\n"
                                "    h/kept = AddN(h, kept) f32[?,2] +T=f32 +N=2\n"
                                "    d = Sub(h/kept, y)");
  CHECK_THAT(refusal(text, dense_options()),
             Contains("op 'kept' (Restore) is needed by every tower, and reads or writes files"));
}

FunctionLibrary calling(const std::string& body) {
  FunctionLibrary library;
  library.functions["inner"].body = test::read_graph(body).graph;
  library.functions["outer"].body = test::read_graph("call = inner()\n").graph;
  return library;
}

TEST_CASE("A function that writes, or takes elements, is refused in a tower", "[replicate]") {
  const std::string text = with(kDense, "d = Sub(h, y)",
                                "called = outer(h) f32[?,2]\n"
                                "    d = Sub(called, y)");
  const FunctionLibrary writing_one = calling("v = _Arg()\nwrite = AssignVariableOp(v, v)\n");
  CHECK_THAT(refusal(text, dense_options(), &writing_one),
             Contains("op 'called' (outer) is needed by every tower, and calls the function "
                      "'inner', in which 'write' (AssignVariableOp) writes a variable"));
  const FunctionLibrary taking = calling("q = _Arg()\ntake = QueueDequeueV2(q)\n");
  CHECK_THAT(refusal(text, dense_options(), &taking),
             Contains("'take' (QueueDequeueV2) takes elements from a queue or data set"));
}

TEST_CASE("Tensors of unknown types cannot be split or aggregated", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.split = {"x", "y", "made_up"};
  CHECK_THAT(refusal(kDense + "made_up = MadeUp()\nread = Identity(made_up)\n", options),
             Contains("{split}: the type of 'made_up:0' is unknown"));
  options = dense_options();
  options.predictions = {"p=made_up"};
  CHECK_THAT(refusal(kDense + "made_up = MadeUp(h)\nread = Identity(made_up)\n", options),
             Contains("the type of 'made_up:0' is unknown; expected an op type with a signature"));
}

}  // namespace
}  // namespace tideline
