// Lists that loops keep for their gradients: found, told and swapped.
#include "core/analysis/loop_lists.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/analysis/swap_copies.h"
#include "core/rewrite/plan/plan_json.h"
#include "tests/unit/rewrite/plan_text.h"

namespace tideline {
namespace {

using Catch::Matchers::Contains;
using test::Texts;

Function function(std::string_view body) {
  Function made{test::read_graph(body).graph, {}, {}};
  for (const OpId op : made.body.ops()) {
    if (made.body.type(op) == "_Arg") made.arguments.push_back(op);
    if (made.body.type(op) == "_Retval") made.results.push_back(op);
  }
  return made;
}

constexpr const char* kCounted = "c = Less(i, limit) +T=i32";
constexpr const char* kUncounted = "c = MadeUp(x)";

// Forward, a list gets a tensor of 256 bytes in each round; backward, it gives one away.
FunctionLibrary library(std::string_view condition) {
  const std::string arguments = "i = _Arg()\nlimit = _Arg()\nlist = _Arg()\nx = _Arg()\n";
  const std::string counter =
      "one = Const() +value=i32[]{1}\nnext = AddV2(i, one) +T=i32\nr0 = _Retval(next)\n"
      "same = Identity(limit)\nr1 = _Retval(same)\n";
  FunctionLibrary made;
  made.functions.emplace("cond",
                         function(arguments + std::string(condition) + "\nr = _Retval(c)\n"));
  made.functions.emplace("put", function(arguments + counter + R"(
    y = Tanh(x)
    put = TensorListPushBack(list, y)
    r2 = _Retval(put)
    r3 = _Retval(y)
  )"));
  made.functions.emplace("take", function(arguments + counter + R"(
    shape = Const() +value=i32[2]{4,16}
    pop = TensorListPopBack(list, shape) +element_dtype=f32
    d = Mul(x, pop:1)
    r2 = _Retval(pop)
    r3 = _Retval(d)
  )"));
  return made;
}

constexpr std::string_view kStep = R"(
  x = Placeholder() f32[4,16]
  w = VariableV2() f32[16,16]
  w_read = Identity(w) f32[16,16]
  h = MatMul(x, w_read) f32[4,16]
  zero = Const() +value=i32[]{0}
  limit = Const() +value=i32[]{40}
  shape = Const() +value=i32[2]{4,16}
  open = Const() +value=i32[]{-1}
  list = EmptyTensorList(shape, open) +element_dtype=f32
  loop = StatelessWhile(zero, limit, list, h) +cond=&cond +body=&put +T=(i32,i32,variant,f32)
  a1 = Softmax(loop:3) f32[4,16]
  a2 = Softmax(a1) f32[4,16]
  a3 = Softmax(a2) f32[4,16]
  axes = Const() +value=i32[2]{0,1}
  loss = Mean(a3, axes) f32[]
  gradient_tape/seed = Fill(shape, loss) f32[4,16]
  gradient_tape/g3 = Mul(gradient_tape/seed, a3) f32[4,16]
  gradient_tape/g2 = Mul(gradient_tape/g3, a2) f32[4,16]
  gradient_tape/back = StatelessWhile(zero, limit, loop:2, gradient_tape/g2) +cond=&cond +body=&take +T=(i32,i32,variant,f32)
  gradient_tape/d_w = MatMul(x, gradient_tape/back:3) f32[16,16]
  c = Const() f32[]
  apply = ApplyGradientDescent(w, c, gradient_tape/d_w)
)";

struct Step {
  io::Document document;
  FunctionLibrary functions;
  explicit Step(std::string_view condition = kCounted)
      : document(test::read_graph(kStep)), functions(library(condition)) {}

  [[nodiscard]] const Graph& graph() const { return document.graph; }
  [[nodiscard]] LoopLists lists(std::vector<GivenRounds> rounds = {}) const {
    return lists_of(document.graph, std::move(rounds));
  }
  [[nodiscard]] TensorTable sizes(const Graph& graph, std::vector<GivenRounds> rounds = {}) const {
    TensorOptions options;
    options.model = SizeModel::kFaithful;
    options.functions = &functions;
    options.rounds = std::move(rounds);
    auto tensors = TensorTable::build(graph, options);
    REQUIRE(tensors);
    return *std::move(tensors);
  }
  [[nodiscard]] LoopLists lists_of(const Graph& graph, std::vector<GivenRounds> rounds = {}) const {
    return LoopLists::find(GraphFacts(graph, &functions), sizes(graph, std::move(rounds)));
  }
  [[nodiscard]] Lms2Options options(bool swap_lists = true) const {
    Lms2Options made = test::parameters(2, 1, 0);
    made.functions = &functions;
    made.swap_lists = swap_lists;
    return made;
  }
  [[nodiscard]] Bytes peak_of(const Graph& graph) const {
    const auto step = build_step_graph(graph, sizes(graph), document.collections,
                                       {{}, {}, &functions, nullptr, nullptr, kAsInFile});
    REQUIRE(step);
    return simulate_step(*step).timeline.device_peak;
  }
};

const PlannedSwap* list_swap(const Step& step, const LmsPlan& plan) {
  const TensorId list{test::op(step.document, "loop"), 2};
  for (const PlannedSwap& swap : plan.swaps) {
    if (swap.tensor == list) return &swap;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("a list that a loop stacks for its gradient is found with elements and rounds") {
  const Step step;
  CHECK(may_have_loop_lists(step.graph()));
  const LoopLists lists = step.lists();
  REQUIRE(lists.all().size() == 1);
  const LoopList& list = lists.all()[0];
  CHECK(step.graph().tensor_name(list.tensor) == "loop:2");
  CHECK(list.readers == std::vector<OpId>{test::op(step.document, "gradient_tape/back")});
  CHECK(list.element_bytes == 256);
  CHECK(list.elements == 40);
  CHECK(list.bytes == 40 * 256);
  CHECK(lists.of(list.tensor) == &list);
  CHECK(lists.of({list.tensor.op, 3}) == nullptr);
  CHECK(loop_lists_text(step.graph(), lists) ==
        Texts{"1 list that loops keep for their gradients: 10.00 KiB",
              "  loop:2 (10.00 KiB): a list of 40 elements of 256 B, read by gradient_tape/back"});
}

TEST_CASE("a list of unknown rounds is said to be one, and counted when rounds are given") {
  const Step step(kUncounted);
  const LoopLists lists = step.lists();
  REQUIRE(lists.all().size() == 1);
  CHECK(lists.all()[0].element_bytes == 256);
  CHECK_FALSE(lists.all()[0].elements);
  CHECK(lists.bytes() == 0);
  CHECK(lists.unknown_count() == 1);
  CHECK_THAT(loop_lists_text(step.graph(), lists)[0], Contains("1 of them of unknown size"));
  CHECK_THAT(loop_lists_text(step.graph(), lists)[1],
             Contains("a list of unknown rounds, 256 B in each"));
  CHECK(step.lists({{"loop", 12}}).bytes() == 12 * 256);
}

TEST_CASE("without a gradient, and without loops, there are no such lists") {
  const Step step;
  CHECK(step.lists_of(test::read_graph("x = Placeholder() f32[2,4]\n").graph).empty());
  const io::Document forward =
      test::read_graph(kStep.substr(0, kStep.find("  gradient_tape/seed =")));
  CHECK(step.lists_of(forward.graph).empty());
}

TEST_CASE("a list stays unless lists are swapped, and the reason says what it holds") {
  const Step step;
  Lms2Options options = step.options(false);
  options.explain = true;
  const LmsPlan plan = test::plan_of(step.document, options);
  CHECK(list_swap(step, plan) == nullptr);
  const auto kept =
      std::find_if(plan.not_swapped.begin(), plan.not_swapped.end(), [&](const KeptTensor& tensor) {
        return step.graph().tensor_name(tensor.tensor) == "loop:2";
      });
  REQUIRE(kept != plan.not_swapped.end());
  CHECK(kept->bytes == 40 * 256);
  CHECK(kept->why ==
        "a list of 40 elements of 256 B; a loop keeps it for its gradient, and swap-lists is off");
}

TEST_CASE("a list is swapped as one value between the loop and its gradient") {
  const Step step;
  const LmsPlan plan = test::plan_of(step.document, step.options());
  const PlannedSwap* swap = list_swap(step, plan);
  REQUIRE(swap != nullptr);
  CHECK(swap->bytes == 40 * 256);
  REQUIRE(plan.lists.size() == 1);
  CHECK(plan.lists[0].tensor == swap->tensor);
  CHECK(plan.lists[0].elements == 40);
  CHECK_THAT(swap->why, Contains("a list of 40 elements of 256 B"));
  REQUIRE(swap->swap_ins.size() == 1);
  CHECK(swap->swap_ins[0].consumers ==
        std::vector<OpId>{test::op(step.document, "gradient_tape/back")});
  CHECK(swap->swap_ins[0].trigger.valid());
  const auto written = apply(step.graph(), plan);
  REQUIRE(written);
  CHECK(written->type(swap->swap_out) == "Identity");
  CHECK(written->device(swap->swap_out) == "/cpu:0");
  CHECK(written->attribute(swap->swap_out, "T").value()->type == DataType::kVariant);
  CHECK(find_swap_copies(*written).of(swap->tensor) != nullptr);
  CHECK(step.lists_of(*written).of(swap->tensor) != nullptr);
}

TEST_CASE("a written graph has the bytes and the peak that the plan with a list predicts") {
  const Step step;
  const LmsPlan plan = test::plan_of(step.document, step.options());
  const auto written = apply(step.graph(), plan);
  REQUIRE(written);
  const PlannedSwap* swap = list_swap(step, plan);
  REQUIRE(swap != nullptr);
  const TensorTable sizes = step.sizes(*written);
  CHECK(sizes.bytes({swap->swap_out, 0}) == 40 * 256);
  CHECK(sizes.bytes({swap->swap_ins[0].copy, 0}) == 40 * 256);
  const auto before =
      build_step_graph(step.graph(), step.sizes(step.graph()), step.document.collections,
                       {{}, {}, &step.functions, nullptr, nullptr, kAsInFile});
  REQUIRE(before);
  const FaithfulStep predicted = test::predict_step(*before, step.graph(), plan, {});
  CHECK(predicted.timeline.device_peak == step.peak_of(*written));
  CHECK(predicted.timeline.bytes_out >= 40 * 256);
}

TEST_CASE("plans say that copies of lists were not tried, and which are of unknown size") {
  const Step step(kUncounted);
  const LmsPlan plan = test::plan_of(step.document, step.options());
  REQUIRE(list_swap(step, plan) != nullptr);
  CHECK(list_swap(step, plan)->bytes == 0);
  const auto text_of = [&](std::string_view kind) {
    for (const Warning& warning : plan.warnings) {
      if (warning.kind == kind) return warning.text;
    }
    return std::string();
  };
  CHECK_THAT(text_of("not tried"), Contains("1 list of a loop is swapped"));
  CHECK_THAT(text_of("loop"), Contains("1 swapped list is of unknown size"));
}

TEST_CASE("the JSON of a plan says what a swapped list holds") {
  const Step step;
  RewritePlan made = finished(step.graph(), test::plan_of(step.document, step.options()));
  nlohmann::ordered_json json;
  made.report->add_json(step.graph(), made.edit, nullptr, json);
  nlohmann::ordered_json found;
  for (const auto& swap : json["swaps"]) {
    if (swap["tensor"] == "loop:2") found = swap;
  }
  CHECK(found["bytes"] == 40 * 256);
  CHECK(found["list"]["elements"] == 40);
  CHECK(found["list"]["element_bytes"] == 256);
}

TEST_CASE("Grappler's copies are not of lists") {
  const Step step;
  Lms2Options options = step.options();
  options.copy_mode = CopyMode::kGrappler;
  Progress silent;
  const auto refused = plan_lms2(step.graph(), step.document.collections, options, silent);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Contains("of tensors, not of lists"));
}

}  // namespace tideline
