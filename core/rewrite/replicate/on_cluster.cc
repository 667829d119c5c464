// Tested by unit/rewrite/replicate/variable_devices_test.cc.
#include "core/rewrite/replicate/on_cluster.h"

#include <fmt/format.h>

#include "core/rewrite/bound_parameter.h"
#include "core/rewrite/replicate/rewriter.h"

namespace tideline::replicate {
namespace {

tl::unexpected<Error> expected(Error error, std::string_view parameter) {
  error.message += fmt::format("; expected {}", parameter);
  return tl::unexpected(std::move(error));
}

}  // namespace

Status use_cluster(const Cluster& cluster, Values& values) {
  ReplicateOptions options = options_of<ReplicateOptions>(values);
  if (options.devices.empty()) {
    auto found = tower_devices(cluster);
    if (!found) return expected(std::move(found).error(), "{devices}");
    options.devices = *std::move(found);
  }
  if (options.variables != VariableSpread::kFirst && options.variable_devices.empty()) {
    auto found = ps_devices(cluster);
    if (!found) return expected(std::move(found).error(), "{variable-devices}");
    options.variable_devices = *std::move(found);
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
