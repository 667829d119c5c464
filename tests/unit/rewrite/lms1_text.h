// A small training step for the tests of LMS v1, and what is planned for it as text.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph_edit.h"
#include "core/rewrite/lms1/lms1.h"
#include "core/rewrite/plan/diff.h"
#include "tests/support/graph_text.h"
#include "tests/support/lms_plans.h"

namespace tideline::lms1_text {

using Texts = std::vector<std::string>;

inline Lms1Options options() {
  Lms1Options options;
  options.optimizer_scopes = {"g"};
  return options;
}

inline LmsPlan plan_of(const io::Document& net, const Lms1Options& options) {
  Progress silent;
  const auto plan = plan_lms1(net.graph, net.collections, options, silent);
  INFO((plan ? "" : plan.error().message));
  REQUIRE(plan);
  const auto rewritten = apply(net.graph, *plan);
  REQUIRE(rewritten);
  CHECK(diff_graphs(net.graph, *rewritten).violations.empty());
  return *plan;
}

inline std::string error_of(const io::Document& net, const Lms1Options& options) {
  Progress silent;
  const auto plan = plan_lms1(net.graph, net.collections, options, silent);
  return plan ? "" : plan.error().message;
}

// Four layers forward, four backward; g1 hands its result on, so that it counts as a consumer.
inline constexpr std::string_view kNet = R"(
  x = Placeholder() f32[2,4]
  f1 = Relu(x) f32[2,4]
  f2 = Relu(f1) f32[2,4]
  f3 = Relu(f2) f32[2,4]
  f4 = Relu(f3) f32[2,4]
  g4 = ReluGrad(f4, f4) f32[2,4]
  g3 = ReluGrad(g4, f3) f32[2,4]
  g2 = ReluGrad(g3, f2) f32[2,4]
  g1 = ReluGrad(g2, f1) f32[2,4]
  update = Relu(g1) f32[2,4]
)";

}  // namespace tideline::lms1_text
