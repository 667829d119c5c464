// Training of a graph in a worker process: steps, and access to variables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/runtime/feeds.h"
#include "core/runtime/recorded_shapes.h"
#include "core/runtime/training.h"
#include "core/runtime/worker.h"

namespace tideline::runtime {

/// Feeds and the tensors that they feed (match_feeds).
struct BoundFeeds {
  const std::vector<Feed>* feeds = nullptr;
  std::vector<TensorName> names;
};

/// The result of one step.
struct StepResult {
  TensorValue loss;
  /// Encoded; only of a traced step. By run of a cycle; else one.
  std::vector<std::string> run_metadata;
};

/// A training run in its own worker process. All methods block. Errors of all methods: those of
/// Worker; kInvalidArgument, with TensorFlow's message on one line, for what TensorFlow rejects;
/// kUnavailable, with that message, when one server does not reach another.
/// Thread: as Worker.
class Trainer {
 public:
  /// Starts a worker and loads the graph; without the recorded shapes that TensorFlow refuses.
  /// Messages begin with `label`, the path of the graph.
  [[nodiscard]] static Result<Trainer> start(std::string label, Training training,
                                             const std::string& library,
                                             const WorkerOptions& options, Progress& progress);

  /// Runs the initialisers one at a time, in order; one that reads a variable which a later one
  /// initialises is retried after it. Captured variables get their first values. Then variables get
  /// their values from a checkpoint, if the training names one. Errors: kInvalidArgument also for a
  /// value of another type or shape.
  [[nodiscard]] Status initialise(Progress& progress);

  /// Runs one training step. The loss is fetched in the same run that executes the training op; of
  /// a cycle, in the first run. Between the runs of a cycle values are kept in this process.
  [[nodiscard]] Result<StepResult> step(std::int64_t step, const BoundFeeds& feeds, bool trace,
                                        Progress& progress);

  /// The value of a variable; nullopt when it is not initialised.
  [[nodiscard]] Result<std::optional<TensorValue>> read(const TrainedVariable& variable,
                                                        Progress& progress);
  /// Assigns a value to a variable, by its assignment op. Errors: kNotFound when it has none.
  [[nodiscard]] Status assign(const TrainedVariable& variable, const TensorValue& value,
                              Progress& progress);

  [[nodiscard]] const Training& training() const { return training_; }
  [[nodiscard]] const std::string& label() const { return label_; }
  [[nodiscard]] const std::string& tensorflow_version() const { return version_; }
  /// In the order in which TensorFlow refused them, each type once.
  [[nodiscard]] const std::vector<DroppedShapes>& dropped_shapes() const { return dropped_shapes_; }

 private:
  Trainer(std::string label, Training training, Worker worker)
      : label_(std::move(label)), training_(std::move(training)), worker_(std::move(worker)) {}

  [[nodiscard]] Status run_initialisers(Progress& progress);
  [[nodiscard]] Status assign_first_values(Progress& progress);
  [[nodiscard]] Status assign_start_values(Progress& progress);
  [[nodiscard]] Result<StepResult> cycle(std::int64_t step, RunRequest request, bool trace,
                                         Progress& progress);
  [[nodiscard]] Result<Answer> ask(const RunRequest& request, const std::string& what,
                                   Progress& progress);
  /// Takes refused shapes out of `request`; false if `answer` is not about shapes.
  bool drop_refused(const Answer& answer, LoadRequest& request);
  [[nodiscard]] tl::unexpected<Error> refused(const Answer& answer, const std::string& what) const;

  std::string label_;
  Training training_;
  Worker worker_;
  WorkerOptions options_;
  std::string version_;
  std::vector<DroppedShapes> dropped_shapes_;
};

}  // namespace tideline::runtime
