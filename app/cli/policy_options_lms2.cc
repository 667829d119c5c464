// The options of LMS v2 and of its automatic mode.
#include <fmt/format.h>

#include <limits>

#include "app/cli/policy_options.h"

namespace tideline::cli {
namespace {

void add_parameters(const Command& command, PolicyArguments& options) {
  Lms2Options& lms = options.policy.lms2;
  command
      .add_option("--swapout-threshold", lms.swapout_threshold,
                  "Swap a tensor for consumers more than this many levels away (1 or more)")
      .check(whole_number(std::numeric_limits<std::int64_t>::min()))
      .type_name("N");
  command
      .add_option("--swapin-ahead", lms.swapin_ahead,
                  "Bring it back this many levels before its first consumer (1 or more)")
      .check(whole_number(std::numeric_limits<std::int64_t>::min()))
      .type_name("N");
  command
      .add_option("--swapin-groupby", lms.swapin_groupby,
                  "Consumers at most this many levels apart share a swap-in (0: none do)")
      .check(whole_number(std::numeric_limits<std::int64_t>::min()))
      .type_name("N");
  command
      .add_option("--sync-mode", lms.sync_mode,
                  "0 asynchronous, 1 swap-outs synchronised, 2 swap-ins, 3 both")
      .check(whole_number(std::numeric_limits<std::int64_t>::min()))
      .type_name("N");
  command.add_option("--serialization", options.lms2.serialization,
                     "Levels whose ops run one after the other: 60:64,70 (with = for a minus)");
  command
      .add_option("--serialization-by-size", options.lms2.serialization_by_size,
                  "The same for levels that need more than SIZE")
      .type_name("SIZE");
  command.add_flag("--inference", options.lms2.inference, "The graph is run for inference");
  command.add_flag("--keras", lms.is_keras, "A Keras graph with a learning phase");
}

void add_filters(const Command& command, PolicyArguments& options) {
  const auto add = [&](const char* name, std::string& value, const char* help) {
    command.add_option(name, value, help).type_name("LIST").group("Filters (comma lists)");
  };
  add("--excl-output-by-scopes", options.lms2.excl_output_by_scopes,
      "Never swap outputs of ops whose name begins with one of these");
  add("--excl-output-by-types", options.lms2.excl_output_by_types, "... of these op types");
  add("--excl-input-by-scopes", options.lms2.excl_input_by_scopes,
      "Never feed such ops from the host");
  add("--excl-input-by-types", options.lms2.excl_input_by_types, "... of these op types");
  add("--incl-output-by-scopes", options.lms2.incl_output_by_scopes,
      "Swap only outputs of such ops");
  add("--incl-output-by-types", options.lms2.incl_output_by_types, "... of these op types");
  add("--incl-input-by-scopes", options.lms2.incl_input_by_scopes,
      "Feed only such ops from the host");
  add("--incl-input-by-types", options.lms2.incl_input_by_types, "... of these op types");
}

void add_budget(const Command& command, PolicyArguments& options) {
  const std::string group = "Automatic mode";
  command
      .add_option("--device-memory", options.device_memory,
                  "Find what is not given so that a step fits into SIZE")
      .type_name("SIZE")
      .group(group);
  command
      .add_option("--host-memory", options.host_memory,
                  "Warn when more is needed for copies (default: 64GiB)")
      .type_name("SIZE")
      .group(group);
  command
      .add_option("--memory-ratio", options.memory_ratio,
                  "Share of the device memory that may be used")
      .type_name("R")
      .group(group)
      .show_default();
}

}  // namespace

void add_lms2_options(const Command& command, PolicyArguments& arguments) {
  const std::size_t before = command.options().size();
  add_parameters(command, arguments);
  add_budget(command, arguments);
  add_filters(command, arguments);
  const auto options = command.options();
  arguments.lms2_options.assign(options.begin() + static_cast<std::ptrdiff_t>(before),
                                options.end());
  // These two say something about the device, whatever the mode.
  command.add_option("--gpu-device", arguments.lms2.gpu_device,
                     "Look at this device only, e.g. /device:GPU:0 (default: all that are no CPU)");
  command
      .add_option(
          "--device-profile", arguments.profile_name,
          fmt::format("{}, or a JSON file: how fast copies and ops are, and how much memory "
                      "is free when --device-memory is not given",
                      fmt::join(built_in_profile_names(), ", ")))
      .type_name("NAME|FILE");
}

}  // namespace tideline::cli
