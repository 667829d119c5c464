#include "app/cli/lms2_options.h"

#include <limits>

#include "core/base/text.h"
#include "core/rewrite/lms2/lms2.h"

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

void add_parameters(CLI::App& command, Lms2Arguments& options) {
  Lms2Options& lms = options.lms;
  command
      .add_option("--swapout-threshold", lms.swapout_threshold,
                  "Swap a tensor for consumers more than this many levels away (1 or more)")
      ->check(whole_number(std::numeric_limits<std::int64_t>::min()))
      ->type_name("N");
  command
      .add_option("--swapin-ahead", lms.swapin_ahead,
                  "Bring it back this many levels before its first consumer (1 or more)")
      ->check(whole_number(std::numeric_limits<std::int64_t>::min()))
      ->type_name("N");
  command
      .add_option("--swapin-groupby", lms.swapin_groupby,
                  "Consumers at most this many levels apart share a swap-in (0: none do)")
      ->check(whole_number(std::numeric_limits<std::int64_t>::min()))
      ->type_name("N");
  command
      .add_option("--sync-mode", lms.sync_mode,
                  "0 asynchronous, 1 swap-outs synchronised, 2 swap-ins, 3 both")
      ->check(whole_number(std::numeric_limits<std::int64_t>::min()))
      ->type_name("N");
  command.add_option("--serialization", options.serialization,
                     "Levels whose ops run one after the other: 60:64,70 (with = for a minus)");
  command
      .add_option("--serialization-by-size", options.serialization_by_size,
                  "The same for levels that need more than SIZE")
      ->type_name("SIZE");
  command.add_option("--cpu-device", lms.cpu_device, "Device of the copies")->capture_default_str();
  command.add_option("--gpu-device", options.gpu_device,
                     "Look at this device only, e.g. /device:GPU:0 (default: all that are no CPU)");
  command.add_flag("--guard-conditionals", lms.guard_conditionals,
                   "Beyond the reference: never wait for an op that a conditional may skip");
  command.add_flag("--inference", options.inference, "The graph is run for inference");
  command.add_flag("--keras", lms.is_keras, "A Keras graph with a learning phase");
}

void add_filters(CLI::App& command, Lms2Arguments& options) {
  const auto add = [&](const char* name, std::string& value, const char* help) {
    command.add_option(name, value, help)->type_name("LIST")->group("Filters (comma lists)");
  };
  add("--excl-output-by-scopes", options.excl_output_by_scopes,
      "Never swap outputs of ops whose name begins with one of these");
  add("--excl-output-by-types", options.excl_output_by_types, "... of these op types");
  add("--excl-input-by-scopes", options.excl_input_by_scopes, "Never feed such ops from the host");
  add("--excl-input-by-types", options.excl_input_by_types, "... of these op types");
  add("--incl-output-by-scopes", options.incl_output_by_scopes, "Swap only outputs of such ops");
  add("--incl-output-by-types", options.incl_output_by_types, "... of these op types");
  add("--incl-input-by-scopes", options.incl_input_by_scopes, "Feed only such ops from the host");
  add("--incl-input-by-types", options.incl_input_by_types, "... of these op types");
  const auto add_override = [&](const char* name, std::string& value, const char* help) {
    command.add_option(name, value, help)->type_name("TENSOR,...")->group("Overrides");
  };
  add_override("--keep-tensors", options.keep_tensors, "Never swap these, whatever the rules say");
  add_override("--swap-tensors", options.swap_tensors,
               "Swap these, whatever filters and threshold say (not rank, not activity)");
}

void add_budget(CLI::App& command, Lms2Arguments& options) {
  const std::string group = "Automatic mode";
  command
      .add_option("--device-memory", options.device_memory,
                  "Find what is not given so that a step fits into SIZE")
      ->type_name("SIZE")
      ->group(group);
  command
      .add_option("--host-memory", options.host_memory,
                  "Warn when more is needed for copies (default: 64GiB)")
      ->type_name("SIZE")
      ->group(group);
  command
      .add_option("--memory-ratio", options.budget.ratio,
                  "Share of the device memory that may be used")
      ->type_name("R")
      ->group(group)
      ->capture_default_str();
}

}  // namespace

void add_lms2_options(CLI::App& command, Lms2Arguments& arguments) {
  add_parameters(command, arguments);
  add_budget(command, arguments);
  add_filters(command, arguments);
}

bool names_a_policy(const Lms2Arguments& arguments) {
  const Lms2Options& lms = arguments.lms;
  return lms.swapout_threshold != -1 || lms.swapin_ahead != -1 || lms.swapin_groupby != -1 ||
         !arguments.device_memory.empty();
}

// The parts of the options that CLI11 hands over as text.
Status complete(Lms2Arguments& options, const GraphArgument& graph) {
  Lms2Options& lms = options.lms;
  lms.serialization = split_list(options.serialization, ',');
  if (!options.serialization_by_size.empty()) {
    Bytes size = 0;
    TIDELINE_RETURN_IF_ERROR(
        read_size(options.serialization_by_size, "--serialization-by-size", size));
    lms.serialization_by_size = size;
  }
  if (!options.gpu_device.empty()) lms.gpu_device = options.gpu_device;
  lms.batch_size = graph.batch_size;
  lms.shapes = graph.tensor_options().shapes;
  lms.is_training = !options.inference;
  lms.excl_output = {split_list(options.excl_output_by_scopes, ','),
                     split_list(options.excl_output_by_types, ',')};
  lms.excl_input = {split_list(options.excl_input_by_scopes, ','),
                    split_list(options.excl_input_by_types, ',')};
  lms.incl_output = {split_list(options.incl_output_by_scopes, ','),
                     split_list(options.incl_output_by_types, ',')};
  lms.incl_input = {split_list(options.incl_input_by_scopes, ','),
                    split_list(options.incl_input_by_types, ',')};
  lms.keep_tensors = split_list(options.keep_tensors, ',');
  lms.swap_tensors = split_list(options.swap_tensors, ',');
  TIDELINE_RETURN_IF_ERROR(
      read_size(options.device_memory, "--device-memory", options.budget.device));
  TIDELINE_RETURN_IF_ERROR(read_size(options.host_memory, "--host-memory", options.budget.host));
  options.automatic = !options.device_memory.empty() && needs_tuning(lms);
  return options.automatic ? validate_tuning(lms, options.budget) : validate(lms);
}

Result<LmsPlan> plan_by_policy(const Lms2Arguments& policy, const io::Document& document,
                               Lms2Options& used, Progress& progress) {
  if (!policy.automatic) return plan_lms2(document.graph, document.collections, used, progress);
  TIDELINE_TRY(auto tuned, plan_lms2_within(document.graph, document.collections, used,
                                            policy.budget, progress));
  used = tuned.options;
  return std::move(tuned.plan);
}

}  // namespace tideline::cli
