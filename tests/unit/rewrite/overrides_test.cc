#include "core/rewrite/lms/overrides.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/lms2/simulate.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// a is read at once and far away; v is a vector; c is on the host.
const char* const kChain =
    "x = Placeholder() f32[4,4]\n a = Relu(x) f32[4,4]\n b = Relu(a) f32[4,4]\n"
    "v = Sum(b, x) f32[4]\n d = Relu(b) f32[4,4]\n e = Relu(d) f32[4,4]\n f = Relu(e) f32[4,4]\n"
    "c = Relu(x) @/cpu:0 f32[4,4]\n g = AddN(f, a, b, v, c) +N=5 +T=f32 f32[4,4]\n";

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
