// The report of `replicate` in plan JSON (kind `replicate`) and on the terminal.
#pragma once

#include <utility>

#include "core/rewrite/plan_report.h"
#include "core/rewrite/replicate/report.h"

namespace tideline::replicate {

class TowerReport final : public PlanReport {
 public:
  explicit TowerReport(ReplicateReport report) : report_(std::move(report)) {}

  [[nodiscard]] const ReplicateReport& report() const { return report_; }
  [[nodiscard]] std::string_view kind() const override { return "replicate"; }
  void add_json(const Graph& graph, const GraphPlan& plan, const PlanPrediction* predicted,
                nlohmann::ordered_json& json) const override;
  [[nodiscard]] std::vector<std::string> lines(const Graph& graph,
                                               const GraphPlan& plan) const override;
  [[nodiscard]] bool shows_result() const override { return true; }
  /// The towers.
  [[nodiscard]] StepParts parts(const Graph& graph, const GraphPlan& plan) const override;

 private:
  ReplicateReport report_;
};

}  // namespace tideline::replicate
