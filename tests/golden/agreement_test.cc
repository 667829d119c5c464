// On every graph: what is said about a plan, what it does, and what is simulated agree.
#include <set>

#include "core/io/functions.h"
#include "core/rewrite/lms2/simulate.h"
#include "core/rewrite/plan/diff.h"
#include "core/rewrite/policy.h"
#include "core/rewrite/predict.h"
#include "tests/golden/oracles.h"
#include "tests/support/lms_plans.h"

namespace tideline {
namespace {

Policy lms2_policy(int threshold, int sync_mode) {
  Policy policy;
  policy.rewriter = "lms2";
  set_value(policy, "swapout-threshold", threshold);
  set_value(policy, "swapin-ahead", 3);
  set_value(policy, "swapin-groupby", 2);
  set_value(policy, "sync-mode", sync_mode);
  return policy;
}

// With the scope of whatever the optimizer is called here; off when there is none.
Policy lms1_policy(const Graph& graph) {
  Policy policy;
  std::vector<std::string> scopes;
  for (const char* scope : {"adam_optimizer", "momentum_optimizer", "gradients", "optimizer"}) {
    bool any = false;
    for (const OpId op : graph.ops()) any = any || graph.name(op).starts_with(scope);
    if (!any) continue;
    policy.rewriter = "lms1";
    scopes.emplace_back(scope);
  }
  set_value(policy, "optimizer-scopes", std::move(scopes));
  return policy;
}

class Agreement {
 public:
  Agreement(const io::Document& document, const TensorOptions& sizes)
      : document_(document), sizes_(sizes) {
    faithful_ = sizes;
    faithful_.model = SizeModel::kFaithful;
  }

  // Every tensor has one reason, and those said to be swapped are those that go over the host.
  void check_plan(const Policy& policy) {
    Progress silent;
    const auto made =
        make_plan(document_.graph, document_.collections, sizes_, policy, true, silent);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    const RewritePlan& plan = made->plan;
    const auto tensors = TensorTable::build(document_.graph, sizes_);
    REQUIRE(tensors);
    std::set<TensorId> swapped;
    std::set<TensorId> all;
    std::size_t count = 0;
    for (const PlannedSwap& swap : plan.swaps()) {
      CHECK_FALSE(swap.why.empty());
      swapped.insert(swap.tensor);
    }
    all = swapped;
    for (const KeptTensor& kept : plan.report->kept()) {
      CHECK_FALSE(kept.why.empty());
      all.insert(kept.tensor);
    }
    for (const OpId op : document_.graph.ops()) count += tensors->output_count(op);
    CHECK(all.size() == count);
    CHECK(plan.swaps().size() + plan.report->kept().size() == count);
    check_rewritten(plan, swapped);
    swaps_ += swapped.size();
  }

  // What the search says of its parameters is what a simulation of them says.
  void check_search(bool is_faithful, double share) {
    Policy policy = lms2_policy(-1, 0);
    set_value(policy, "swapin-ahead", -1);
    set_value(policy, "swapin-groupby", -1);
    policy.search.is_faithful = is_faithful;
    policy.budget = MemoryBudget{Bytes{1} << 60U};
    Progress silent;
    const auto roomy = tune(document_.graph, document_.collections, sizes_, policy, silent);
    if (!roomy) return;  // a loop, which is refused
    // From `share` 1 on everything fits without swaps; a little below that, not any more.
    const double needed = static_cast<double>(roomy->prediction.device_peak) * share;
    const Bytes beside = is_faithful ? 0 : roomy->trainable_bytes;
    policy.budget->device = beside + static_cast<Bytes>(needed);
    policy.budget->ratio = 1.0;
    const auto tuned = tune(document_.graph, document_.collections, sizes_, policy, silent);
    REQUIRE(tuned);
    if (!tuned->found || tuned->already_edited) return;
    const auto made =
        make_plan(document_.graph, document_.collections, sizes_, policy, false, silent);
    REQUIRE(made);
    CHECK(made->tuned->values == tuned->values);
    if (is_faithful) {
      const PlanPrediction predicted =
          test::predict(document_, sizes_, made->plan, policy.search.run);
      CHECK(predicted.device_peak_bytes == tuned->prediction.peak_by_steps);
      CHECK(predicted.host_peak_bytes == tuned->prediction.host_peak);
      CHECK(static_cast<std::int64_t>(made->plan.swaps().size()) ==
            tuned->prediction.swapped_out_tensors);
    } else {
      const auto simulated = made->used.chosen()->count_step(
          {&document_.graph, &document_.collections, sizes_}, made->used.values, tuned->necessary);
      REQUIRE(simulated);
      const MemoryTimeline& timeline = tuned->necessary ? *simulated->after : simulated->before;
      CHECK(timeline.device_peak == tuned->prediction.device_peak);
      CHECK(timeline.host_peak == tuned->prediction.host_peak);
    }
    if (tuned->necessary) ++searches_;
  }

  [[nodiscard]] std::size_t swaps() const { return swaps_; }
  [[nodiscard]] int searches() const { return searches_; }

 private:
  void check_rewritten(const RewritePlan& plan, const std::set<TensorId>& swapped) {
    const auto rewritten = apply(document_.graph, plan);
    REQUIRE(rewritten);
    const GraphDiff diff = diff_graphs(document_.graph, *rewritten);
    CHECK(diff.violations.empty());
    std::set<std::string> carried;
    for (const auto& change : diff.rerouted) carried.insert(change.carries);
    std::set<std::string> said;
    for (const TensorId tensor : swapped) said.insert(document_.graph.tensor_name(tensor));
    CHECK(carried == said);
    const PlanPrediction predicted = test::predict(document_, sizes_, plan);
    const auto tensors = TensorTable::build(*rewritten, faithful_);
    REQUIRE(tensors);
    StepOptions options;
    options.functions = sizes_.functions;
    const auto step = build_step_graph(*rewritten, *tensors, document_.collections, options);
    REQUIRE(step);
    const MemoryTimeline afresh = simulate_step(*step).timeline;
    CHECK(predicted.device_peak_bytes == afresh.device_peak);
    CHECK(predicted.host_peak_bytes == afresh.host_peak);
  }

  const io::Document& document_;
  TensorOptions sizes_;
  TensorOptions faithful_;
  std::size_t swaps_ = 0;
  int searches_ = 0;
};

}  // namespace

TEST_CASE("on every graph, reasons, rewrites, simulations and searches agree") {
  std::size_t swaps = 0;
  int searches = 0;
  for (const auto& path : test::graph_files()) {
    INFO(path.filename());
    const io::Document document = test::open_graph(path);
    Diagnostics unreadable;
    const FunctionLibrary library = io::read_functions(document, unreadable);
    TensorOptions sizes;
    sizes.batch_size = 4;
    sizes.functions = &library;
    if (path.filename() == "lstm.meta") sizes.rounds = {{"rnn/while", 20}};
    Agreement agreement(document, sizes);
    for (const int sync_mode : {0, 1, 2, 3}) agreement.check_plan(lms2_policy(10, sync_mode));
    if (const Policy lms1 = lms1_policy(document.graph); lms1.rewriter == "lms1") {
      Policy fused = lms1;
      set_value(fused, "fuse-swapins", true);
      set_value(fused, "swap-branches", true);
      set_value(fused, "ctrld-strategy", "direct_order");
      agreement.check_plan(lms1);
      agreement.check_plan(fused);
    }
    if (document.graph.op_count() < 3000) {
      for (const bool is_faithful : {false, true}) {
        for (const double share : {1.1, 0.99, 0.9}) agreement.check_search(is_faithful, share);
      }
    }
    swaps += agreement.swaps();
    searches += agreement.searches();
  }
  CHECK(swaps > 9000);
  CHECK(searches > 25);
}

}  // namespace tideline
