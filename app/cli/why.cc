#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/policy_options.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/io/functions.h"
#include "core/rewrite/overrides.h"

namespace tideline::cli {
namespace {

struct WhyOptions {
  GraphArgument graph;
  std::string subject;
  PolicyArguments policy;
};

void print_swap(const Graph& graph, const LmsPlan& plan, const PlannedSwap& swap) {
  fmt::print("{} ({}) is swapped: {}\n", graph.tensor_name(swap.tensor), format_bytes(swap.bytes),
             swap.why);
  for (const PlannedSwapIn& swap_in : swap.swap_ins) {
    fmt::print("  {} copies it back for", op_name(graph, plan, swap_in.copy));
    for (const OpId consumer : swap_in.consumers) fmt::print(" {}", graph.name(consumer));
    if (swap_in.trigger.valid()) {
      fmt::print(", after {} ({} {})\n", graph.name(swap_in.trigger),
                 plan.version == 1 ? "order" : "level", swap_in.trigger_level);
    } else if (plan.version == 1) {
      fmt::print(", at any time\n");
    } else {
      fmt::print(", once its other inputs are available\n");
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
    fmt::print("{} ({}) is not swapped: {}\n", graph.tensor_name(tensor), format_bytes(kept->bytes),
               kept->why);
    return;
  }
  fmt::print("{} is not swapped: {}\n", graph.tensor_name(tensor),
             "there is no policy; give the parameters of one");
}

// The messages do not name the document.
Status explain(const WhyOptions& options, const io::Document& document, Progress& progress) {
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
  TIDELINE_TRY(const Outcome made,
               make_plan(document.graph, document.collections, sizes, options.policy.policy,
                         /*explain=*/true, progress));
  // An op's name stands for all its outputs.
  const std::uint32_t last = op.valid() ? tensors.output_count(op) - 1 : tensor->slot;
  for (std::uint32_t slot = tensor->slot; slot <= last; ++slot) {
    print_tensor(document.graph, made.plan, {tensor->op, slot});
  }
  return {};
}

int why(WhyOptions& options) {
  if (const auto refused = refuse_policy(options.policy)) return *refused;
  TerminalProgress progress(false);
  const auto document = events::open_graph(options.graph.graph, progress);
  if (!document) return report(document.error());
  const Status status = explain(options, *document, progress);
  if (status) return kExitDone;
  if (status.error().code == Code::kCancelled) return report(status.error());
  return report(with_context(status.error(), options.graph.graph.path));
}

}  // namespace

void add_why(const Command& app, Action& action) {
  auto options = std::make_shared<WhyOptions>();
  const Command command = app.add_subcommand(
      "why", "Why a tensor is swapped or not: the deciding rule, with its values");
  add_graph(command, options->graph);
  command
      .add_option("TENSOR", options->subject,
                  "A tensor (conv1/Relu:0), or an op for all of its outputs")
      .required();
  add_policy_options(command, options->policy);
  add_search_options(command, options->policy.policy.search);
  command.callback([options, &action] { action = [options] { return why(*options); }; });
}

}  // namespace tideline::cli
