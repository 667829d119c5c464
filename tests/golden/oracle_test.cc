// What the reference did, against what we do: levels, swaps, groups, triggers, control edges.
#include <set>

#include "core/analysis/summary.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/plan/diff.h"
#include "core/rewrite/predict.h"
#include "tests/golden/oracles.h"
#include "tests/support/lms_plans.h"
#include "tests/support/same_step.h"

namespace tideline {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

using test::open_graph;
using test::read_json;

Lms2Options options_of(const Json& oracle) {
  Lms2Options options;
  const Json& params = oracle.at("params");
  options.swapout_threshold = params.value("swapout_threshold", -1);
  options.swapin_ahead = params.value("swapin_ahead", -1);
  options.swapin_groupby = params.value("swapin_groupby", -1);
  options.sync_mode = params.value("sync_mode", 0);
  if (params.contains("gpu_device")) options.gpu_device = params["gpu_device"];
  if (oracle.contains("batch_size") && !oracle["batch_size"].is_null()) {
    options.batch_size = oracle["batch_size"].get<std::int64_t>();
  }
  const Json filters = oracle.value("filters", Json::object());
  const auto filter = [&](const std::string& name) {
    return OpFilter{filters.value(name + "_by_scopes", Names{}),
                    filters.value(name + "_by_types", Names{})};
  };
  options.excl_output = filter("excl_output");
  options.excl_input = filter("excl_input");
  options.incl_output = filter("incl_output");
  options.incl_input = filter("incl_input");
  return options;
}

void check_facts(const io::Document& document, const Json& oracle, const Lms2Options& options) {
  const auto tensors = TensorTable::build(document.graph, {.batch_size = options.batch_size});
  REQUIRE(tensors);
  const auto summary = summarize(GraphFacts(document.graph), document.collections, *tensors);
  REQUIRE(summary);
  CHECK(summary->vertices == oracle["vertices"]);
  CHECK(summary->edges.data == oracle["data_edges"]);
  CHECK(summary->edges.control == oracle["control_edges"]);
  CHECK(summary->levels == oracle["levels"]);
  CHECK(summary->learning_parameter_bytes == oracle["learning_parameter_bytes"]);
  CHECK(document.graph.name(summary->largest_operation) ==
        oracle["largest_operation"]["name"].get<std::string>());
  CHECK(summary->largest_operation_bytes == oracle["largest_operation"]["bytes"]);
  const LevelMap levels = compatible_levels(document.graph);
  Json histogram = Json::object();
  for (const auto& [distance, count] : distance_histogram(document.graph, levels)) {
    histogram[std::to_string(distance)] = count;
  }
  CHECK(histogram == oracle["distance_histogram"]);
  if (!oracle.contains("level_of")) return;
  for (const OpId op : document.graph.ops()) {
    const Json& level = oracle["level_of"].at(std::string(document.graph.name(op)));
    CHECK(levels.level(op) == (level.is_null() ? kNoLevel : level.get<int>()));
  }
}

// (tensor, sorted consumers) -> the control op; for the oracle the set of admissible ones.
void check_swaps(const io::Document& document, const Json& oracle, const LmsPlan& plan) {
  using Key = std::pair<std::string, std::set<std::string>>;
  std::map<Key, std::set<std::string>> wanted;
  for (const Json& swap : oracle["swaps"]) {
    for (const Json& group : swap["groups"]) {
      std::set<std::string> admissible;
      if (group.contains("control") && !group["control"].is_null()) {
        for (const Json& op : group["control"]["candidates"]) admissible.insert(op);
      }
      wanted[{swap["tensor"], group["consumers"].get<std::set<std::string>>()}] = admissible;
    }
  }
  std::size_t groups = 0;
  for (const PlannedSwap& swap : plan.swaps) {
    for (const PlannedSwapIn& swap_in : swap.swap_ins) {
      ++groups;
      std::set<std::string> consumers;
      for (const OpId op : swap_in.consumers) consumers.emplace(document.graph.name(op));
      const auto found = wanted.find({document.graph.tensor_name(swap.tensor), consumers});
      INFO(document.graph.tensor_name(swap.tensor));
      REQUIRE(found != wanted.end());
      if (found->second.empty()) continue;
      REQUIRE(swap_in.trigger.valid());
      CHECK(found->second.count(std::string(document.graph.name(swap_in.trigger))) == 1);
    }
  }
  CHECK(groups == wanted.size());
  CHECK(plan.swap_out_count() == oracle["swap_outs"]);
  CHECK(swap_in_count(plan.swaps) == oracle["swap_ins"]);
  const std::int64_t added = oracle["control_edges_after"].get<std::int64_t>() -
                             oracle["control_edges"].get<std::int64_t>();
  CHECK(static_cast<std::int64_t>(plan.edit.control.size()) == added);
}

StepGraph flatten(const Graph& graph, const Collections& collections, const Lms2Options& options) {
  const auto tensors =
      TensorTable::build(graph, {.batch_size = options.batch_size, .model = SizeModel::kFaithful});
  REQUIRE(tensors);
  StepOptions step_options;
  step_options.gpu_device = options.gpu_device;
  auto step = build_step_graph(graph, *tensors, collections, step_options);
  REQUIRE(step);
  return *std::move(step);
}

// The plan predicts what the rewritten graph needs.
void check_prediction(const io::Document& document, const Lms2Options& options, const LmsPlan& plan,
                      const Graph& rewritten) {
  const StepGraph before = flatten(document.graph, document.collections, options);
  const StepGraph after = flatten(rewritten, document.collections, options);
  const FaithfulStep predicted =
      test::predict_step(before, document.graph, plan, options.gpu_device);
  CHECK(test::difference(predicted.timeline, simulate_step(after).timeline) == "");
}

}  // namespace

TEST_CASE("oracles of LMS v2: facts, levels, swaps, groups, triggers and control edges are equal") {
  int cases = 0;
  for (const auto& [path, oracle] : test::oracles("lms_v2", 30)) {
    if (!oracle.contains("swaps")) continue;  // one of the four refusals
    INFO(path);
    const io::Document document = open_graph(test::graph_file(oracle["graph"]));
    const Lms2Options options = options_of(oracle);
    check_facts(document, oracle, options);
    Progress silent;
    const auto plan = plan_lms2(document.graph, document.collections, options, silent);
    REQUIRE(plan);
    check_swaps(document, oracle, *plan);
    const auto rewritten = apply(document.graph, *plan);
    REQUIRE(rewritten);
    CHECK(diff_graphs(document.graph, *rewritten).violations.empty());
    check_prediction(document, options, *plan, *rewritten);
    ++cases;
  }
  CHECK(cases == 26);
}

TEST_CASE("errors of LMS v2 have the reference's words") {
  const io::Document document = open_graph(test::graph_file("tutorial_mnist.meta"));
  for (const auto& [file, scopes, types] :
       {std::tuple("tutorial_bad_scope.json", Names{"nonexistent"}, Names{}),
        std::tuple("tutorial_bad_type.json", Names{}, Names{"NoSuchOp"})}) {
    const Json oracle = read_json(test::kData / "lms_v2" / file);
    for (int which = 0; which < 4; ++which) {
      Lms2Options options = options_of(oracle);
      OpFilter* filter = which == 0   ? &options.excl_output
                         : which == 1 ? &options.excl_input
                         : which == 2 ? &options.incl_output
                                      : &options.incl_input;
      *filter = {scopes, types};
      Progress silent;
      const auto plan = plan_lms2(document.graph, document.collections, options, silent);
      REQUIRE_FALSE(plan);
      CHECK("ValueError: " + plan.error().message == oracle["error"].get<std::string>());
    }
  }
}

TEST_CASE("the tutorial's serialisation: 12 control edges, 7 swap-outs, 8 swap-ins") {
  const io::Document document = open_graph(test::graph_file("tutorial_mnist.meta"));
  Lms2Options options = options_of(read_json(test::kData / "lms_v2/tutorial.json"));
  Progress silent;
  options.serialization = {"60:64", "70"};
  const auto plan = plan_lms2(document.graph, document.collections, options, silent);
  REQUIRE(plan);
  CHECK(plan->edit.control.size() == 12);
  CHECK(plan->swap_out_count() == 7);
  CHECK(swap_in_count(plan->swaps) == 8);
  options.serialization = {"40:45"};
  const auto unchanged = plan_lms2(document.graph, document.collections, options, silent);
  REQUIRE(unchanged);
  CHECK(unchanged->edit.control.size() == 7);
  CHECK(unchanged->edit.added.size() == 13);
}

TEST_CASE("graph facts: ops, edges and complete levels of every graph") {
  const Json facts = read_json(test::kData / "graphs/facts.json");
  std::set<std::string> compared;
  for (const auto& path : test::graph_files()) {
    const std::string name = path.stem().string();
    INFO(path);
    if (name.starts_with("scale_") || name.ends_with("_noshapes")) continue;  // not in facts.json
    const Json& fact = facts.at(name);
    compared.insert(name);
    const io::Document document = open_graph(path);
    const EdgeCounts edges = count_edges(document.graph);
    CHECK(document.graph.op_count() == fact["nodes"]);
    CHECK(edges.data == fact["data_edges"]);
    CHECK(edges.control == fact["control_edges"]);
    CHECK(complete_levels(document.graph).count() == fact["levels"]);
  }
  CHECK(compared.size() == facts.size());
}

}  // namespace tideline
