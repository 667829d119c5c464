#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/policy_options.h"
#include "app/cli/terminal.h"
#include "app/session/planned_peaks.h"
#include "app/session/replanner.h"
#include "app/session/snapshot.h"
#include "core/base/text.h"
#include "core/graph/nearest_names.h"
#include "core/rewrite/overrides.h"
#include "core/rewrite/tensor_stretches.h"

namespace tideline::cli {
namespace {

struct WhyOptions {
  GraphArgument graph;
  std::string subject;
  PolicyArguments policy;
};

void print_swap(const Graph& graph, const RewritePlan& plan, const PlannedSwap& swap) {
  say("{} ({}) is swapped: {}\n", graph.tensor_name(swap.tensor), format_bytes(swap.bytes),
      swap.why);
  for (const PlannedSwapIn& swap_in : swap.swap_ins) {
    say("  {} copies it back for", op_name(graph, plan, swap_in.copy));
    for (const OpId consumer : swap_in.consumers) say(" {}", graph.name(consumer));
    if (swap_in.trigger.valid()) {
      say(", after {} ({} {})\n", graph.name(swap_in.trigger),
          plan.version == 1 ? "order" : "level", swap_in.trigger_level);
    } else if (plan.version == 1) {
      say(", at any time\n");
    } else {
      say(", once its other inputs are available\n");
    }
  }
}

void print_tensor(const Graph& graph, const RewritePlan& plan, TensorId tensor) {
  const auto swap =
      std::find_if(plan.swaps.begin(), plan.swaps.end(),
                   [&](const PlannedSwap& candidate) { return candidate.tensor == tensor; });
  if (swap != plan.swaps.end()) return print_swap(graph, plan, *swap);
  const auto kept =
      std::find_if(plan.not_swapped.begin(), plan.not_swapped.end(),
                   [&](const KeptTensor& candidate) { return candidate.tensor == tensor; });
  if (kept != plan.not_swapped.end()) {
    say("{} ({}) is not swapped: {}\n", graph.tensor_name(tensor), format_bytes(kept->bytes),
        kept->why);
    return;
  }
  say("{} is not swapped: {}\n", graph.tensor_name(tensor),
      "there is no policy; give the parameters of one");
}

// The step with the plan, and where tensors lie in it.
class Step {
 public:
  static Result<Step> simulate(const session::SizedGraph& opened, const Policy& policy,
                               const RewritePlan* plan) {
    const session::ReadGraph& source = *opened.source;
    TIDELINE_TRY(const TensorTable tensors, opened.tensors(SizeModel::kFaithful));
    const StepOptions options = step_options(policy, policy.search.fetches, &source.functions);
    Step step(complete_levels(opened.graph()), plan);
    TIDELINE_TRY(step.original_,
                 session::make_device_step(source, tensors,
                                           {options.gpu_device.value_or(""), options.gpu_device},
                                           options.fetches, opened.measured.get()));
    if (plan != nullptr) {
      step.planned_ = session::simulate_plan(*step.original_, opened.graph(), *plan).step;
    }
    return step;
  }

  void print(const Graph& graph, TensorId tensor) const {
    const FaithfulStep& step = planned_ ? *planned_ : original_->before;
    const TensorStretches found =
        find_stretches(graph, levels_, original_->graph, plan_, step, tensor);
    say("  memory by level: {}\n", stretches_text(graph, found));
  }

 private:
  Step(LevelMap levels, const RewritePlan* plan) : levels_(std::move(levels)), plan_(plan) {}

  LevelMap levels_;
  const RewritePlan* plan_;  // null without a policy
  std::shared_ptr<const session::DeviceStep> original_;
  std::optional<FaithfulStep> planned_;
};

// The messages do not name the document.
Status explain(const WhyOptions& options, const session::SizedGraph& opened, Progress& progress) {
  const Graph& graph = opened.graph();
  TIDELINE_TRY(const TensorTable tensors, opened.tensors(SizeModel::kCompatible));
  const auto tensor = find_tensor(graph, tensors, options.subject);
  const OpId op = graph.find(options.subject);
  if (!tensor && !op.valid()) {
    return fail(Code::kNotFound,
                "there is no op or tensor '{}'{}; expected a name such as 'conv1/Relu' or "
                "'conv1/Relu:0'",
                printable(options.subject, 200), nearest_ops(graph, options.subject));
  }
  if (!tensor) {
    say("{} has no output\n", graph.name(op));
    return {};
  }
  Policy policy = options.policy.policy;
  if (policy.search.fetches.empty()) {
    TIDELINE_TRY(const auto run,
                 session::find_run(opened, step_options(policy, {}, nullptr).gpu_device,
                                   tensor ? tensor->op : op));
    if (run) {
      policy.search.fetches = run->fetches;
      say("in the {}:\n", run->name);
    }
  }
  session::Replanner replanner(opened);
  TIDELINE_TRY(const Outcome made, replanner.plan(policy, /*explain=*/true, progress));
  // An op's name stands for all its outputs.
  const std::uint32_t last = op.valid() ? tensors.output_count(op) - 1 : tensor->slot;
  TIDELINE_TRY(const Step step,
               Step::simulate(opened, policy, made.used.is_off() ? nullptr : &made.plan));
  for (std::uint32_t slot = tensor->slot; slot <= last; ++slot) {
    print_tensor(graph, made.plan, {tensor->op, slot});
    step.print(graph, {tensor->op, slot});
  }
  return {};
}

int why(WhyOptions& options) {
  if (const auto refused = refuse_policy(options.policy)) return *refused;
  TerminalProgress progress(false);
  const auto opened = open_sized_graph(options.graph, "", progress);
  if (!opened) return report(opened.error());
  const Status status = explain(options, *opened, progress);
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
  add_rounds(command, options->graph);
  add_plan(command, options->graph);
  command
      .add_option("TENSOR", options->subject,
                  "A tensor (conv1/Relu:0), or an op for all of its outputs")
      .required();
  add_policy_options(command, options->policy);
  add_search_options(command, options->policy.policy.search);
  command.callback([options, &action] { action = [options] { return why(*options); }; });
}

}  // namespace tideline::cli
