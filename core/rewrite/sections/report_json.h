// The report of a plan of sections, for plan JSON and for people.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/rewrite/plan_report.h"
#include "core/rewrite/sections/report.h"

namespace tideline {

/// How another program runs the cycle, and what it gains. Thread: immutable.
class SectionsPlanReport final : public PlanReport {
 public:
  explicit SectionsPlanReport(SectionsReport report) : report_(std::move(report)) {}

  [[nodiscard]] std::string_view kind() const override { return "sections"; }
  /// Adds "loss", "forward_cache", "phases" and, where known, "predicted".
  void add_json(const Graph& graph, const GraphPlan& plan, const PlanPrediction* predicted,
                nlohmann::ordered_json& json) const override;
  [[nodiscard]] std::vector<std::string> lines(const Graph& graph,
                                               const GraphPlan& plan) const override;
  [[nodiscard]] std::optional<Cycle> cycle(const Graph& graph,
                                           const GraphPlan& plan) const override;
  [[nodiscard]] std::span<const std::vector<Bytes>> run_memory() const override {
    return report_.run_memory;
  }
  /// The sections, with the ops that the run of one section alone computes.
  [[nodiscard]] StepParts parts(const Graph& graph, const GraphPlan& plan) const override;

  [[nodiscard]] const SectionsReport& report() const { return report_; }

 private:
  SectionsReport report_;
};

}  // namespace tideline
