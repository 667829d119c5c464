#include "app/engine/sweep.h"

#include <catch2/catch.hpp>

#include "app/engine/device_result.h"
#include "app/engine/read_graph.h"
#include "app/engine/replanner.h"

namespace tideline {
namespace {

app::SizedGraph residual_at(std::int64_t batch) {
  Progress silent;
  const auto read =
      app::read_graph({.path = TIDELINE_SOURCE_DIR "/assets/samples/residual.meta"}, silent);
  REQUIRE(read);
  app::SizedGraph graph{*read};
  graph.batch_size = batch;
  return graph;
}

app::SweepRequest request_for(std::vector<std::string> varied, Bytes budget_mib = 0) {
  app::SweepRequest request;
  request.profile = *built_in_profile("v100");
  request.policy.rewriter = "lms2";
  set_value(request.policy, "swapout-threshold", std::int64_t{20});
  set_value(request.policy, "swapin-ahead", std::int64_t{3});
  set_value(request.policy, "swapin-groupby", std::int64_t{0});
  if (budget_mib > 0) request.policy.budget = MemoryBudget{budget_mib << 20U};
  request.policy.search.profile = request.profile;
  for (const std::string& text : varied) {
    request.varied.push_back(*parse_varied(*request.policy.chosen(), text));
  }
  return request;
}

app::Sweep sweep_of(const app::SizedGraph& graph, const app::SweepRequest& request) {
  Progress silent;
  auto found = app::sweep(graph, request, silent);
  INFO((found ? "" : found.error().message));
  REQUIRE(found);
  return *std::move(found);
}

// As `simulate` has it.
app::DeviceResult simulated(app::SizedGraph graph, const app::SweepRequest& request,
                            const app::SweepRow& row) {
  Progress silent;
  graph.batch_size = row.batch;
  const Policy policy = app::policy_of(request, row.values);
  const auto made = app::Replanner(graph).plan(policy, false, silent);
  REQUIRE(made);
  const auto tensors = graph.tensors(SizeModel::kFaithful);
  REQUIRE(tensors);
  const auto budget = app::step_budget(graph, policy);
  REQUIRE(budget);
  const auto result =
      app::simulate_device(graph, *tensors, step_options(policy, {}, &graph.source->functions),
                           graph.costs(request.profile), &made->plan, *budget);
  REQUIRE(result);
  return *result;
}

void check_rows(const app::SizedGraph& graph, const app::SweepRequest& request) {
  const app::Sweep found = sweep_of(graph, request);
  for (const app::SweepRow& row : found.rows) {
    const app::DeviceResult result = simulated(graph, request, row);
    const MemoryTimeline& step = result.result().timeline;
    CHECK(row.device_peak == step.device_peak);
    CHECK(row.host_peak == step.host_peak);
    CHECK(row.bytes_out == step.bytes_out);
    CHECK(row.bytes_in == step.bytes_in);
    CHECK(row.swapped_out_tensors == step.swapped_out_tensors);
    CHECK(row.swap_ins == step.swap_ins);
    CHECK(row.step_ns == result.timing.after.step_ns());
    CHECK(row.before_ns == result.timing.before_ns);
    CHECK(row.peak_before == result.peak_before());
    CHECK(row.late_swap_ins == static_cast<std::int64_t>(result.timing.after.late.size()));
    CHECK(row.budget == result.timing.after.budget);
    REQUIRE(row.stuck_at.has_value() == result.timing.after.stuck.has_value());
    if (row.stuck_at) CHECK(*row.stuck_at == result.timing.after.stuck->bytes);
  }
}

app::SweepRow row_of(Bytes peak, std::int64_t step_ns, std::optional<Bytes> budget = {}) {
  app::SweepRow row;
  row.device_peak = peak;
  row.step_ns = step_ns;
  row.budget = budget;
  return row;
}

}  // namespace

TEST_CASE("a row says what a simulation of its plan says", "[sweep]") {
  const app::SizedGraph graph = residual_at(4096);
  check_rows(graph, request_for({"swapout-threshold=5:25:10", "swapin-ahead=1,4"}));
  // Fits, waits, and gets stuck.
  check_rows(graph, request_for({"swapin-ahead=1,4", "device-memory=150MiB:450MiB:100MiB"}));
  check_rows(graph, request_for({"batch-size=512,2048", "sync-mode=0:3"}, 400));
}

TEST_CASE("many rows on several threads are those of one", "[sweep]") {
  const app::SizedGraph graph = residual_at(4096);
  const app::SweepRequest many = request_for({"swapout-threshold=1:40"});
  const app::Sweep found = sweep_of(graph, many);
  REQUIRE(found.rows.size() == 40);
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    const app::Sweep one =
        sweep_of(graph, request_for({"swapout-threshold=" + std::to_string(i + 1)}));
    CHECK(one.rows.front().values == found.rows[i].values);
    CHECK(one.rows.front().device_peak == found.rows[i].device_peak);
    CHECK(one.rows.front().step_ns == found.rows[i].step_ns);
  }
}

TEST_CASE("rows stand in the order of their values, whatever was done first", "[sweep]") {
  const app::SizedGraph graph = residual_at(4096);
  const app::Sweep found =
      sweep_of(graph, request_for({"swapin-ahead=1,4", "batch-size=512,2048"}));
  REQUIRE(found.rows.size() == 4);
  CHECK(found.rows[0].batch == 512);
  CHECK(found.rows[1].batch == 2048);
  CHECK(found.rows[2].batch == 512);
  CHECK(found.rows[2].values == std::vector<Value>{std::int64_t{4}, std::int64_t{512}});
  CHECK(found.rows[0].peak_before < found.rows[1].peak_before);
}

TEST_CASE("without a budget the lowest peak is the best, then the faster one", "[sweep]") {
  const std::vector<app::SweepRow> rows = {row_of(30, 1), row_of(20, 9), row_of(20, 8),
                                           row_of(20, 8)};
  CHECK(app::best_row(rows) == 2);
  CHECK_FALSE(rows[0].fits());
}

TEST_CASE("within a budget the fastest that fits is the best, then the lower one", "[sweep]") {
  std::vector<app::SweepRow> rows = {row_of(30, 1, 25), row_of(20, 9, 25), row_of(25, 7, 25),
                                     row_of(22, 7, 25), row_of(10, 3, 25)};
  rows.back().stuck_at = 26;
  CHECK(app::best_row(rows) == 3);
  CHECK(rows[0].fits() == false);
  CHECK(rows[2].fits() == true);
  CHECK(rows[4].fits() == false);
  rows.erase(rows.begin() + 1, rows.begin() + 4);
  CHECK_FALSE(app::best_row(rows));
}

TEST_CASE("batch sizes are compared by the time of an example", "[sweep]") {
  std::vector<app::SweepRow> rows = {row_of(10, 8, 50), row_of(20, 12, 50)};
  rows[0].batch = 2;  // 4 ns an example
  rows[1].batch = 4;  // 3 ns
  CHECK(app::best_row(rows) == 1);
}

TEST_CASE("what a step takes longer is a share of the step without the plan", "[sweep]") {
  app::SweepRow row = row_of(1, 150);
  row.before_ns = 100;
  CHECK(row.added_percent() == 50.0);
  row.before_ns = 0;
  CHECK(row.added_percent() == 0.0);
}

TEST_CASE("a sweep ends when it is cancelled", "[sweep]") {
  class Stops final : public Progress {
   public:
    bool report(std::string_view, std::int64_t, std::int64_t) override { return ++calls < 3; }
    int calls = 0;
  } stops;
  const auto found = app::sweep(residual_at(64), request_for({"swapout-threshold=1:40"}), stops);
  REQUIRE_FALSE(found);
  CHECK(found.error().code == Code::kCancelled);
}

}  // namespace tideline
