#include "core/memory/measured/compare_measured.h"

#include <catch2/catch.hpp>

#include "core/memory/measured/measured_run.h"
#include "core/memory/step_time.h"
#include "tests/support/compared_run.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

constexpr const char* kGraph = R"(
  a = MadeUp() f32[4,16]
  b = Relu(a) f32[4,16]
  c = MadeUp(b) f32[?,16]
)";

struct Compared {
  io::Document document;
  MeasuredRun run;

  explicit Compared(std::string_view text, std::string_view graph = kGraph)
      : document(test::read_graph(graph)), run(test::compared_run(document, text)) {}
  // "b:0 256/0 reason" for each difference at the peak.
  [[nodiscard]] std::vector<std::string> at_peak() const {
    std::vector<std::string> all;
    for (const MemoryDifference& entry : run.comparison().at_peak) {
      all.push_back(fmt::format(
          "{}:{} {}/{} {}", run.trace.ops[run.step().executions[entry.execution].row].name,
          entry.slot, entry.measured, entry.model, difference_reason_text(entry.reason)));
    }
    return all;
  }
};

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a run that does what the model does differs nowhere") {
  const Compared run(R"(
    a = MadeUp() | 10+5 | 0:256&1#1 | +256@11 -256@40
    b = Relu(a) | 20+5 | 0:256&1#1
    c = MadeUp(b) | 30+5 | 0:512[8,16]&2#1 | +512@31 -512@41
  )");
  CHECK(run.run.comparison().model == std::vector<Bytes>{256, 256, 768});
  CHECK(run.run.step().live == std::vector<Bytes>{256, 256, 768});
  CHECK(run.run.comparison().model_at_peak == 768);
  CHECK(run.at_peak().empty());
  CHECK(run.run.comparison().own_order_peak == 768);
  REQUIRE(run.run.levels.size() == 3);
  CHECK(run.run.levels[2].measured == 768);
  CHECK(run.run.levels[2].model == 768);
}

TEST_CASE("a difference has a reason, and the parts add up to the deviation") {
  const Compared run(R"(
    a = MadeUp() | 10+5 | 0:256&1#1 | +256@11 -256@50
    extra = MadeUp() | 12+1 | 0:30&7#1 | +30@12
    b = Relu(a) | 20+5 | 0:256&4#1 | +256@21 -256@60
    c = MadeUp(b) | 30+9 | 0:512&2#2 1:7&3#3 | +40@31 +512@32 +7@32 -40@33 -512@61
  )");
  CHECK(run.run.step().peak == 256 + 30 + 256 + 40 + 512 + 7);
  CHECK(run.run.comparison().model_at_peak == 768);
  CHECK(run.run.comparison().model_with_scratch_at_peak == 768 + 40);
  CHECK(run.at_peak() == Lines{"b:0 256/0 shares a buffer in the model, not in the run",
                               "c:-1 40/0 scratch memory that the model does not have",
                               "extra:-1 30/0 of an op that is not in the graph",
                               "c:1 7/0 an output that the op does not have in the graph"});
}

TEST_CASE("what the run shares, keeps or frees otherwise is told apart") {
  const Compared shared(R"(
    a = MadeUp() | 10+5 | 0:256&1#1 | +256@11 -256@40
    b = Relu(a) | 20+5 | 0:256&1#1
    c = MadeUp(b) | 30+5 | 0:256&1#1
    d = MadeUp(c) | 40+5 | 0:9&2#1 | +9@41
  )",
                        R"(
    a = MadeUp() f32[4,16]
    b = Relu(a) f32[4,16]
    c = MadeUp(b) f32[4,16]
    d = MadeUp(c, b) f32[4]
  )");
  CHECK(shared.run.step().peak == 256);
  CHECK(shared.run.comparison().model_peak == 521);
  const Compared kept(R"(
    a = MadeUp() | 10+5 | 0:256&1#1 | +256@11 -256@90
    b = MadeUp(a) | 20+50 | 0:4&2#1 | +4@21
    c = MadeUp() | 30+5 | 0:300&3#1 | +300@31
  )",
                      R"(
    a = MadeUp() f32[4,16]
    b = MadeUp(a) f32[1]
    c = MadeUp(^b) f32[75]
    d = MadeUp(b, c) f32[1]
  )");
  CHECK(kept.at_peak() ==
        Lines{"a:0 256/0 its last reader was still running", "b:0 4/0 kept longer in the run"});
}

TEST_CASE("a trace of another graph is refused") {
  const io::Document document = test::read_graph(kGraph);
  const auto run = measure_run(document.graph, test::read_trace("other = Relu(x) | 1+1"), {});
  REQUIRE(!run);
  CHECK(run.error().code == Code::kInvalidArgument);
}

TEST_CASE("the largest size of a tensor counts, and fills in for what was not measured") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder() f32[?,16]
    a = Relu(x) f32[?,16]
    gone = Relu(a) f32[?,16]
  )");
  const StepTrace trace = test::read_trace(R"(
    _arg_x_0_0 = _Arg() | 1+1 | 0:512[8,16]&0#0!
    a = Relu(x) | 2+1 | 0:320[5,16]&1#1
    a = Relu(x) | 3+1 | 0:512[8,16]&1#1
  )");
  const MeasuredSizes sizes = measured_sizes(document.graph, trace);
  REQUIRE(sizes.sizes.size() == 2);
  CHECK(sizes.sizes[1].bytes == 512);
  for (const SizeModel model : {SizeModel::kCompatible, SizeModel::kFaithful}) {
    const auto tensors = TensorTable::build(document.graph, {.model = model, .measured = &sizes});
    REQUIRE(tensors);
    CHECK(tensors->bytes({OpId{0}, 0}) == 512);
    CHECK(tensors->bytes({OpId{1}, 0}) == 512);
    CHECK(tensors->bytes({OpId{2}, 0}) == 512);
    CHECK(tensors->unknown_count() == 0);
  }
}

TEST_CASE("sizes that contradict the file, or fit no tensor, do no harm") {
  const io::Document document = test::read_graph("a = MadeUp() f32[4]");
  MeasuredSizes sizes;
  sizes.sizes = {{{OpId{0}, 0}, 99, DataType::kFloat, Shape::of({3, 3})},
                 {{OpId{0}, 7}, 1, DataType::kFloat, {}},
                 {{OpId{9}, 0}, 1, DataType::kFloat, {}}};
  const auto tensors = TensorTable::build(document.graph, {.measured = &sizes});
  REQUIRE(tensors);
  CHECK(tensors->bytes({OpId{0}, 0}) == 99);
}

TEST_CASE("measured times and scratch memory count instead of guesses") {
  const Compared run(R"(
    a = MadeUp() | 10+5 | 0:256&1#1 | +256@11 +64@12 -64@13 -256@40
    b = Relu(a) | 20+6 | 0:256&1#1
  )");
  const auto tensors = TensorTable::build(run.document.graph, {.measured = &run.run.sizes});
  REQUIRE(tensors);
  StepOptions options;
  options.measured = &run.run.sizes;
  options.fetches = {"c"};  // did not run then: its time is not known
  const auto step = build_step_graph(run.document.graph, *tensors, {}, options);
  REQUIRE(step);
  const FaithfulStep simulated = simulate_step(*step);
  CHECK(simulated.timeline.device[0] == 256 + 64);
  CHECK(simulated.timeline.device[1] == 256);
  const StepTime time =
      estimate_time(*step, simulated, CostModel(*built_in_profile("pcie3"), run.run.sizes.op_ns));
  CHECK(time.measured_ops == 2);
  CHECK(time.guessed_ops == 1);
  CHECK(time.compute_ns >= 11'000);
  CHECK(time.compute_ns < 12'000);
}

}  // namespace tideline
