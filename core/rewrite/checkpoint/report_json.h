// The report of `checkpoint` in plan JSON (kind `checkpoint`) and on the terminal.
#pragma once

#include <utility>

#include "core/rewrite/checkpoint/report.h"
#include "core/rewrite/plan_report.h"

namespace tideline::checkpoint_ops {

class SaverReport final : public PlanReport {
 public:
  explicit SaverReport(SaverRewriteReport report) : report_(std::move(report)) {}

  [[nodiscard]] std::string_view kind() const override { return "checkpoint"; }
  void add_json(const Graph& graph, const GraphPlan& plan, const PlanPrediction* predicted,
                nlohmann::ordered_json& json) const override;
  [[nodiscard]] std::vector<std::string> lines(const Graph& graph,
                                               const GraphPlan& plan) const override;

 private:
  SaverRewriteReport report_;
};

}  // namespace tideline::checkpoint_ops
