#include "app/cli/policy_options.h"

#include <fmt/format.h>

#include "app/cli/device_profile.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/runtime/device_plugin.h"

namespace tideline::cli {
namespace {

// `text` may be empty: then nothing is said about `size`.
Status read_size(const std::string& text, std::string_view option, Bytes& size) {
  if (text.empty()) return {};
  auto parsed = parse_size(text);
  if (!parsed) return tl::unexpected(with_context(std::move(parsed).error(), std::string(option)));
  size = *parsed;
  return {};
}

std::string names_of_given(const std::vector<Option>& options) {
  std::string names;
  for (const Option& option : options) {
    if (!option.is_given()) continue;
    names += (names.empty() ? "" : ", ") + option.name();
  }
  return names;
}

// The verb may have chosen already.
Status choose_mode(PolicyArguments& arguments) {
  Policy& policy = arguments.policy;
  if (!arguments.mode_name.empty()) {
    policy.mode = find_policy_mode(arguments.mode_name).value_or(PolicyMode::kOff);
    return {};
  }
  if (policy.mode != PolicyMode::kOff) return {};
  const std::string lms1 = names_of_given(arguments.lms1_options);
  const std::string lms2 = names_of_given(arguments.lms2_options);
  if (!lms1.empty() && !lms2.empty()) {
    return fail(Code::kInvalidArgument,
                "{} belong to lms1, {} to lms2; expected options of one of them, or --policy", lms1,
                lms2);
  }
  if (!lms1.empty()) policy.mode = PolicyMode::kLms1;
  if (!lms2.empty()) policy.mode = PolicyMode::kLms2;
  return {};
}

Status complete_lms1(const PolicyArguments& arguments, Lms1Options& lms) {
  const Lms1Text& text = arguments.lms1;
  lms.optimizer_scopes = split_list(text.optimizer_scopes, ',');
  lms.starting_op_names = split_list(text.starting_op_names, ',');
  lms.excl_scopes = split_list(text.excl_scopes, ',');
  lms.incl_scopes = split_list(text.incl_scopes, ',');
  lms.excl_types = split_list(text.excl_types, ',');
  lms.incl_types = split_list(text.incl_types, ',');
  lms.cpu_device = arguments.cpu_device;
  lms.guard_conditionals = arguments.guard_conditionals;
  TIDELINE_TRY(lms.ctrld_strategy, control_strategy(text.ctrld_strategy));
  return {};
}

Status complete_lms2(const PolicyArguments& arguments, Lms2Options& lms) {
  const Lms2Text& text = arguments.lms2;
  lms.serialization = split_list(text.serialization, ',');
  if (!text.serialization_by_size.empty()) {
    Bytes size = 0;
    TIDELINE_RETURN_IF_ERROR(
        read_size(text.serialization_by_size, "--serialization-by-size", size));
    lms.serialization_by_size = size;
  }
  if (!text.gpu_device.empty()) lms.gpu_device = text.gpu_device;
  lms.is_training = !text.inference;
  const auto filter = [](const std::string& scopes, const std::string& types) {
    return OpFilter{split_list(scopes, ','), split_list(types, ',')};
  };
  lms.excl_output = filter(text.excl_output_by_scopes, text.excl_output_by_types);
  lms.excl_input = filter(text.excl_input_by_scopes, text.excl_input_by_types);
  lms.incl_output = filter(text.incl_output_by_scopes, text.incl_output_by_types);
  lms.incl_input = filter(text.incl_input_by_scopes, text.incl_input_by_types);
  lms.cpu_device = arguments.cpu_device;
  lms.guard_conditionals = arguments.guard_conditionals;
  return {};
}

// Everything but the budget and whether it makes sense.
Status complete(PolicyArguments& arguments, const GraphArgument& graph) {
  Policy& policy = arguments.policy;
  TIDELINE_RETURN_IF_ERROR(choose_mode(arguments));
  TIDELINE_RETURN_IF_ERROR(complete_lms1(arguments, policy.lms1));
  TIDELINE_RETURN_IF_ERROR(complete_lms2(arguments, policy.lms2));
  policy.lms1.batch_size = graph.batch_size;
  policy.lms2.batch_size = graph.batch_size;
  policy.keep_tensors = split_list(arguments.keep_tensors, ',');
  policy.swap_tensors = split_list(arguments.swap_tensors, ',');
  return {};
}

Status read_budget(PolicyArguments& arguments) {
  MemoryBudget budget;
  budget.ratio = arguments.memory_ratio;
  TIDELINE_RETURN_IF_ERROR(read_size(arguments.host_memory, "--host-memory", budget.host));
  TIDELINE_RETURN_IF_ERROR(read_size(arguments.device_memory, "--device-memory", budget.device));
  if (!arguments.device_memory.empty()) {
    arguments.policy.budget = budget;
  } else if (arguments.profile && arguments.profile->free_bytes > 0) {
    budget.device = arguments.profile->free_bytes;
    arguments.policy.budget = budget;
  }
  return {};
}

// Nobody said how much memory there is: that of the first device that is present, and said so. None
// is no error here; what is missing is then said as if nobody had looked.
void take_device_memory(PolicyArguments& arguments) {
  if (arguments.policy.budget || !arguments.device_memory.empty() || arguments.profile) return;
  const auto plugin = runtime::DevicePlugin::find();
  if (!plugin) return;
  const auto devices = plugin->devices();
  if (!devices || devices->empty() || devices->front().free_bytes <= 0) return;
  const runtime::Device& device = devices->front();
  MemoryBudget budget;
  budget.ratio = arguments.memory_ratio;
  budget.device = device.free_bytes;
  if (!read_size(arguments.host_memory, "--host-memory", budget.host)) return;
  arguments.policy.budget = budget;
  fmt::print(stderr, "tideline: device memory: {} free on device {}, {}\n",
             format_bytes(device.free_bytes), device.index, printable(device.name, 200));
}

// A file that could have given a budget and does not.
bool lacks_free_bytes(const PolicyArguments& arguments) {
  return arguments.profile && !arguments.policy.budget && !built_in_profile(arguments.profile_name);
}
int report_no_free_bytes(const PolicyArguments& arguments) {
  return report({Code::kCorrupt,
                 fmt::format("{}: 'device.free_bytes' is missing or 0; expected the bytes that a "
                             "step may use, or --device-memory",
                             arguments.profile_name)});
}

// All but the final judgement.
std::optional<int> refuse_parts(PolicyArguments& arguments, const GraphArgument& graph) {
  if (Status status = complete(arguments, graph); !status) {
    // What is said about a policy that is off does not matter.
    if (arguments.mode_name != "off") return report_usage(status.error());
  }
  if (!arguments.profile_name.empty()) {
    auto profile = read_device_profile(arguments.profile_name);
    if (!profile) return report(profile.error());
    arguments.profile = *std::move(profile);
  }
  if (Status status = read_budget(arguments);
      !status && arguments.policy.mode != PolicyMode::kOff) {
    return report_usage(status.error());
  }
  return std::nullopt;
}

}  // namespace

void add_shared_options(const Command& command, PolicyArguments& arguments) {
  command.add_option("--cpu-device", arguments.cpu_device, "Device of the copies").show_default();
  command.add_flag("--guard-conditionals", arguments.guard_conditionals,
                   "Beyond the reference: never wait for an op that a conditional may skip");
  const auto add_override = [&](const char* name, std::string& value, const char* help) {
    command.add_option(name, value, help).type_name("TENSOR,...").group("Overrides");
  };
  add_override("--keep-tensors", arguments.keep_tensors,
               "Never swap these, whatever the rules say");
  add_override("--swap-tensors", arguments.swap_tensors,
               "Swap these, whatever filters and threshold say (not rank, not activity)");
}

void add_policy_options(const Command& command, PolicyArguments& arguments) {
  command
      .add_option("--policy", arguments.mode_name,
                  "lms2, lms1 or off (default: the one whose options are given, else off)")
      .one_of({"lms2", "lms1", "off"})
      .type_name("NAME");
  add_shared_options(command, arguments);
  add_lms2_options(command, arguments);
  add_lms1_options(command, arguments);
}

void add_search_options(const Command& command, SearchModel& search) {
  const std::string group = "Automatic mode";
  command
      .add_option_function(
          "--model",
          [&search](const std::string& name) { search.is_faithful = name == "faithful"; },
          "The model that searches: compatible (default) counts as LMS v2 does, faithful as an "
          "executor")
      .one_of({"faithful", "compatible"})
      .type_name("MODEL")
      .group(group);
  command
      .add_option_function(
          "--fetch",
          [&search](const std::string& names) { search.fetches = split_list(names, ','); },
          "Ops that the step is run for on the faithful model (comma list; default: the collection "
          "train_op, else all Apply ops)")
      .type_name("OP,...")
      .group(group);
}

std::optional<int> refuse_policy(PolicyArguments& arguments, const GraphArgument& graph) {
  if (const auto refused = refuse_parts(arguments, graph)) return refused;
  const Policy& policy = arguments.policy;
  if (policy.mode == PolicyMode::kLms2 && needs_tuning(policy.lms2)) take_device_memory(arguments);
  const Status status = validate(policy);
  if (status) return std::nullopt;
  if (policy.mode == PolicyMode::kLms2 && needs_tuning(policy.lms2) &&
      lacks_free_bytes(arguments)) {
    return report_no_free_bytes(arguments);
  }
  return report_usage(status.error());
}

std::optional<int> refuse_search(PolicyArguments& arguments, const GraphArgument& graph) {
  arguments.policy.mode = PolicyMode::kLms2;
  if (const auto refused = refuse_parts(arguments, graph)) return refused;
  if (lacks_free_bytes(arguments)) return report_no_free_bytes(arguments);
  take_device_memory(arguments);
  if (!arguments.policy.budget) {
    return report_usage({Code::kInvalidArgument,
                         "--device-memory is missing; expected a SIZE, or --device-profile with a "
                         "file that has 'device.free_bytes'"});
  }
  // Everything given: nothing is left to find, but the question whether it fits stands.
  const Status status = arguments.policy.is_automatic()
                            ? validate(arguments.policy)
                            : validate_tuning(arguments.policy.lms2, *arguments.policy.budget);
  if (!status) return report_usage(status.error());
  return std::nullopt;
}

}  // namespace tideline::cli
