// Tested by unit/rewrite/replicate/variable_devices_test.cc.
#include "core/rewrite/replicate/on_cluster.h"

#include "core/rewrite/bound_parameter.h"
#include "core/rewrite/replicate/rewriter.h"

namespace tideline::replicate {

Status use_cluster(const Cluster& cluster, Values& values) {
  ReplicateOptions options = options_of<ReplicateOptions>(values);
  if (options.devices.empty()) {
    TIDELINE_TRY(options.devices, tower_devices(cluster));
  }
  if (options.variables != VariableSpread::kFirst && options.variable_devices.empty()) {
    TIDELINE_TRY(options.variable_devices, variable_devices(cluster));
  }
  for (const std::string& device : options.devices) {
    TIDELINE_RETURN_IF_ERROR(check_device(cluster, device, "{devices}"));
  }
  for (const std::string& device : options.variable_devices) {
    TIDELINE_RETURN_IF_ERROR(check_device(cluster, device, "{variable-devices}"));
  }
  if (!options.parameter_device.empty()) {
    TIDELINE_RETURN_IF_ERROR(check_device(cluster, options.parameter_device, "{parameter-device}"));
  }
  set_values(options, values);
  return {};
}

}  // namespace tideline::replicate
