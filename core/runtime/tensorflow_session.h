// One graph in one session of a loaded TensorFlow, in a worker process.
#pragma once

#include <string>

#include "core/runtime/messages.h"
#include "core/runtime/tensorflow_api.h"

namespace tideline::runtime {

/// Executes requests on TensorFlow. TensorFlow's objects are never freed: the process ends anyway,
/// and shutting TensorFlow down takes time. Thread: not shared.
class TensorflowSession {
 public:
  explicit TensorflowSession(const TensorflowApi& api) : api_(api), status_(api.new_status()) {}

  /// Imports the graph and opens the session. The answer contains the version.
  [[nodiscard]] Answer load(const LoadRequest& request);
  /// Precondition: `load` succeeded.
  [[nodiscard]] Answer run(const RunRequest& request);

 private:
  [[nodiscard]] bool failed() const { return api_.get_code(status_) != 0; }
  [[nodiscard]] Answer failure() const;
  [[nodiscard]] bool find(const TensorName& name, TfOutput& output, Answer& answer) const;
  [[nodiscard]] bool fetch(const TensorName& name, TfTensor* tensor, Answer& answer) const;

  const TensorflowApi& api_;
  TfStatus* status_;
  TfGraph* graph_ = nullptr;
  TfSession* session_ = nullptr;
};

}  // namespace tideline::runtime
