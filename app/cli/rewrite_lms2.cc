#include "app/cli/rewrite_lms2.h"

#include <limits>
#include <memory>

#include "app/cli/rewrite_lms.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/rewrite/lms2/lms2.h"

namespace tideline::cli {
namespace {

struct RewriteOptions {
  LmsArguments arguments;
  Lms2Options lms;
  std::string serialization;
  std::string serialization_by_size;
  std::string gpu_device;
  std::string excl_output_by_scopes, excl_output_by_types;
  std::string excl_input_by_scopes, excl_input_by_types;
  std::string incl_output_by_scopes, incl_output_by_types;
  std::string incl_input_by_scopes, incl_input_by_types;
  bool inference = false;
};

// The parts of the options that CLI11 hands over as text.
Status complete(RewriteOptions& options) {
  Lms2Options& lms = options.lms;
  lms.serialization = split_list(options.serialization, ',');
  if (!options.serialization_by_size.empty()) {
    auto size = parse_size(options.serialization_by_size);
    if (!size) {
      return tl::unexpected(with_context(std::move(size).error(), "--serialization-by-size"));
    }
    lms.serialization_by_size = *size;
  }
  if (!options.gpu_device.empty()) lms.gpu_device = options.gpu_device;
  lms.is_training = !options.inference;
  lms.excl_output = {split_list(options.excl_output_by_scopes, ','),
                     split_list(options.excl_output_by_types, ',')};
  lms.excl_input = {split_list(options.excl_input_by_scopes, ','),
                    split_list(options.excl_input_by_types, ',')};
  lms.incl_output = {split_list(options.incl_output_by_scopes, ','),
                     split_list(options.incl_output_by_types, ',')};
  lms.incl_input = {split_list(options.incl_input_by_scopes, ','),
                    split_list(options.incl_input_by_types, ',')};
  lms.explain = options.arguments.wants_reasons();
  return validate(lms);
}

int rewrite(RewriteOptions& options) {
  if (Status status = complete(options); !status) return report_usage(status.error());
  const LmsMode mode{
      [&](const io::Document& document, const TensorOptions& sizes, Progress& progress) {
        options.lms.batch_size = sizes.batch_size;
        options.lms.shapes = sizes.shapes;
        options.lms.functions = sizes.functions;
        return plan_lms2(document.graph, document.collections, options.lms, progress);
      },
      [&](const Graph& graph, const LmsPlan& plan, const PlanHead& head) {
        return plan_json(graph, plan, options.lms, head);
      }};
  return rewrite_lms(options.arguments, mode);
}

void add_parameters(CLI::App& command, RewriteOptions& options) {
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

void add_filters(CLI::App& command, RewriteOptions& options) {
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
}

}  // namespace

void add_rewrite_lms2(CLI::App& rewrite_command, Action& action) {
  auto options = std::make_shared<RewriteOptions>();
  CLI::App* command = rewrite_command.add_subcommand(
      "lms2", "Large model support, version 2: swap tensors to the host and back");
  add_lms_arguments(*command, options->arguments);
  add_parameters(*command, *options);
  add_filters(*command, *options);
  command->callback([options, &action] { action = [options] { return rewrite(*options); }; });
}

}  // namespace tideline::cli
