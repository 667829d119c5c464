// Tested by the golden cases chain and lms1, and by integration/apply_plan_test.py.
#include "app/engine/rewrite.h"

#include "app/engine/apply_plan.h"
#include "app/engine/confirm_idle.h"
#include "app/engine/measure.h"
#include "app/engine/opened_graph.h"
#include "app/engine/replanner.h"
#include "core/base/version.h"
#include "core/graph/graph_edit.h"
#include "core/io/digest.h"
#include "core/rewrite/plan/plan_json.h"
#include "core/rewrite/predict.h"

namespace tideline::app {
namespace {

PlanHead head_of(const io::Document& document, const std::string& file) {
  return {fmt::format("tideline {}", kVersion), file, io::sha256_hex(document.graph_bytes),
          document.function};
}

// The devices that a plan makes of one; the empty name stands for that of the graph.
std::vector<std::string> devices_of(const Graph& changed, const RewritePlan& plan) {
  std::vector<std::string> names = {""};
  if (!plan.report->shows_result()) return names;
  Diagnostics told_when_opened;
  const std::vector<DeviceName> devices = find_devices(changed, told_when_opened);
  if (devices.size() < 2) return names;
  names.clear();
  for (const DeviceName& device : devices) names.push_back(device.name);
  return names;
}

// With what the faithful model says of it; `changed` becomes the graph that it gives.
Result<RewriteLink> plan_link(const SizedGraph& graph, const RewriteOptions& options,
                              const Policy& policy, Graph& changed, Progress& progress) {
  RewriteLink link;
  Replanner replanner(graph);
  TIDELINE_TRY(link.made, replanner.plan(policy, options.explain, progress));
  const RewritePlan& plan = link.made.plan;
  TIDELINE_TRY(changed, apply(graph.graph(), plan));
  if (options.wants_prediction && !plan.cycle(graph.graph())) {
    const TensorOptions sizes = graph.options();
    StepOptions step = step_options(policy, policy.search.fetches, sizes.functions);
    step.measured = sizes.measured;
    const CostModel costs = graph.costs(policy.search.profile);
    // Where one device becomes several, the one with the largest peak counts.
    for (const std::string& device : devices_of(changed, plan)) {
      TIDELINE_TRY(PlanPrediction made, predict(graph.graph(), graph.document().collections, sizes,
                                                step, plan, &costs, device));
      if (!link.predicted || made.device_peak_bytes > link.predicted->device_peak_bytes) {
        link.predicted = std::move(made);
      }
    }
    // Plan JSON alone says which swaps are idle.
    if (options.wants_plan && may_have_idle(link.predicted->effects)) {
      TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
      TIDELINE_TRY(const auto original,
                   make_device_step(*graph.source, tensors, {"", step.gpu_device}, step.fetches,
                                    graph.measured.get()));
      TIDELINE_RETURN_IF_ERROR(confirm_idle(replanner, *original, step.fetches, link.made,
                                            link.predicted->device_peak_bytes,
                                            link.predicted->effects, progress));
    }
  }
  return link;
}

// Of `link`, for the graph of `here`; `changed` is what it gives.
Result<std::string> plan_text(const SizedGraph& here, const RewriteLink& link, const Graph& changed,
                              const std::string& file, Progress& progress) {
  PlanHead head = head_of(here.document(), file);
  const Outcome& made = link.made;
  if (made.plan.report->has_written_digest()) {
    TIDELINE_TRY(head.written, written_graph(here.document(), changed, progress));
  }
  return plan_json(here.graph(), made.plan, *made.used.chosen(), made.used.values, head,
                   link.predicted ? &*link.predicted : nullptr);
}

}  // namespace

std::vector<Warning> RewriteLink::warnings() const {
  if (!predicted) return made.plan.warnings;
  return made.plan.warnings_at(predicted->device_peak_before, predicted->device_peak_bytes);
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
      TIDELINE_TRY(std::string text,
                   plan_text(here, *made, result.graph, i == 0 ? path : "", progress));
      plans.push_back(std::move(text));
    }
    made->graph = graph;
    result.links.push_back(*std::move(made));
  }
  if (plans.size() > 1) {
    result.plan_json = chain_json(original.graph(), plans, head_of(original.document(), path));
  } else if (!plans.empty()) {
    result.plan_json = std::move(plans.front());
  }
  return result;
}

}  // namespace tideline::app
