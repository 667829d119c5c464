// Tested by the golden cases chain and lms1, and by integration/apply_plan_test.py.
#include "app/engine/rewrite.h"

#include "app/engine/apply_plan.h"
#include "app/engine/confirm_idle.h"
#include "app/engine/device_result.h"
#include "app/engine/measure.h"
#include "app/engine/replanner.h"
#include "core/base/version.h"
#include "core/graph/graph_edit.h"
#include "core/io/digest.h"
#include "core/rewrite/inline/inlining_json.h"
#include "core/rewrite/plan/plan_json.h"

namespace tideline::app {
namespace {

// For the graph in the file.
PlanHead head_of(const io::Document& document, const std::string& file) {
  return {fmt::format("tideline {}", kVersion), file, io::sha256_hex(document.graph_bytes),
          document.function};
}

const Graph& graph_in_file(const ReadGraph& source) {
  return source.inlined ? source.inlined->original : source.document.graph;
}

// As plan_text, without the plan that inlines calls.
Result<std::string> link_text(const ReadGraph& source, const std::string& file, const Outcome& made,
                              const Graph& changed, const std::optional<PlanPrediction>& predicted,
                              Progress& progress) {
  const io::Document& document = source.document;
  PlanHead head = head_of(document, source.inlined ? "" : file);
  if (source.inlined) {
    TIDELINE_TRY(const WrittenGraph written, written_graph(document, document.graph, progress));
    head.digest = written.digest;
  }
  if (made.plan.report->has_written_digest()) {
    TIDELINE_TRY(head.written, written_graph(document, changed, progress));
  }
  return plan_json(document.graph, made.plan, *made.used.chosen(), made.used.values, head,
                   predicted ? &*predicted : nullptr);
}

// All that is done to the graph in the file, by plans that follow each other.
std::string chained(const ReadGraph& source, const std::string& file,
                    std::vector<std::string> plans) {
  const Graph& graph = graph_in_file(source);
  const PlanHead head = head_of(source.document, file);
  if (source.inlined) {
    plans.insert(plans.begin(), inlining_plan_json(graph, source.inlined->made, head));
  }
  return plans.size() == 1 ? std::move(plans.front()) : chain_json(graph, plans, head);
}

// The step of each device that `plan`, which gives `changed`, makes of one, or of the one device.
Result<std::vector<DeviceResult>> simulate_devices(const SizedGraph& graph, const Policy& policy,
                                                   const RewritePlan& plan, const Graph& changed) {
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  const StepOptions step = step_options(policy, policy.search.fetches, &graph.source->functions);
  const CostModel costs = graph.costs(policy.search.profile);
  const bool becomes_several = plan.report->shows_result();
  TIDELINE_TRY(const std::optional<Bytes> budget, step_budget(graph, policy));
  TIDELINE_TRY(DeviceResult one, simulate_device(graph, tensors, step, costs,
                                                 becomes_several ? nullptr : &plan, budget));
  std::vector<DeviceResult> devices;
  devices.push_back(std::move(one));
  if (!becomes_several) return devices;
  SizedGraph result = graph;
  result.source = with_graph(*graph.source, changed);
  TIDELINE_TRY(const TensorTable sizes, result.tensors(SizeModel::kFaithful));
  Diagnostics told_when_opened;
  std::vector<std::shared_ptr<const DeviceStep>> steps;
  for (StepDevice& device : find_devices(changed, told_when_opened)) {
    TIDELINE_TRY(auto made, make_device_step(*result.source, sizes, std::move(device), step.fetches,
                                             graph.measured.get(), graph.run));
    steps.push_back(std::move(made));
  }
  return compare_devices(devices, steps, costs);
}

// With what the faithful model says of it; `changed` becomes the graph that it gives.
Result<RewriteLink> plan_link(const SizedGraph& graph, const RewriteOptions& options,
                              const Policy& policy, Graph& changed, Progress& progress) {
  RewriteLink link;
  Replanner replanner(graph);
  TIDELINE_TRY(link.made, replanner.plan(policy, options.explain, progress));
  const RewritePlan& plan = link.made.plan;
  const bool is_cycle = plan.cycle(graph.graph()).has_value();
  if (options.wants_graph || is_cycle || plan.report->shows_result()) {
    TIDELINE_TRY(changed, apply(graph.graph(), plan));
  }
  if (!options.wants_prediction || is_cycle) return link;
  TIDELINE_TRY(auto devices, simulate_devices(graph, policy, plan, changed));
  // Plan JSON alone says which swaps are idle.
  if (options.wants_plan) {
    TIDELINE_RETURN_IF_ERROR(
        confirm_idle(replanner, policy.search.fetches, link.made, devices.front(), progress));
  }
  link.predicted = prediction_of(devices);
  return link;
}

}  // namespace

Result<std::string> plan_text(const ReadGraph& source, const std::string& file, const Outcome& made,
                              const Graph& changed, const std::optional<PlanPrediction>& predicted,
                              Progress& progress) {
  TIDELINE_TRY(std::string text, link_text(source, file, made, changed, predicted, progress));
  return chained(source, file, {std::move(text)});
}

std::vector<Warning> RewriteLink::warnings() const {
  if (!predicted) return made.plan.warnings;
  return made.plan.warnings_at(predicted->device_peak_before, predicted->device_peak_bytes,
                               predicted->effects, predicted->time ? &*predicted->time : nullptr);
}

std::optional<Cycle> Rewritten::cycle() const {
  std::optional<Cycle> found;
  for (const RewriteLink& link : links) {
    auto cycle = link.made.plan.cycle(*link.graph);
    if (cycle && found) return std::nullopt;
    if (cycle) found = std::move(cycle);
  }
  return found;
}

Result<Rewritten> rewrite(const SizedGraph& original, const RewriteOptions& options,
                          Progress& progress) {
  const std::string& path = original.source->choice.path;
  Rewritten result;
  std::vector<std::string> plans;
  SizedGraph here = original;
  std::shared_ptr<const Graph> graph(original.source, &original.graph());
  for (std::size_t i = 0; i < options.policies.size(); ++i) {
    if (i > 0) {
      graph = std::make_shared<const Graph>(std::move(result.graph));
      TIDELINE_TRY(io::Document written, reopened(original.document(), *graph, progress));
      here.source = std::make_shared<const ReadGraph>(original.source->choice, std::move(written));
      if (original.measured) {
        // What was measured is known by the ids of ops, which the edit may have changed.
        TIDELINE_TRY(here.measured, measure_again(*here.source, *original.measured));
      }
    }
    auto made = plan_link(here, options, options.policies[i], result.graph, progress);
    if (!made) {
      if (made.error().code == Code::kCancelled) return tl::unexpected(made.error());
      Error error = std::move(made).error();
      if (i > 0) error.message = fmt::format("--then {}: {}", i, error.message);
      return tl::unexpected(with_context(std::move(error), path));
    }
    if (options.wants_plan) {
      // What lies between two rewriters is in no file.
      TIDELINE_TRY(std::string text, link_text(*here.source, i == 0 ? path : "", made->made,
                                               result.graph, made->predicted, progress));
      plans.push_back(std::move(text));
    }
    made->graph = graph;
    result.links.push_back(*std::move(made));
  }
  if (!plans.empty()) result.plan_json = chained(*original.source, path, std::move(plans));
  return result;
}

}  // namespace tideline::app
