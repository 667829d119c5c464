#include "core/rewrite/lms/overrides.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "core/analysis/levels.h"
#include "core/rewrite/lms/own_ahead_at.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/lms2/simulate.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_values.h"

namespace tideline {
namespace {

// a is read at once and far away; v is a vector; c is on the host.
const char* const kChain =
    "x = Placeholder() f32[4,4]\n a = Relu(x) f32[4,4]\n b = Relu(a) f32[4,4]\n"
    "v = Sum(b, x) f32[4]\n d = Relu(b) f32[4,4]\n e = Relu(d) f32[4,4]\n f = Relu(e) f32[4,4]\n"
    "c = Relu(x) @/cpu:0 f32[4,4]\n g = AddN(f, a, b, v, c) +N=5 +T=f32 f32[4,4]\n";

// a and b are read by j, at the end of a chain: levels are x 0, a 1, b 2, c 3, ..., j 8. What lies
// between is larger in the middle.
const char* const kLong =
    "x = Placeholder() f32[4,4]\n a = Relu(x) f32[4,4]\n b = Relu(a) f32[4,4]\n"
    "c = Relu(b) f32[4,4]\n d = MadeUp(c) f32[9,9]\n e = MadeUp(d) f32[99,9]\n"
    "f = MadeUp(e) f32[9,9]\n g = MadeUp(f) f32[4,4]\n"
    "j = AddN(g, a, b) +N=3 +T=f32 f32[4,4]\n k = Relu(j) f32[4,4]\n";

LmsPlan plan_of(const io::Document& document, const Lms2Options& options) {
  Progress silent;
  auto plan = plan_lms2(document.graph, {}, options, silent);
  INFO((plan ? "" : plan.error().message));
  REQUIRE(plan);
  return *std::move(plan);
}

Lms2Options options_with(int threshold) {
  Lms2Options options;
  options.swapout_threshold = threshold;
  options.swapin_ahead = 1;
  options.swapin_groupby = 0;
  options.explain = true;
  return options;
}

std::set<std::string> swapped(const io::Document& document, const LmsPlan& plan) {
  std::set<std::string> names;
  for (const PlannedSwap& swap : plan.swaps) names.insert(document.graph.tensor_name(swap.tensor));
  return names;
}

// What the only swap-in of `tensor` waits for.
std::string trigger(const io::Document& document, const LmsPlan& plan, const std::string& tensor) {
  for (const PlannedSwap& swap : plan.swaps) {
    if (document.graph.tensor_name(swap.tensor) != tensor) continue;
    REQUIRE(swap.swap_ins.size() == 1);
    const OpId op = swap.swap_ins[0].trigger;
    return op.valid() ? std::string(document.graph.name(op)) : "";
  }
  return "is not swapped";
}

std::string why(const io::Document& document, const LmsPlan& plan, const std::string& tensor) {
  for (const PlannedSwap& swap : plan.swaps) {
    if (document.graph.tensor_name(swap.tensor) == tensor) return swap.why;
  }
  for (const KeptTensor& kept : plan.not_swapped) {
    if (document.graph.tensor_name(kept.tensor) == tensor) return kept.why;
  }
  return "";
}

}  // namespace

TEST_CASE("a tensor that the user keeps stays, a tensor that he swaps goes") {
  const io::Document document = test::read_graph(kChain);
  Lms2Options options = options_with(4);
  CHECK(swapped(document, plan_of(document, options)) == std::set<std::string>{"a:0"});
  options.keep_tensors = {"a:0"};
  options.swap_tensors = {"b"};
  const LmsPlan plan = plan_of(document, options);
  CHECK(swapped(document, plan) == std::set<std::string>{"b:0"});
  CHECK(why(document, plan, "a:0") == "listed in keep-tensors");
  CHECK(why(document, plan, "b:0") == "listed in swap-tensors");
  // Its reader of the next level still reads it directly.
  CHECK(plan.swaps[0].swap_ins.size() == 1);
  CHECK(plan.swaps[0].swap_ins[0].consumers == std::vector<OpId>{document.graph.find("g")});
}

TEST_CASE("an override wins over filters, not over rank or activity") {
  const io::Document document = test::read_graph(kChain);
  Lms2Options options = options_with(100);
  options.excl_output.scopes = {"b"};
  options.excl_input.types = {"AddN"};
  options.swap_tensors = {"b", "v", "c", "f"};
  const LmsPlan plan = plan_of(document, options);
  CHECK(swapped(document, plan) == std::set<std::string>{"b:0"});
  CHECK(why(document, plan, "v:0") == "listed in swap-tensors, but it has rank 1");
  CHECK(why(document, plan, "c:0").find("not on the device") != std::string::npos);
  CHECK(why(document, plan, "f:0").find("more than one level away") != std::string::npos);
}

TEST_CASE("names in overrides must be tensors, each in one list") {
  const io::Document document = test::read_graph(kChain);
  Progress silent;
  Lms2Options options = options_with(3);
  options.swap_tensors = {"nobody:0"};
  CHECK(plan_lms2(document.graph, {}, options, silent).error().code == Code::kNotFound);
  options.swap_tensors = {"a:7"};
  CHECK(plan_lms2(document.graph, {}, options, silent).error().code == Code::kNotFound);
  options.swap_tensors = {"a"};
  options.keep_tensors = {"a:0"};
  CHECK(plan_lms2(document.graph, {}, options, silent).error().code == Code::kInvalidArgument);
}

TEST_CASE("a tensor with a distance of its own comes back by it, the others by swapin_ahead") {
  const io::Document document = test::read_graph(kLong);
  Lms2Options options = options_with(3);
  const LmsPlan usual = plan_of(document, options);
  CHECK(trigger(document, usual, "a:0") == "f");  // level 8 - 1 - 1
  CHECK(trigger(document, usual, "b:0") == "f");
  options.ahead_tensors = {"a=3"};
  const LmsPlan plan = plan_of(document, options);
  CHECK(trigger(document, plan, "a:0") == "d");  // level 8 - 3 - 1
  CHECK(trigger(document, plan, "b:0") == "f");
  CHECK(why(document, plan, "a:0") ==
        "distance 7 > threshold 3; swap-in by its own: 3 levels ahead");
  CHECK(why(document, plan, "b:0") == "distance 6 > threshold 3");
  CHECK(plan.warnings.empty());
  // Below the producer nothing can be waited for.
  options.ahead_tensors = {"a:0=900"};
  CHECK(trigger(document, plan_of(document, options), "a:0").empty());
}

TEST_CASE("plan JSON has the distances, and which swaps they placed") {
  const io::Document document = test::read_graph(kLong);
  Lms2Options options = options_with(3);
  const std::string usual =
      test::plan_json_of(document.graph, plan_of(document, options), options, {});
  CHECK(usual.find("ahead_tensors") == std::string::npos);
  CHECK(usual.find("own_ahead") == std::string::npos);
  options.ahead_tensors = {"a=3"};
  const auto json = nlohmann::json::parse(
      test::plan_json_of(document.graph, plan_of(document, options), options, {}));
  CHECK(json["options"]["ahead_tensors"] == nlohmann::json{"a=3"});
  CHECK(json["swaps"][0]["tensor"] == "a:0");
  CHECK(json["swaps"][0]["own_ahead"] == 3);
  CHECK_FALSE(json["swaps"][1].contains("own_ahead"));
}

TEST_CASE("a distance of a tensor that is not swapped is said to have no effect") {
  const io::Document document = test::read_graph(kLong);
  Lms2Options options = options_with(3);
  options.ahead_tensors = {"a=3", "j=2"};
  options.keep_tensors = {"a"};
  LmsPlan plan = plan_of(document, options);
  REQUIRE(plan.warnings.size() == 1);
  CHECK(
      plan.warnings[0].text ==
      "{ahead-tensors} has no effect for 2 tensors that are not swapped, the first is a:0: listed "
      "in keep-tensors");
  CHECK(plan.warnings[0].places == std::vector<std::string>{"a", "j"});
  options.ahead_tensors = {"a=3"};
  plan = plan_of(document, options);
  REQUIRE(plan.warnings.size() == 1);
  CHECK(plan.warnings[0].text ==
        "{ahead-tensors} a:0 has no effect: the tensor is not swapped: listed in keep-tensors");
  options.keep_tensors = {};
  options.sync_mode = 2;
  plan = plan_of(document, options);
  REQUIRE(plan.warnings.size() == 1);
  CHECK(plan.warnings[0].text ==
        "{ahead-tensors} has no effect: with {sync-mode} 2 swap-ins wait for the other inputs of "
        "their reader");
  CHECK(why(document, plan, "a:0") == "distance 7 > threshold 3");
}

TEST_CASE("distances of tensors must be numbers, each tensor's once") {
  const io::Document document = test::read_graph(kLong);
  Progress silent;
  Lms2Options options = options_with(3);
  const auto error = [&](std::vector<std::string> texts) {
    options.ahead_tensors = std::move(texts);
    const auto plan = plan_lms2(document.graph, {}, options, silent);
    REQUIRE_FALSE(plan);
    return plan.error();
  };
  for (const char* const text :
       {"a", "a=", "a=x", "a=0", "a=-1", "a=1.5", "=3", "", "a=9999999999"}) {
    INFO(text);
    CHECK(error({text}).code == Code::kInvalidArgument);
    CHECK(error({text}).message ==
          "{ahead-tensors} is '" + std::string(text) +
              "'; expected TENSOR=N with an integer N of at least 1, such as conv1/Relu:0=7");
  }
  CHECK(error({"nobody=3"}).code == Code::kNotFound);
  CHECK(error({"nobody=3"}).message.starts_with("{ahead-tensors} nobody: there is no such tensor"));
  CHECK(error({"a=3", "a:0=4"}).message ==
        "{ahead-tensors} a:0: is listed twice; expected it once");
}

TEST_CASE("a level at which a tensor is to be back gives its distance") {
  const io::Document document = test::read_graph(kLong);
  const LevelMap levels = complete_levels(document.graph);
  Lms2Options options = options_with(3);
  const OpId j = document.graph.find("j");
  for (const std::int32_t level : {4, 5, 6, 7}) {
    const RewritePlan before = finished(document.graph, plan_of(document, options));
    const int ahead = own_ahead_at(before, levels, j, level);
    CHECK(ahead == 8 - level);
    Lms2Options moved = options;
    moved.ahead_tensors = {"a=" + std::to_string(ahead)};
    const LmsPlan plan = plan_of(document, moved);
    // A level after the op that it waits for.
    CHECK(levels.level(document.graph.find(trigger(document, plan, "a:0"))) + 1 == level);
  }
  CHECK(own_ahead_at(finished(document.graph, plan_of(document, options)), levels, j, 99) == 1);
  CHECK(own_ahead_at({}, levels, j, 5) == 0);
}

TEST_CASE("the play brings a tensor back by its own distance") {
  const io::Document document = test::read_graph(kLong);
  const auto peak = [&](int ahead, std::vector<std::string> own) {
    Lms2Options options = options_with(3);
    options.swapin_ahead = ahead;
    options.ahead_tensors = std::move(own);
    const auto simulation = simulate_lms2(document.graph, {}, options, true);
    REQUIRE(simulation);
    REQUIRE(simulation->after);
    return simulation->after->device_peak;
  };
  CHECK(peak(1, {}) != peak(4, {}));
  CHECK(peak(1, {"a=4", "b=4"}) == peak(4, {}));
  CHECK(peak(4, {"a=1", "b=1"}) == peak(1, {}));
}

TEST_CASE("the play knows of overrides") {
  const io::Document document = test::read_graph(kChain);
  Lms2Options options = options_with(100);
  options.swap_tensors = {"a", "b"};
  const auto simulation = simulate_lms2(document.graph, {}, options, true);
  REQUIRE(simulation);
  REQUIRE(simulation->after);
  CHECK(simulation->before.host_peak == 0);
  CHECK(simulation->after->host_peak == 128);  // two tensors of 4 x 4 floats
}

TEST_CASE("every tensor is either swapped or has a reason to stay") {
  const io::Document document = test::read_graph(kChain);
  for (const int threshold : {1, 2, 3, 100}) {
    const LmsPlan plan = plan_of(document, options_with(threshold));
    CHECK(plan.swaps.size() + plan.not_swapped.size() == document.graph.op_count());
    for (const KeptTensor& kept : plan.not_swapped) CHECK(!kept.why.empty());
  }
}

}  // namespace tideline
