#include "core/memory/step_time.h"

#include <catch2/catch.hpp>

#include "core/memory/step_time_text.h"
#include "core/rewrite/predict.h"
#include "tests/support/graph_text.h"
#include "tests/support/lms_plans.h"

namespace tideline {
namespace {

const char* const kThreeOps = R"(
  a = MadeUp() f32[16,16]
  b = MadeUp(a) f32[16,16]
  c = MadeUp(b) f32[16,16]
)";

struct Step {
  explicit Step(const char* text) : document(test::read_graph(text)) {
    const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
    REQUIRE(tensors);
    auto built = build_step_graph(document.graph, *tensors, {}, {});
    REQUIRE(built);
    graph = *std::move(built);
    simulated = simulate_step(graph);
  }
  io::Document document;
  StepGraph graph;
  FaithfulStep simulated;
};

// 1,024 bytes written, and twice read and written.
DeviceProfile one_ns_a_byte() {
  DeviceProfile profile;
  profile.name = "made up";
  profile.memory_bytes_per_s = 1e9;
  return profile;
}

}  // namespace

TEST_CASE("times that are guessed are told as a wide range") {
  const Step step(kThreeOps);
  const TimeReport report = report_time(step.graph, step.simulated, CostModel(one_ns_a_byte()));
  CHECK(report.before_ns == 5 * 1024);
  CHECK(report.after.guessed_ops == 3);
  CHECK(report.after.assumed_ops == 0);
  CHECK(report.after_range.least_ns == 5 * 1024 / 4);
  CHECK(report.after_range.most_ns == 5 * 1024 * 4);
  CHECK(step_text(report, false) == "step 5 us");
  CHECK(range_text(report) == "between 1 us and 20 us");
  CHECK(basis_text(report.after, one_ns_a_byte()) ==
        "op times: 3 guessed from bytes alone (profile made up)");
}

TEST_CASE("times that follow from flops and bytes are near those of real kernels") {
  const Step step(kThreeOps);
  DeviceProfile roofline = one_ns_a_byte();
  roofline.flops_per_s = {{DataType::kFloat, 1e12}};
  const TimeReport report = report_time(step.graph, step.simulated, CostModel(roofline));
  CHECK(report.after.assumed_ops == 3);
  CHECK(report.after_range.least_ns == 5 * 1024 * 3 / 4);
  CHECK(report.after_range.most_ns == 5 * 1024 * 3 / 2);
}

TEST_CASE("times that were all measured have no range") {
  const Step step(kThreeOps);
  const std::vector<std::int64_t> measured = {5'000'000, 6'000'000, 7'000'000};
  const TimeReport report =
      report_time(step.graph, step.simulated, CostModel(one_ns_a_byte(), measured));
  CHECK(report.after.measured_ops == 3);
  CHECK(report.before_ns == 18'000'000);
  CHECK(range_text(report).empty());
}

TEST_CASE("a traced step takes what it took, whatever ran beside its ops") {
  const Step step(kThreeOps);
  const std::vector<std::int64_t> measured = {5'000'000, 6'000'000, 7'000'000};
  const CostModel costs(one_ns_a_byte(), measured, 30'000'000);
  const TimeReport report = report_time(step.graph, step.simulated, costs);
  CHECK(report.before_ns == 30'000'000);
  CHECK(report.after.compute_ns == 18'000'000);
  CHECK(report.after.rest_ns == 12'000'000);
  CHECK(range_text(report).empty());
  CHECK(basis_text(report.after, one_ns_a_byte())
            .starts_with("op times: 3 measured, 12 ms of the traced step beside them"));
}

TEST_CASE("an op that a traced step needed and did not run was a part of others") {
  Step step(kThreeOps);
  const std::vector<std::int64_t> fused = {5'000'000, -1, 7'000'000};
  const CostModel costs(one_ns_a_byte(), fused, 30'000'000);
  step.graph.fetches = {OpId{2}};
  step.graph.fetch_rule = FetchRule::kNamed;
  CHECK(report_time(step.graph, step.simulated, costs).after.step_ns() == 30'000'000);
  CHECK(report_time(step.graph, step.simulated, costs).after.guessed_ops == 0);
  // Of another step, whose fetch did not run, nothing is known but the times of its ops.
  step.graph.fetches = {OpId{1}};
  const StepTime other = report_time(step.graph, step.simulated, costs).after;
  CHECK(other.rest_ns == 0);
  CHECK(other.guessed_ops == 1);
  // Where nothing says what a step is for, the trace says what has run.
  step.graph.fetches = {OpId{0}, OpId{1}, OpId{2}};
  step.graph.fetch_rule = FetchRule::kAll;
  CHECK(report_time(step.graph, step.simulated, costs).after.step_ns() == 30'000'000);
  // A training op that only waits for the others has no row of its own in every trace.
  Step waits("a = MadeUp() f32[16,16]\n b = MadeUp(a) f32[16,16]\n train = NoOp(^a, ^b)");
  waits.graph.fetches = {OpId{2}};
  waits.graph.fetch_rule = FetchRule::kNamed;
  const std::vector<std::int64_t> all = {5'000'000, 7'000'000, -1};
  CHECK(report_time(waits.graph, waits.simulated, CostModel(one_ns_a_byte(), all, 30'000'000))
            .after.step_ns() == 30'000'000);
  const std::vector<std::int64_t> not_b = {5'000'000, -1, -1};
  CHECK(report_time(waits.graph, waits.simulated, CostModel(one_ns_a_byte(), not_b, 30'000'000))
            .after.rest_ns == 0);
}

TEST_CASE("waiting for copies has the step without them as its base") {
  const Step step(R"(
    a = MadeUp() f32[16,16]
    b = MadeUp(a) f32[16,16]
    c = MadeUp(b) f32[16,16]
    d = MadeUp(c) f32[16,16]
    e = MadeUp(d, a) f32[16,16]
  )");
  LmsPlan plan;
  plan.edit.rerouted = {};
  SwapCopy out;
  out.name = "out";
  out.device = "/cpu:0";
  out.input = {OpId{0}, 0};
  out.type = DataType::kFloat;
  const OpId swap_out = add_swap_copy(step.document.graph, out, plan.edit);
  SwapCopy in = out;
  in.name = "in";
  in.input = {swap_out, 0};
  const OpId swap_in = add_swap_copy(step.document.graph, in, plan.edit);
  plan.edit.rerouted.push_back({OpId{4}, 1, {OpId{0}, 0}, {swap_in, 0}});
  const StepGraph changed = edited(step.graph, step.document.graph, plan.edit, std::nullopt);
  DeviceProfile profile = one_ns_a_byte();
  profile.to_host = {0.1e9, 0};    // 10,240 ns
  profile.to_device = {0.1e9, 0};  // as long
  const CostModel costs(profile);
  const TimeReport without = report_time(step.graph, step.simulated, costs);
  const TimeReport report = report_time(without, changed, simulate_step(changed), costs);
  CHECK(report.before_ns == 10 * 1024);
  // a is there at 1,024, back at 21,504; then e takes 3,072.
  CHECK(report.after.step_ns() == 1024 + 2 * 10'240 + 3 * 1024);
  CHECK(report.factor() == Approx(24'576.0 / 10'240));
  CHECK(step_text(report, true) == "step 10 us -> 25 us (2.40 x)");
  CHECK(copies_text(report.after) ==
        "copies to host 10 us, to device 10 us; 1 swap-ins late, waiting adds 14 us");
}

TEST_CASE("what waits for memory and what would be held is told in words") {
  TimeReport report;
  report.held = Bytes{5} << 30;
  CHECK(memory_text(report, Bytes{5} << 30).empty());
  CHECK(memory_text(report, Bytes{4} << 30) ==
        "while its copies run the step holds up to 5.00 GiB");
  report.after.budget = Bytes{4} << 30;
  CHECK(memory_text(report, Bytes{4} << 30) == "without waiting the step would hold 5.00 GiB");
  report.after.memory_waits = {{OpId{1}, 10, 2'000'000, {}, false},
                               {OpId{2}, 10, 10'000'000, {}, true}};
  report.after.memory_ns = 12'000'000;
  CHECK(memory_text(report, Bytes{4} << 30) ==
        "2 ops wait 12 ms for memory; without waiting the step would hold 5.00 GiB");
  report.after.stuck = StuckStep{OpId{1}, Bytes{4} << 30, {}};
  CHECK(
      stuck_text(report.after) ==
      "the step gets stuck within 4.00 GiB: ops wait for memory that nothing gives back, the next "
      "one would hold 4.00 GiB");
}

}  // namespace tideline
