// A graph in training: its worker, its steps, its variables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/runtime/feeds.h"
#include "core/runtime/training.h"
#include "core/runtime/worker.h"

namespace tideline::runtime {

/// Feeds with the tensors that they feed (match_feeds).
struct BoundFeeds {
  const std::vector<Feed>* feeds = nullptr;
  std::vector<TensorName> names;
};

/// What one step gave.
struct StepResult {
  TensorValue loss;
  std::string run_metadata;  ///< encoded; only of a traced step
};

/// A training in a worker process of its own. Errors of all members: those of Worker; what
/// TensorFlow refuses is kInvalidArgument with its message on one line.
/// Thread: as Worker.
class Trainer {
 public:
  /// Starts a worker and loads the graph. `label` begins all messages: the graph's path.
  [[nodiscard]] static Result<Trainer> start(std::string label, Training training,
                                             const std::string& library,
                                             const WorkerOptions& options, Progress& progress);

  /// Runs the initialisers, one at a time, in their order; one that needs a variable that another
  /// one sets is tried again after it.
  [[nodiscard]] Status initialise(Progress& progress);

  /// One training step: the loss, fetched in the same run that executes the training op.
  [[nodiscard]] Result<StepResult> step(std::int64_t step, const BoundFeeds& feeds, bool trace,
                                        Progress& progress);

  /// The value of a variable; nothing when it is not initialised.
  [[nodiscard]] Result<std::optional<TensorValue>> read(const TrainedVariable& variable,
                                                        Progress& progress);
  /// Gives a variable a value, by its assignment. Errors: kNotFound when it has none.
  [[nodiscard]] Status assign(const TrainedVariable& variable, const TensorValue& value,
                              Progress& progress);

  [[nodiscard]] const Training& training() const { return training_; }
  [[nodiscard]] const std::string& label() const { return label_; }
  [[nodiscard]] const std::string& tensorflow_version() const { return version_; }

 private:
  Trainer(std::string label, Training training, Worker worker)
      : label_(std::move(label)), training_(std::move(training)), worker_(std::move(worker)) {}

  [[nodiscard]] Result<Answer> ask(const RunRequest& request, const std::string& what,
                                   Progress& progress);
  [[nodiscard]] tl::unexpected<Error> refused(const Answer& answer, const std::string& what) const;

  std::string label_;
  Training training_;
  Worker worker_;
  WorkerOptions options_;
  std::string version_;
};

}  // namespace tideline::runtime
