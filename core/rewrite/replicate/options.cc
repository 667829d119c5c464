// Tested by unit/rewrite/replicate/options_test.cc.
#include "core/rewrite/replicate/options.h"

#include "core/base/text.h"
#include "core/graph/device_name.h"

namespace tideline {
namespace {

Status check_device(const std::string& device, std::string_view option) {
  const auto name = parse_device(device);
  if (name && !name->type.empty() && name->index != "*") return {};
  return fail(Code::kInvalidArgument,
              "{}: '{}' is no device; expected one such as /device:GPU:0 or "
              "/job:worker/task:1/device:GPU:0",
              option, printable(device));
}

// `text` has `count` parts between equals signs, none of them empty.
bool has_parts(std::string_view text, std::size_t count) {
  std::size_t parts = 1;
  char last = '=';
  for (const char c : text) {
    if (c == '=' && last == '=') return false;
    if (c == '=') ++parts;
    last = c;
  }
  return parts == count && last != '=';
}

Status check_spread(const ReplicateOptions& options) {
  const bool is_spread = options.variables != VariableSpread::kFirst;
  if (is_spread && options.variable_devices.empty()) {
    return fail(Code::kInvalidArgument,
                "{{variables}} {} needs devices; expected {{variable-devices}}, or a cluster with "
                "a job ps",
                name_of(options.variables));
  }
  if (!is_spread && !options.variable_devices.empty()) {
    return fail(Code::kInvalidArgument,
                "{{variable-devices}} has no effect; expected {{variables}} ps or balanced");
  }
  for (const std::string& device : options.variable_devices) {
    TIDELINE_RETURN_IF_ERROR(check_device(device, "{variable-devices}"));
  }
  return {};
}

}  // namespace

Result<BatchNormUpdate> batch_norm_update(const std::string& name) {
  for (const auto update : {BatchNormUpdate::kFirst, BatchNormUpdate::kAll}) {
    if (name == name_of(update)) return update;
  }
  return fail(Code::kInvalidArgument, "{{batch-norm-update}} is '{}'; expected first or all",
              printable(name));
}

const char* name_of(BatchNormUpdate update) {
  return update == BatchNormUpdate::kFirst ? "first" : "all";
}

Result<VariableSpread> variable_spread(const std::string& name) {
  for (const auto spread :
       {VariableSpread::kFirst, VariableSpread::kPs, VariableSpread::kBalanced}) {
    if (name == name_of(spread)) return spread;
  }
  return fail(Code::kInvalidArgument, "{{variables}} is '{}'; expected first, ps or balanced",
              printable(name));
}

const char* name_of(VariableSpread spread) {
  switch (spread) {
    case VariableSpread::kFirst: return "first";
    case VariableSpread::kPs: return "ps";
    case VariableSpread::kBalanced: return "balanced";
  }
  return "";
}

std::vector<std::string> split_names(const std::string& entry) {
  std::vector<std::string> names(1);
  for (const char c : entry) {
    if (c == '+') {
      names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  return names;
}

std::string parameter_device(const ReplicateOptions& options) {
  if (!options.parameter_device.empty()) return options.parameter_device;
  DeviceName name = parse_device(options.devices.front()).value_or(DeviceName{});
  if (options.devices.size() > 1 || name.type != "GPU") {
    name.type = "CPU";
    name.index = "0";
  }
  return device_text(name);
}

Status validate(const ReplicateOptions& options) {
  if (options.devices.empty()) {
    return fail(Code::kInvalidArgument,
                "{{devices}} is missing; expected the device of each tower, such as "
                "/device:GPU:0,/device:GPU:1");
  }
  for (const std::string& device : options.devices) {
    TIDELINE_RETURN_IF_ERROR(check_device(device, "{devices}"));
  }
  if (!options.parameter_device.empty()) {
    TIDELINE_RETURN_IF_ERROR(check_device(options.parameter_device, "{parameter-device}"));
  }
  TIDELINE_RETURN_IF_ERROR(check_spread(options));
  if (options.split.empty()) {
    return fail(Code::kInvalidArgument,
                "{{split}} is missing; expected the tensors whose first dimension is the batch");
  }
  for (const std::string& entry : options.split) {
    const std::size_t count = split_names(entry).size();
    if (count == 1 || count == 3) continue;
    return fail(Code::kInvalidArgument,
                "{{split}}: '{}' is neither a tensor nor INDICES+VALUES+SHAPE of a sparse one",
                printable(entry));
  }
  if (options.train_op.empty() && options.metrics.empty() && options.predictions.empty()) {
    return fail(Code::kInvalidArgument,
                "{{train-op}}, {{metrics}} and {{predictions}} are missing; expected one of them");
  }
  for (const std::string& entry : options.predictions) {
    if (has_parts(entry, 2)) continue;
    return fail(Code::kInvalidArgument, "{{predictions}}: '{}' is not of the form KEY=TENSOR",
                printable(entry));
  }
  for (const std::string& entry : options.metrics) {
    if (has_parts(entry, 3)) continue;
    return fail(Code::kInvalidArgument,
                "{{metrics}}: '{}' is not of the form NAME=VALUE_TENSOR=UPDATE_OP",
                printable(entry));
  }
  if (options.average && options.train_op.empty() && options.loss.empty()) {
    return fail(Code::kInvalidArgument,
                "{{average}} has no effect; expected {{train-op}} or {{loss}} beside it");
  }
  return {};
}

}  // namespace tideline
