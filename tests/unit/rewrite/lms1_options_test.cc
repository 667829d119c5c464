// The options of LMS v1: filters, and what is refused.
#include <catch2/catch.hpp>

#include "tests/unit/rewrite/lms1_text.h"
#include "tests/unit/rewrite/sections_text.h"

namespace tideline {

using namespace lms1_text;

TEST_CASE("filters match whole components of paths, and what is excluded wins") {
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    a/f = Relu(x) f32[2,4]
    ab/f = Relu(a/f) f32[2,4]
    c/f = Tanh(ab/f) f32[2,4]
    g3 = ReluGrad(c/f, c/f) f32[2,4]
    g2 = ReluGrad(g3, ab/f) f32[2,4]
    g1 = ReluGrad(g2, a/f) f32[2,4]
    update = Relu(g1) f32[2,4]
  )");
  const auto tensors = [&](const Lms1Options& given) {
    Texts names;
    for (const PlannedSwap& swap : plan_of(net, given).swaps) {
      names.push_back(net.graph.tensor_name(swap.tensor));
    }
    return names;
  };
  Lms1Options given = options();
  given.excl_scopes = {"a"};
  CHECK(tensors(given) == Texts{"ab/f:0", "c/f:0"});
  given = options();
  given.incl_scopes = {"ab/"};
  given.incl_types = {"Tanh"};
  CHECK(tensors(given) == Texts{"ab/f:0", "c/f:0"});
  given.excl_types = {"Tanh"};
  CHECK(tensors(given) == Texts{"ab/f:0"});
  given = options();
  given.explain = true;
  given.excl_scopes = {"ab"};
  given.excl_types = {"Tanh"};
  const LmsPlan plan = plan_of(net, given);
  Texts reasons;
  for (const KeptTensor& kept : plan.not_swapped) {
    reasons.push_back(net.graph.tensor_name(kept.tensor) + " " + kept.why);
  }
  CHECK(reasons == Texts{"x:0 producer: not reachable from the starting ops",
                         "ab/f:0 producer: excluded by scope ab",
                         "c/f:0 producer: excluded by type Tanh", "g3:0 producer: a backward op",
                         "g2:0 producer: a backward op", "g1:0 producer: a backward op",
                         "update:0 no consumer"});
}

TEST_CASE("what matches nothing is an error in the reference's words") {
  const io::Document net = test::read_graph(kNet);
  const auto with = [](const auto& change) {
    Lms1Options given = options();
    change(given);
    return given;
  };
  CHECK(error_of(net, with([](Lms1Options& o) {
                   o.optimizer_scopes = {"no", "nope"};
                 })) == "No operations were found with optimizer scopes {'no', 'nope'}.");
  CHECK(error_of(net, with([](Lms1Options& o) { o.starting_scope = "nope"; })) ==
        "No operations were found in starting scope nope.");
  CHECK(error_of(net, with([](Lms1Options& o) {
                   o.starting_op_names = {"f1", "nope"};
                 })) == "No starting operation was found with name nope.");
  CHECK(error_of(net, with([](Lms1Options& o) { o.incl_scopes = {"x"}; })) ==
        "No operations were found with scope x.");  // there, but not reachable
  CHECK(error_of(net, with([](Lms1Options& o) { o.excl_types = {"Conv2D"}; })) ==
        "No operations were found with types:  {'Conv2D'}.");
  CHECK(error_of(net, with([](Lms1Options& o) { o.excl_types = {"Mul"}; })).empty());
}

TEST_CASE("an optimizer scope that does not exist comes with those that there are") {
  const io::Document net = test::read_graph(test::kTwoLayers);  // its backward pass is in g/
  Lms1Options given = options();
  given.optimizer_scopes = {"gradients"};
  CHECK(error_of(net, given) ==
        "No operations were found with optimizer scopes {'gradients'}. The backward phase is in "
        "the scope: 'g'.");
  given.optimizer_scopes = {"g"};
  given.starting_scope = "bb";
  CHECK(error_of(net, given) == "No operations were found in starting scope bb. (nearest: 'b')");
  given.starting_scope = "";
  given.starting_op_names = {"a/mull"};
  CHECK(error_of(net, given) ==
        "No starting operation was found with name a/mull. (nearest: 'a/mul', 'b/mul', "
        "'g/dmul')");
}

TEST_CASE("options of LMS v1 that make no sense name the option") {
  const auto message = [](const auto& change) {
    Lms1Options given = options();
    change(given);
    const Status status = validate(given);
    return status ? std::string() : status.error().message;
  };
  CHECK(message([](Lms1Options&) {}).empty());
  CHECK(message([](Lms1Options& o) { o.lb = -1; }) == "{lb} is -1; expected 0 or more");
  CHECK(message([](Lms1Options& o) { o.ub = -1; }) == "{ub} is -1; expected 0 or more");
  CHECK(message([](Lms1Options& o) { o.n_tensors = -2; }) ==
        "{n-tensors} is -2; expected -1 or more");
  CHECK(message([](Lms1Options& o) { o.branch_threshold = -1; }) ==
        "{branch-threshold} is -1; expected 0 or more");
  CHECK(message([](Lms1Options& o) {
          o.optimizer_scopes.clear();
        }).starts_with("{optimizer-scopes} is missing"));
  CHECK(control_strategy("direct_order") == ControlStrategy::kDirectOrder);
  CHECK_FALSE(control_strategy("sideways"));
}

}  // namespace tideline
