// Plans of LMS in tests: applied, named and simulated as a finished plan is.
#pragma once

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <utility>

#include "core/graph/graph_edit.h"
#include "core/io/document.h"
#include "core/memory/faithful.h"
#include "core/memory/step_edit.h"
#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/predict.h"

namespace tideline {

inline Result<Graph> apply(const Graph& graph, const LmsPlan& plan) {
  return apply(graph, plan.edit);
}
inline std::string op_name(const Graph& graph, const LmsPlan& plan, OpId op) {
  return std::string(plan.edit.name(graph, op));
}

namespace test {

inline FaithfulStep predict_step(const StepGraph& original, const Graph& graph, const LmsPlan& plan,
                                 const std::optional<std::string>& gpu_device) {
  return simulate_step(edited(original, graph, plan.edit, gpu_device));
}
inline PlanPrediction predict(const io::Document& document, const TensorOptions& sizes,
                              const RewritePlan& plan, RunModel run = kAsInFile) {
  StepOptions step;
  step.run = run;
  step.functions = sizes.functions;
  auto predicted = tideline::predict(document.graph, document.collections, sizes, step, plan);
  INFO((predicted ? "" : predicted.error().message));
  REQUIRE(predicted);
  return *std::move(predicted);
}
inline PlanPrediction predict(const io::Document& document, const TensorOptions& sizes,
                              LmsPlan plan) {
  return predict(document, sizes, finished(document.graph, std::move(plan)));
}

}  // namespace test
}  // namespace tideline
