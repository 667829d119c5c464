// Tested by unit/rewrite/replicate/refusals_test.cc.
#include "core/rewrite/replicate/targets.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/rewrite/plan/named_outputs.h"

namespace tideline::replicate {
namespace {

class TargetSearch {
 public:
  TargetSearch(const Graph& graph, const ReplicateOptions& options)
      : graph_(graph), options_(options) {}

  Result<Targets> run() {
    Targets targets;
    for (const std::string& entry : options_.split) {
      SplitInput input;
      for (const std::string& name : split_names(entry)) {
        TIDELINE_TRY(const TensorId tensor, find(name, "{split}"));
        if (std::find(targets.split.begin(), targets.split.end(), tensor) != targets.split.end()) {
          return fail(Code::kInvalidArgument, "{{split}} names '{}' twice", printable(name));
        }
        targets.split.push_back(tensor);
        input.tensors.push_back(tensor);
      }
      targets.inputs.push_back(std::move(input));
    }
    if (!options_.loss.empty()) {
      TIDELINE_TRY(targets.loss, find(options_.loss, "{loss}"));
    }
    if (!options_.train_op.empty()) {
      TIDELINE_TRY(const TensorId tensor, find(options_.train_op, "{train-op}"));
      targets.train_op = tensor.op;
    }
    for (const std::string& entry : options_.predictions) {
      const std::size_t equals = entry.find('=');
      Prediction prediction{entry.substr(0, equals), {}};
      TIDELINE_TRY(prediction.tensor, find(entry.substr(equals + 1), "{predictions}"));
      TIDELINE_RETURN_IF_ERROR(
          check_new(targets.predictions, &Prediction::key, prediction.key, "{predictions}"));
      targets.predictions.push_back(std::move(prediction));
    }
    for (const std::string& entry : options_.metrics) {
      const std::size_t first = entry.find('=');
      const std::size_t second = entry.find('=', first + 1);
      Metric metric{entry.substr(0, first), {}, {}};
      TIDELINE_TRY(metric.value, find(entry.substr(first + 1, second - first - 1), "{metrics}"));
      TIDELINE_TRY(const TensorId update, find(entry.substr(second + 1), "{metrics}"));
      metric.update = update.op;
      TIDELINE_RETURN_IF_ERROR(check_new(targets.metrics, &Metric::name, metric.name, "{metrics}"));
      targets.metrics.push_back(std::move(metric));
    }
    return targets;
  }

 private:
  Result<TensorId> find(const std::string& name, std::string_view option) const {
    return find_named(graph_, option, name);
  }

  template <typename Item>
  static Status check_new(const std::vector<Item>& items, std::string Item::*name,
                          const std::string& added, std::string_view option) {
    const bool is_known = std::any_of(items.begin(), items.end(),
                                      [&](const Item& item) { return item.*name == added; });
    if (!is_known) return {};
    return fail(Code::kInvalidArgument, "{} names '{}' twice", option, printable(added));
  }

  const Graph& graph_;
  const ReplicateOptions& options_;
};

}  // namespace

Result<Targets> find_targets(const Graph& graph, const ReplicateOptions& options) {
  return TargetSearch(graph, options).run();
}

}  // namespace tideline::replicate
