// Plans of LMS v2 as short texts, for tests that write the expected swaps and edges out.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/plan/diff.h"
#include "tests/support/graph_text.h"
#include "tests/support/lms_plans.h"

namespace tideline::test {

using Texts = std::vector<std::string>;

inline Lms2Options parameters(int threshold, int ahead, int groupby, int sync_mode = 0) {
  Lms2Options options;
  options.swapout_threshold = threshold;
  options.swapin_ahead = ahead;
  options.swapin_groupby = groupby;
  options.sync_mode = sync_mode;
  return options;
}

inline LmsPlan plan_of(const io::Document& document, const Lms2Options& options) {
  Progress silent;
  const auto plan = plan_lms2(document.graph, document.collections, options, silent);
  INFO((plan ? "" : plan.error().message));
  REQUIRE(plan);
  const auto rewritten = apply(document.graph, *plan);
  REQUIRE(rewritten);
  CHECK(diff_graphs(document.graph, *rewritten).violations.empty());
  return *plan;
}

// "tensor -> consumer consumer | consumer": one line a swapped tensor, '|' between groups.
inline Texts swaps(const io::Document& document, const Lms2Options& options) {
  const LmsPlan plan = plan_of(document, options);
  Texts lines;
  for (const PlannedSwap& swap : plan.swaps) {
    std::string line = document.graph.tensor_name(swap.tensor) + " ->";
    for (std::size_t i = 0; i < swap.swap_ins.size(); ++i) {
      if (i > 0) line += " |";
      for (const OpId op : swap.swap_ins[i].consumers) {
        line += " " + std::string(document.graph.name(op));
      }
    }
    lines.push_back(line);
  }
  return lines;
}

// "op after op" for every control edge, sorted; "out_" and "in_" stand for "lms/swapout_",
// "lms/swapin_".
inline Texts edges(const io::Document& document, const Lms2Options& options) {
  const LmsPlan plan = plan_of(document, options);
  const auto shortened = [&](OpId op) {
    const std::string name = op_name(document.graph, plan, op);
    return name.rfind("lms/swap", 0) == 0 ? name.substr(8) : name;
  };
  Texts lines;
  for (const ControlEdge& edge : plan.edit.control) {
    lines.push_back(shortened(edge.op) + " after " + shortened(edge.after));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Three forward ops, three backward ones; f1 and f2 are read again in the backward phase.
inline constexpr std::string_view kNet = R"(
  x = Placeholder() f32[?,4]
  f1 = Relu(x) f32[?,4]
  f2 = Relu(f1) f32[?,4]
  f3 = Relu(f2) f32[?,4]
  g3 = Relu(f3) f32[?,4]
  g2 = ReluGrad(g3, f2) f32[?,4]
  g1 = ReluGrad(g2, f1) f32[?,4]
)";

}  // namespace tideline::test
