// Steps of one graph with several batch sizes, for `fit`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/device_result.h"
#include "app/engine/fit.h"
#include "app/engine/sized_graph.h"
#include "core/analysis/structure/training_roles.h"

namespace tideline::app {

/// Simulates the graph of a request. Request and progress must outlive it. Thread: not
/// shared.
class FitSteps {
 public:
  /// Errors: those of TensorTable::build and step_budget; kInvalidArgument without a budget.
  [[nodiscard]] static Result<FitSteps> make(const SizedGraph& graph, const FitRequest& request,
                                             Progress& progress);

  [[nodiscard]] const SizedGraph& graph() const { return graph_; }
  [[nodiscard]] const FitRequest& request() const { return request_; }
  [[nodiscard]] const TrainingRoles& roles() const { return roles_; }
  [[nodiscard]] Bytes budget() const { return budget_; }
  /// The batch that is asked about: the given one, that of the traced step, or 1.
  [[nodiscard]] std::int64_t batch() const { return batch_; }
  [[nodiscard]] bool is_batch_assumed() const { return is_assumed_; }
  /// How a step with `policy` is run.
  [[nodiscard]] RunModel run(const Policy& policy) const {
    return with_executor(graph_.run, policy, request_.profile);
  }
  /// The graph with another batch size; a traced step is of the batch that is asked about alone.
  [[nodiscard]] SizedGraph with_batch(std::int64_t batch) const;

  /// The step as it is. Errors: those of simulate_device; kCancelled.
  [[nodiscard]] Result<DeviceResult> simulate(const SizedGraph& graph);
  /// Its peak alone. Errors: those of build_step_graph; kCancelled.
  [[nodiscard]] Result<Bytes> peak(const SizedGraph& graph);
  /// By what an estimated time of `graph`, one of with_batch, is multiplied to stand beside that of
  /// the traced step; 1 if its times are measured, or none are. Errors: those of simulate.
  [[nodiscard]] Result<double> time_scale(const SizedGraph& graph);
  /// What is said of the step that is asked about.
  [[nodiscard]] Result<FitStep> step();

 private:
  FitSteps(const SizedGraph& graph, const FitRequest& request, Progress& progress)
      : graph_(graph), request_(request), progress_(progress) {}
  [[nodiscard]] StepOptions options(const SizedGraph& graph) const;

  SizedGraph graph_;
  const FitRequest& request_;
  Progress& progress_;
  TrainingRoles roles_;
  Bytes budget_ = 0;
  std::int64_t batch_ = 1;
  bool is_assumed_ = false;
  std::optional<double> scale_;  // of a graph without the traced step
};

}  // namespace tideline::app
