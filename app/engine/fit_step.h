// Steps of one graph with several batch sizes, for `fit`.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/device_result.h"
#include "app/engine/fit.h"
#include "app/engine/sized_graph.h"
#include "core/analysis/structure/training_roles.h"

namespace tideline::app {

/// Simulates the graph of a request, which must outlive it. Thread: any number of callers.
class FitSteps {
 public:
  /// Errors: those of TensorTable::build and step_budget; kInvalidArgument without a budget.
  [[nodiscard]] static Result<FitSteps> make(const SizedGraph& graph, const FitRequest& request);

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
  [[nodiscard]] Result<DeviceResult> simulate(const SizedGraph& graph, Progress& progress) const;
  /// The peak with a batch, by the sizes of the file. Errors: those of build_step_graph;
  /// kCancelled. Cost: nothing for a batch that was asked about before.
  [[nodiscard]] Result<Bytes> peak(std::int64_t batch, Progress& progress) const;
  /// By what an estimated time of `graph`, one of with_batch, is multiplied to stand beside that of
  /// the traced step; 1 if its times are measured, or none are. Errors: those of simulate.
  [[nodiscard]] Result<double> time_scale(const SizedGraph& graph, Progress& progress) const;
  /// What is said of the step that is asked about.
  [[nodiscard]] Result<FitStep> step(Progress& progress) const;

 private:
  // What is found when it is asked for.
  struct Found {
    KnownPeaks peaks;
    std::mutex mutex;             // guards the rest
    std::optional<double> scale;  // of a graph without the traced step
  };

  FitSteps(const SizedGraph& graph, const FitRequest& request)
      : graph_(graph), request_(request), found_(std::make_shared<Found>()) {}
  [[nodiscard]] StepOptions options(const SizedGraph& graph) const;
  [[nodiscard]] KnownPeaks& peaks() const {
    return request_.known_peaks != nullptr ? *request_.known_peaks : found_->peaks;
  }
  [[nodiscard]] Result<Bytes> peak_of(const SizedGraph& graph, Progress& progress) const;

  SizedGraph graph_;
  const FitRequest& request_;
  TrainingRoles roles_;
  Bytes budget_ = 0;
  std::int64_t batch_ = 1;
  bool is_assumed_ = false;
  std::shared_ptr<Found> found_;
};

}  // namespace tideline::app
