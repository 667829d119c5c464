// Reading the values of a policy in tests.
#pragma once

#include <string_view>

#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/lms1/rewriter.h"
#include "core/rewrite/lms2/rewriter.h"
#include "core/rewrite/plan/plan_json.h"
#include "core/rewrite/policy.h"

namespace tideline::test {

/// Precondition: the parameter is a number and has a value.
inline std::int64_t number_of(const Policy& policy, std::string_view name) {
  return std::get<std::int64_t>(value_of(policy, name));
}

/// Plans of a rewriter whose options are at hand instead of a policy.
inline std::string plan_json_of(const Graph& graph, const LmsPlan& plan, const Lms1Options& options,
                                const PlanHead& head) {
  Values values;
  set_values(options, values);
  return plan_json(graph, finished(graph, plan), lms1::rewriter(), values, head);
}
inline std::string plan_json_of(const Graph& graph, const LmsPlan& plan, const Lms2Options& options,
                                const PlanHead& head) {
  Values values;
  set_values(options, values);
  return plan_json(graph, finished(graph, plan), lms2::rewriter(), values, head);
}

}  // namespace tideline::test
