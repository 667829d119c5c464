#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/lms2_options.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/io/functions.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/overrides.h"

namespace tideline::cli {
namespace {

struct WhyOptions {
  GraphArgument graph;
  std::string subject;
  std::string policy_name;
  Lms2Arguments policy;
};

void print_swap(const Graph& graph, const LmsPlan& plan, const PlannedSwap& swap) {
  fmt::print("{} ({}) is swapped: {}\n", graph.tensor_name(swap.tensor), format_bytes(swap.bytes),
             swap.why);
  for (const PlannedSwapIn& swap_in : swap.swap_ins) {
    fmt::print("  {} brings it back for", op_name(graph, plan, swap_in.copy));
    for (const OpId consumer : swap_in.consumers) fmt::print(" {}", graph.name(consumer));
    if (swap_in.trigger.valid()) {
      fmt::print(", after {} (level {})\n", graph.name(swap_in.trigger), swap_in.trigger_level);
    } else {
      fmt::print(", when its other inputs are there\n");
    }
  }
}

void print_tensor(const Graph& graph, const LmsPlan& plan, TensorId tensor) {
  const auto swap =
      std::find_if(plan.swaps.begin(), plan.swaps.end(),
                   [&](const PlannedSwap& candidate) { return candidate.tensor == tensor; });
  if (swap != plan.swaps.end()) return print_swap(graph, plan, *swap);
  const auto kept =
      std::find_if(plan.not_swapped.begin(), plan.not_swapped.end(),
                   [&](const KeptTensor& candidate) { return candidate.tensor == tensor; });
  if (kept != plan.not_swapped.end()) {
    fmt::print("{} ({}) stays: {}\n", graph.tensor_name(tensor), format_bytes(kept->bytes),
               kept->why);
    return;
  }
  fmt::print("{} stays: {}\n", graph.tensor_name(tensor),
             plan.already_edited ? "the graph was edited before, it is left as it is"
             : !plan.necessary   ? "LMS is not necessary, everything fits"
                                 : "there is no policy; give the parameters of one");
}

Status explain(const WhyOptions& options) {
  TerminalProgress progress(false);
  TIDELINE_TRY(const io::Document document, events::open_graph(options.graph.graph, progress));
  Diagnostics unreadable;
  const FunctionLibrary library = io::read_functions(document, unreadable);
  TensorOptions sizes = options.graph.tensor_options();
  sizes.functions = &library;
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(document.graph, sizes));
  const auto tensor = find_tensor(document.graph, tensors, options.subject);
  const OpId op = document.graph.find(options.subject);
  if (!tensor && !op.valid()) {
    return fail(Code::kNotFound,
                "there is no op or tensor '{}'; expected a name such as 'conv1/Relu' or "
                "'conv1/Relu:0'",
                printable(options.subject, 200));
  }
  if (!tensor) {
    fmt::print("{} has no output\n", document.graph.name(op));
    return {};
  }
  Lms2Options used = options.policy.lms;
  used.functions = &library;
  used.explain = true;
  LmsPlan plan;
  if (options.policy_name != "off") {
    TIDELINE_TRY(plan, plan_by_policy(options.policy, document, used, progress));
  }
  // An op's name stands for all its outputs.
  const std::uint32_t last = op.valid() ? tensors.output_count(op) - 1 : tensor->slot;
  for (std::uint32_t slot = tensor->slot; slot <= last; ++slot) {
    print_tensor(document.graph, plan, {tensor->op, slot});
  }
  return {};
}

int why(WhyOptions& options) {
  if (options.policy_name.empty()) {
    options.policy_name = names_a_policy(options.policy) ? "lms2" : "off";
  }
  if (Status status = complete(options.policy, options.graph);
      !status && options.policy_name != "off") {
    return report_usage(status.error());
  }
  if (Status status = explain(options); !status) {
    if (status.error().code == Code::kCancelled ||
        status.error().message.starts_with(options.graph.graph.path)) {
      return report(status.error());
    }
    return report(with_context(status.error(), options.graph.graph.path));
  }
  return kExitDone;
}

}  // namespace

void add_why(CLI::App& app, Action& action) {
  auto options = std::make_shared<WhyOptions>();
  CLI::App* command =
      app.add_subcommand("why", "The rule that decided about a tensor, with its values");
  add_graph(*command, options->graph);
  command
      ->add_option("TENSOR", options->subject, "A tensor (conv1/Relu:0), or an op for all of its")
      ->required();
  command
      ->add_option("--policy", options->policy_name,
                   "lms2 or off (default: off, lms2 when its parameters are given)")
      ->check(CLI::IsMember({"lms2", "off"}))
      ->type_name("NAME");
  add_lms2_options(*command, options->policy);
  command->callback([options, &action] { action = [options] { return why(*options); }; });
}

}  // namespace tideline::cli
