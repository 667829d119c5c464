// The report of a plan of LMS of either version.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/plan_report.h"

namespace tideline {

/// Thread: immutable.
class LmsReport final : public PlanReport {
 public:
  explicit LmsReport(LmsFindings findings);

  [[nodiscard]] const LmsFindings& findings() const { return findings_; }
  [[nodiscard]] std::string_view kind() const override { return "lms"; }
  /// Adds version, swaps, tensors that stay, and the order of version 1. Lists are sorted by name.
  void add_json(const Graph& graph, const GraphPlan& plan, const PlanPrediction* predicted,
                nlohmann::ordered_json& json) const override;
  [[nodiscard]] bool has_written_digest() const override { return false; }
  [[nodiscard]] std::span<const std::string> log() const override { return findings_.log; }
  [[nodiscard]] std::vector<std::string> details(const Graph& graph, const GraphPlan& plan,
                                                 bool everything) const override;
  [[nodiscard]] std::vector<PlanCount> counts(const GraphPlan& plan) const override;
  [[nodiscard]] std::span<const PlannedSwap> swaps() const override { return findings_.swaps; }
  [[nodiscard]] std::string_view why_no_swaps() const override;
  [[nodiscard]] std::span<const KeptTensor> kept() const override { return findings_.not_swapped; }
  [[nodiscard]] std::string_view rule(TensorId tensor) const override;
  [[nodiscard]] std::vector<std::string> why(const Graph& graph, const GraphPlan& plan,
                                             TensorId tensor) const override;

 private:
  [[nodiscard]] const PlannedSwap* swap_of(TensorId tensor) const;
  [[nodiscard]] const KeptTensor* kept_of(TensorId tensor) const;

  LmsFindings findings_;  // not_swapped sorted by tensor
};

}  // namespace tideline
