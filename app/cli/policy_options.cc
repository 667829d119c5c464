#include "app/cli/policy_options.h"

#include <fmt/format.h>

#include <limits>

#include "app/cli/terminal.h"
#include "app/engine/device_profile.h"
#include "app/engine/read_cluster.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/devices/device_plugin.h"
#include "core/rewrite/policy_parameters.h"

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

// "--lb, --ub": what was given of the options that only `rewriter` has.
std::string options_given(const PolicyArguments& arguments, const Rewriter& rewriter) {
  std::string names;
  const auto add = [&names](const Option& option) {
    if (option.is_given()) names += (names.empty() ? "" : ", ") + option.name();
  };
  for (const ParameterOption& entry : arguments.options) {
    if (entry.rewriter == &rewriter && entry.parameter->chooses_rewriter) add(entry.option);
  }
  if (rewriter.search) {
    for (const Option& option : arguments.budget_options) add(option);
  }
  return names;
}

// The verb may have chosen already.
Status choose_rewriter(PolicyArguments& arguments) {
  Policy& policy = arguments.policy;
  if (!arguments.rewriter.empty()) {
    policy.rewriter = arguments.rewriter;
    return {};
  }
  if (!policy.is_off()) return {};
  std::string belongs;
  const Rewriter* first = nullptr;
  // From the last to the first, so that messages name lms1 before lms2.
  const std::vector<const Rewriter*> policies = policy_rewriters();
  for (std::size_t i = policies.size(); i-- > 0;) {
    const Rewriter* rewriter = policies[i];
    const std::string given = options_given(arguments, *rewriter);
    if (given.empty()) continue;
    if (first != nullptr) {
      return fail(Code::kInvalidArgument,
                  "{}, {} to {}; expected options of one of them, or --policy", belongs, given,
                  rewriter->id);
    }
    first = rewriter;
    belongs = fmt::format("{} belong to {}", given, rewriter->id);
  }
  if (first != nullptr) policy.rewriter = first->id;
  return {};
}

// Numbers out of range are for the rewriter to judge: it knows what may be missing.
Result<Value> value_of_option(const Parameter& parameter, const std::string& text) {
  const bool is_number =
      text.find_first_not_of("-0123456789") == std::string::npos && !text.empty();
  const bool is_counted =
      parameter.kind == ParameterKind::kInteger || parameter.kind == ParameterKind::kChoice;
  if (is_counted && is_number) return Value(std::int64_t{std::stoll(text)});
  if (parameter.kind == ParameterKind::kText) {
    return text.empty() && parameter.may_be_none ? Value() : Value(text);
  }
  auto value = parse_value(parameter, text);
  if (value) return value;
  if (parameter.kind == ParameterKind::kChoice || parameter.kind == ParameterKind::kRatio) {
    return fail(Code::kInvalidArgument, "--{} is '{}'; expected {}", parameter.name,
                printable(text, 200), parameter.expected);
  }
  if (parameter.kind == ParameterKind::kNames) return value;  // says its name itself
  return tl::unexpected(
      with_context(std::move(value).error(), fmt::format("--{}", parameter.name)));
}

// Everything but the budget and whether it makes sense.
Status complete(PolicyArguments& arguments) {
  Policy& policy = arguments.policy;
  TIDELINE_RETURN_IF_ERROR(choose_rewriter(arguments));
  for (const ParameterOption& entry : arguments.options) {
    const Parameter& parameter = *entry.parameter;
    if (!entry.option.is_given()) continue;
    if (parameter.kind == ParameterKind::kSwitch) {
      policy.values.set(parameter, Value(arguments.switches[parameter.name]));
      continue;
    }
    TIDELINE_TRY(Value value, value_of_option(parameter, arguments.texts[parameter.name]));
    policy.values.set(parameter, std::move(value));
  }
  return {};
}

// The budget but for the device memory.
Result<MemoryBudget> budget_of(const PolicyArguments& arguments) {
  MemoryBudget budget;
  TIDELINE_RETURN_IF_ERROR(read_size(arguments.host_memory, "--host-memory", budget.host));
  const Parameter& ratio = *find_parameter(budget_parameters(), "memory-ratio");
  TIDELINE_TRY(const Value value, value_of_option(ratio, arguments.memory_ratio));
  if (const auto* share = std::get_if<double>(&value)) budget.ratio = *share;
  return budget;
}

Status read_budget(PolicyArguments& arguments) {
  TIDELINE_TRY(MemoryBudget budget, budget_of(arguments));
  TIDELINE_RETURN_IF_ERROR(read_size(arguments.device_memory, "--device-memory", budget.device));
  if (!arguments.device_memory.empty()) {
    arguments.policy.budget = budget;
  } else if (arguments.profile && arguments.profile->free_bytes > 0) {
    budget.device = arguments.profile->free_bytes;
    arguments.policy.budget = budget;
  }
  return {};
}

// Without --device-memory the memory of the first device that is present is taken, and a line says
// so. Finding no device is no error here: the usual message about a missing budget follows.
void take_device_memory(PolicyArguments& arguments) {
  if (arguments.policy.budget || !arguments.device_memory.empty() || arguments.profile) return;
  const auto plugin = devices::DevicePlugin::find();
  if (!plugin) return;
  const auto devices = plugin->devices();
  if (!devices || devices->empty() || devices->front().free_bytes <= 0) return;
  const devices::Device& device = devices->front();
  auto budget = budget_of(arguments);
  if (!budget) return;
  budget->device = device.free_bytes;
  arguments.policy.budget = *budget;
  complain("tideline: device memory: {} free on device {}, {}\n", format_bytes(device.free_bytes),
           device.index, printable(device.name, 200));
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

bool needs_search(const Policy& policy) {
  const Rewriter* rewriter = policy.chosen();
  return rewriter != nullptr && rewriter->search && rewriter->search->is_needed(policy.values);
}

// What a cluster gives to the parameters that name devices.
Status use_cluster(PolicyArguments& arguments) {
  if (arguments.cluster.empty()) return {};
  TIDELINE_TRY(const Cluster cluster, app::read_cluster(arguments.cluster, Pipes::kRead));
  return arguments.policy.chosen()->use_cluster(cluster, arguments.policy.values);
}

// Everything except the final check.
std::optional<int> refuse_parts(PolicyArguments& arguments) {
  if (Status status = complete(arguments); !status) {
    // Errors of a policy that is off do not matter.
    if (arguments.rewriter != kPolicyOff) return report_usage(status.error());
  }
  if (Status status = use_cluster(arguments); !status) return report(status.error());
  if (!arguments.profile_name.empty()) {
    auto profile = app::read_device_profile(arguments.profile_name, Pipes::kRead);
    if (!profile) return report(profile.error());
    arguments.profile = *std::move(profile);
    arguments.policy.search.profile = *arguments.profile;
  }
  if (Status status = read_budget(arguments); !status && !arguments.policy.is_off()) {
    return report_usage(status.error());
  }
  return std::nullopt;
}

const char* heading_of(const Parameter& parameter) {
  switch (parameter.group) {
    case ParameterGroup::kFilters: return "Filters (comma lists)";
    case ParameterGroup::kOverrides: return "Overrides";
    default: return nullptr;
  }
}

Option add_text(const Command& command, const Parameter& parameter, PolicyArguments& arguments) {
  std::string& text = arguments.texts[parameter.name];
  const Value usual = parameter.default_value();
  const bool is_shown = usual != Value() && usual != Value(std::string()) &&
                        usual != Value(std::int64_t{-1}) && !parameter.is_found &&
                        parameter.kind != ParameterKind::kNames;
  if (is_shown || parameter.kind == ParameterKind::kInteger)
    text = value_text(usual, parameter.kind);
  std::string names = fmt::format("--{}", parameter.name);
  if (!parameter.also.empty()) names += fmt::format(",--{}", parameter.also);
  const Option option = command.add_option(names, text, std::string(parameter.help));
  if (!parameter.type_name.empty()) option.type_name(std::string(parameter.type_name));
  if (is_shown) option.show_default();
  const bool counts =
      parameter.kind == ParameterKind::kInteger || std::holds_alternative<std::int64_t>(usual);
  if (counts && parameter.kind != ParameterKind::kSize) {
    option.check(whole_number(std::numeric_limits<std::int64_t>::min()));
  }
  return option;
}

void add_parameter(const Command& command, const Rewriter& rewriter, const Parameter& parameter,
                   PolicyArguments& arguments) {
  for (ParameterOption& entry : arguments.options) {
    if (entry.parameter->name != parameter.name) continue;
    entry.rewriter = nullptr;
    return;
  }
  const Option option =
      parameter.kind == ParameterKind::kSwitch
          ? command.add_flag(fmt::format("--{}", parameter.name),
                             arguments.switches[parameter.name], std::string(parameter.help))
          : add_text(command, parameter, arguments);
  if (const char* heading = heading_of(parameter)) option.group(heading);
  arguments.options.push_back({&parameter, &rewriter, option});
}

void add_budget(const Command& command, const Search& search, PolicyArguments& arguments) {
  if (!arguments.budget_options.empty()) return;
  const auto add = [&](std::string_view name, auto& value) {
    const Parameter& parameter = *find_parameter(budget_parameters(), name);
    arguments.budget_options.push_back(
        command.add_option(fmt::format("--{}", name), value, std::string(parameter.help))
            .type_name(std::string(parameter.type_name))
            .group("Automatic mode"));
  };
  add("device-memory", arguments.device_memory);
  if (search.has_host_budget) add("host-memory", arguments.host_memory);
  add("memory-ratio", arguments.memory_ratio);
  // Describes the device, whatever the rewriter.
  command
      .add_option("--device-profile", arguments.profile_name,
                  fmt::format("{}, or a JSON file: speeds of copies and ops, and the free memory "
                              "if --device-memory is not given",
                              fmt::join(built_in_profile_names(), ", ")))
      .not_empty()
      .type_name("NAME|FILE");
}

}  // namespace

void add_rewriter_options(const Command& command, const Rewriter& rewriter,
                          PolicyArguments& arguments) {
  for (const Parameter& parameter : rewriter.parameters) {
    if (parameter.group != ParameterGroup::kGraph)
      add_parameter(command, rewriter, parameter, arguments);
  }
  if (rewriter.search) add_budget(command, *rewriter.search, arguments);
  if (rewriter.use_cluster == nullptr) return;
  command
      .add_option("--cluster", arguments.cluster,
                  "The tasks whose devices are used: JSON as tf.train.ClusterSpec takes it, "
                  "{\"worker\": [\"HOST:PORT\", ...], \"ps\": [...]}, or the word TF_CONFIG for "
                  "what the environment says")
      .not_empty()
      .type_name("FILE");
}

void add_policy_options(const Command& command, PolicyArguments& arguments) {
  const std::vector<const Rewriter*> policies = policy_rewriters();
  std::vector<std::string> names;
  for (const Rewriter* rewriter : policies) names.emplace_back(rewriter->id);
  names.emplace_back(kPolicyOff);
  command
      .add_option("--policy", arguments.rewriter,
                  policy_ids(true) + " (default: the one whose options are given, else off)")
      .one_of(names)
      .type_name("NAME");
  for (const Rewriter* rewriter : policies) add_rewriter_options(command, *rewriter, arguments);
}

void add_search_options(const Command& command, SearchModel& search) {
  const std::string group = "Automatic mode";
  command
      .add_option_function(
          "--model",
          [&search](const std::string& name) { search.is_faithful = name == "faithful"; },
          std::string(find_parameter(budget_parameters(), "model")->help))
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

std::optional<int> refuse_policy(PolicyArguments& arguments) {
  if (const auto refused = refuse_parts(arguments)) return refused;
  const Policy& policy = arguments.policy;
  const bool searches = needs_search(policy);
  if (searches) take_device_memory(arguments);
  // What a profile says is for a search; a step waits for memory if somebody says how much there
  // is.
  if (!searches && arguments.device_memory.empty()) arguments.policy.budget.reset();
  const Status status = validate(policy);
  if (status) return std::nullopt;
  if (searches && lacks_free_bytes(arguments)) return report_no_free_bytes(arguments);
  return report_usage(status.error());
}

std::optional<int> refuse_given(PolicyArguments& arguments) {
  if (const auto refused = refuse_parts(arguments)) return refused;
  if (arguments.device_memory.empty()) arguments.policy.budget.reset();
  return std::nullopt;
}

std::optional<int> refuse_search(PolicyArguments& arguments) {
  if (const auto refused = refuse_parts(arguments)) return refused;
  if (lacks_free_bytes(arguments)) return report_no_free_bytes(arguments);
  take_device_memory(arguments);
  if (!arguments.policy.budget) {
    return report_usage({Code::kInvalidArgument,
                         "--device-memory is missing; expected a SIZE, or --device-profile with a "
                         "file that has 'device.free_bytes'"});
  }
  // Everything is given: there is nothing to find, but it has to be checked whether it fits.
  const Policy& policy = arguments.policy;
  const Status status = policy.is_automatic()
                            ? validate(policy)
                            : policy.chosen()->search->validate(policy.values, *policy.budget);
  if (!status) return report_usage(status.error());
  return std::nullopt;
}

RunModel run_of(const GraphArgument& graph, const PolicyArguments& arguments) {
  return with_executor(graph.run(), arguments.policy,
                       arguments.profile.value_or(*built_in_profile("pcie3")));
}

}  // namespace tideline::cli
