// Tested by unit/rewrite/replicate/options_test.cc.
#include "core/rewrite/replicate/rewriter.h"

#include <array>

#include "core/rewrite/common_parameters.h"

namespace tideline::replicate {
namespace {

using Bound = BoundParameter<ReplicateOptions>;

constexpr std::array<Choice, 2> kUpdates = {Choice{"first", "of the first tower"},
                                            {"all", "mean of all towers"}};

constexpr std::array<Choice, 3> kSpreads = {Choice{"first", "on the parameter device"},
                                            {"ps", "in turn"},
                                            {"balanced", "balanced by bytes"}};

constexpr Bound kDevices = bound<ReplicateOptions, &ReplicateOptions::devices>(
    {.name = "devices",
     .title = "devices",
     .kind = ParameterKind::kNames,
     .help = "One tower for each of these devices, also of several tasks of a cluster",
     .expected = "devices such as /device:GPU:0 or /job:worker/task:1/device:GPU:0, separated by "
                 "commas",
     .type_name = "DEVICE,...",
     .is_required = true,
     .is_always_in_plan = true});

constexpr Bound kSplit = bound<ReplicateOptions, &ReplicateOptions::split>(
    {.name = "split",
     .title = "split",
     .kind = ParameterKind::kNames,
     .help = "The tensors whose first dimension is the batch; each tower gets an equal part. A "
             "sparse one is given as INDICES+VALUES+SHAPE",
     .expected = "tensors such as x:0, separated by commas",
     .type_name = "TENSOR,...",
     .is_required = true,
     .is_always_in_plan = true});

constexpr Bound kPredictions = bound<ReplicateOptions, &ReplicateOptions::predictions>(
    {.name = "predictions",
     .title = "predictions",
     .kind = ParameterKind::kNames,
     .help = "Concatenate these tensors of the towers, each in an op called KEY",
     .expected = "pairs such as y=model/y:0, separated by commas",
     .type_name = "KEY=TENSOR,..."});

constexpr Bound kMetrics = bound<ReplicateOptions, &ReplicateOptions::metrics>(
    {.name = "metrics",
     .title = "metrics",
     .kind = ParameterKind::kNames,
     .help = "Update these metrics with the whole batch: name, tensor of the value, update op",
     .expected = "triples such as mse=mse/value:0=mse/update_op, separated by commas",
     .type_name = "NAME=VALUE=UPDATE,..."});

constexpr Bound kParameterDevice = bound<ReplicateOptions, &ReplicateOptions::parameter_device>(
    {.name = "parameter-device",
     .title = "parameter device",
     .kind = ParameterKind::kText,
     .group = ParameterGroup::kAdvanced,
     .help = "Device of variables and aggregation (default: the first CPU beside the first tower, "
             "or the only GPU)",
     .expected = "a device such as /device:CPU:0",
     .type_name = "DEVICE"});

constexpr Bound kVariableDevices = bound<ReplicateOptions, &ReplicateOptions::variable_devices>(
    {.name = "variable-devices",
     .title = "variable devices",
     .kind = ParameterKind::kNames,
     .group = ParameterGroup::kAdvanced,
     .help = "The devices on which the variables are spread (default: those of the job ps of the "
             "cluster)",
     .expected = "devices such as /job:ps/task:0/device:CPU:0, separated by commas",
     .type_name = "DEVICE,..."});

constexpr Bound kLoss = bound<ReplicateOptions, &ReplicateOptions::loss>(
    {.name = "loss",
     .title = "loss",
     .kind = ParameterKind::kText,
     .help = "The tensor that is the loss; none if the graph has none",
     .expected = "a tensor such as loss/Mean:0",
     .type_name = "TENSOR"});

constexpr Bound kTrainOp = bound<ReplicateOptions, &ReplicateOptions::train_op>(
    {.name = "train-op",
     .title = "train op",
     .kind = ParameterKind::kText,
     .help = "The op that makes one training step; none if the graph does not train",
     .expected = "an op such as Adam",
     .type_name = "OP"});

constexpr Bound kGradientScope = bound<ReplicateOptions, &ReplicateOptions::gradient_scope>(
    {.name = "gradient-scope",
     .title = "gradient scope",
     .kind = ParameterKind::kText,
     .group = ParameterGroup::kAdvanced,
     .help = "The ops in this scope are the backward pass (default: found from edges)",
     .expected = "a scope such as gradients",
     .type_name = "SCOPE"});

constexpr Bound kAverage = bound<ReplicateOptions, &ReplicateOptions::average>(
    {.name = "average",
     .title = "average",
     .kind = ParameterKind::kSwitch,
     .help = "Gradients and loss are the mean of the towers', not the sum: a loss that is a mean, "
             "and the learning rate, keep their meaning",
     .expected = "on or off",
     .is_always_in_plan = true});

constexpr Bound batch_norm() {
  Parameter parameter = {.name = "batch-norm-update",
                         .title = "batch norm update",
                         .kind = ParameterKind::kChoice,
                         .group = ParameterGroup::kAdvanced,
                         .help =
                             "Whose statistics move the moving averages of the forward pass: "
                             "those of the first tower, or the mean of all",
                         .expected = "first or all",
                         .type_name = "NAME",
                         .choices = kUpdates};
  parameter.default_value = [] {
    return Value(std::string(name_of(usual_options<ReplicateOptions>().batch_norm_update)));
  };
  return {parameter,
          [](ReplicateOptions& options, const Value& value) {
            // Values hold one of the choices only.
            if (auto found = tideline::batch_norm_update(std::get<std::string>(value))) {
              options.batch_norm_update = *found;
            }
          },
          [](const ReplicateOptions& options) {
            return Value(std::string(name_of(options.batch_norm_update)));
          }};
}

constexpr Bound variables() {
  Parameter parameter = {.name = "variables",
                         .title = "variables",
                         .kind = ParameterKind::kChoice,
                         .help =
                             "Which devices hold the variables: the parameter device, the "
                             "variable devices in turn, or the one with the fewest bytes",
                         .expected = "first, ps or balanced",
                         .type_name = "NAME",
                         .choices = kSpreads};
  parameter.default_value = [] {
    return Value(std::string(name_of(usual_options<ReplicateOptions>().variables)));
  };
  return {parameter,
          [](ReplicateOptions& options, const Value& value) {
            // Values hold one of the choices only.
            if (auto found = variable_spread(std::get<std::string>(value))) {
              options.variables = *found;
            }
          },
          [](const ReplicateOptions& options) {
            return Value(std::string(name_of(options.variables)));
          }};
}

constexpr std::array kTable = {
    kDevices,         kSplit,         kLoss,       kTrainOp,
    kPredictions,     kMetrics,       variables(), kParameterDevice,
    kVariableDevices, kGradientScope, kAverage,    batch_norm(),
};

}  // namespace
}  // namespace tideline::replicate

template <>
std::span<const tideline::BoundParameter<tideline::ReplicateOptions>>
tideline::bound_parameters<tideline::ReplicateOptions>() {
  return tideline::replicate::kTable;
}
