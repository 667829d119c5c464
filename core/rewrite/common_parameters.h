// Parameters shared by several rewriters. Parameters of one name have the same meaning.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/rewrite/bound_parameter.h"
#include "core/rewrite/lms/copy_mode.h"
#include "core/rewrite/lms/own_ahead.h"

namespace tideline {

template <typename Options>
constexpr BoundParameter<Options> cpu_device_parameter() {
  return bound<Options, &Options::cpu_device>(
      {.name = "cpu-device",
       .title = "host device",
       .kind = ParameterKind::kText,
       .group = ParameterGroup::kAdvanced,
       .help = "Device of the copies; without a task, on that of the op beside them",
       .expected = "a device such as /cpu:0",
       .type_name = "DEVICE",
       .is_always_in_plan = true,
       .python = {PythonName::Place::kArgument, "cpu_device"}});
}

inline constexpr std::array<Choice, 2> kCopyModes = {Choice{"identity", ""}, {"grappler", ""}};

template <typename Options>
constexpr BoundParameter<Options> copy_mode_parameter() {
  Parameter parameter = {
      .name = "copy-mode",
      .title = "copy mode",
      .also = "mode",
      .kind = ParameterKind::kChoice,
      .group = ParameterGroup::kAdvanced,
      .help =
          "identity, or grappler: beyond the reference, copy with the ops of TensorFlow's memory "
          "optimizer, which only GPUs have (never run on one)",
      .expected = "identity or grappler",
      .type_name = "NAME",
      .choices = kCopyModes};
  parameter.default_value = [] {
    return Value(std::string(name_of(usual_options<Options>().copy_mode)));
  };
  return {parameter,
          [](Options& options, const Value& value) {
            // Values hold one of the choices only.
            if (auto found = copy_mode(std::get<std::string>(value))) options.copy_mode = *found;
          },
          [](const Options& options) { return Value(std::string(name_of(options.copy_mode))); }};
}

template <typename Options>
constexpr BoundParameter<Options> gpu_device_parameter() {
  return bound<Options, &Options::gpu_device>(
      {.name = "gpu-device",
       .title = "device looked at",
       .kind = ParameterKind::kText,
       .group = ParameterGroup::kAdvanced,
       .help = "Look at this device only, e.g. /device:GPU:0 (default: all that are no CPU)",
       .expected = "a device such as /device:GPU:0, or none",
       .type_name = "DEVICE",
       .may_be_none = true,
       .chooses_rewriter = false,
       .python = {PythonName::Place::kArgument, "gpu_device"}});
}

template <typename Options>
constexpr BoundParameter<Options> guard_conditionals_parameter() {
  return bound<Options, &Options::guard_conditionals>(
      {.name = "guard-conditionals",
       .title = "guard conditionals",
       .kind = ParameterKind::kSwitch,
       .group = ParameterGroup::kAdvanced,
       .help = "Beyond the reference: never wait for an op that a conditional may skip",
       .expected = "on or off"});
}

template <typename Options>
constexpr BoundParameter<Options> keep_fusion_parameter() {
  return bound<Options, &Options::keep_fusion>(
      {.name = "keep-fusion",
       .title = "keep fusion",
       .kind = ParameterKind::kSwitch,
       .group = ParameterGroup::kAdvanced,
       .help = "Beyond the reference: never wait for an op that TensorFlow's graph optimizer fuses "
               "or folds, so that results stay the same bits",
       .expected = "on or off"});
}

template <typename Options>
constexpr BoundParameter<Options> keep_tensors_parameter() {
  return bound<Options, &Options::keep_tensors>(
      {.name = "keep-tensors",
       .title = "keep tensors",
       .kind = ParameterKind::kNames,
       .group = ParameterGroup::kOverrides,
       .help = "Never swap these tensors",
       .expected = "tensors such as conv1/Relu:0, separated by commas",
       .type_name = "TENSOR,..."});
}

template <typename Options>
constexpr BoundParameter<Options> swap_tensors_parameter() {
  return bound<Options, &Options::swap_tensors>(
      {.name = "swap-tensors",
       .title = "swap tensors",
       .kind = ParameterKind::kNames,
       .group = ParameterGroup::kOverrides,
       .help =
           "Swap these tensors regardless of filters and threshold (but not of rank and activity)",
       .expected = "tensors such as conv1/Relu:0, separated by commas",
       .type_name = "TENSOR,..."});
}

inline Status check_ahead_value(const Value& value) {
  return check_aheads(std::get<std::vector<std::string>>(value));
}

template <typename Options>
constexpr BoundParameter<Options> ahead_tensors_parameter(std::string_view help) {
  return bound<Options, &Options::ahead_tensors>(
      {.name = kAheadTensors,
       .title = "ahead tensors",
       .kind = ParameterKind::kNames,
       .group = ParameterGroup::kOverrides,
       .help = help,
       .expected = "tensors with an integer of at least 1 each, such as conv1/Relu:0=7, separated "
                   "by commas",
       .type_name = "TENSOR=N,...",
       .check = check_ahead_value});
}

/// Describes the graph rather than the policy; plans record it.
template <typename Options>
constexpr BoundParameter<Options> batch_size_parameter() {
  return bound<Options, &Options::batch_size>(
      {.name = "batch-size",
       .title = "batch size",
       .kind = ParameterKind::kInteger,
       .group = ParameterGroup::kGraph,
       .help = "Value of an unknown first dimension when sizes are computed",
       .expected = "an integer of at least 1",
       .type_name = "N",
       .least = 1,
       .may_be_none = true});
}

}  // namespace tideline
