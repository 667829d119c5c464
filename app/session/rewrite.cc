// Tested by the golden cases chain and lms1, and by integration/apply_plan_test.py.
#include "app/session/rewrite.h"

#include "app/session/apply_plan.h"
#include "app/session/measure.h"
#include "app/session/replanner.h"
#include "core/base/version.h"
#include "core/graph/graph_edit.h"
#include "core/io/digest.h"
#include "core/rewrite/plan_json.h"
#include "core/rewrite/predict.h"

namespace tideline::session {
namespace {

PlanHead head_of(const io::Document& document, const std::string& file) {
  return {fmt::format("tideline {}", kVersion), file, io::sha256_hex(document.graph_bytes),
          document.function};
}

// With what the faithful model says of it.
Result<Outcome> plan_link(const SizedGraph& graph, const RewriteOptions& options,
                          const Policy& policy, Progress& progress) {
  TIDELINE_TRY(Outcome made, Replanner(graph).plan(policy, options.explain, progress));
  if (options.wants_prediction && !made.plan.report) {
    const TensorOptions sizes = graph.options();
    StepOptions step = step_options(policy, policy.search.fetches, sizes.functions);
    step.measured = sizes.measured;
    const CostModel costs = graph.costs(policy.search.profile);
    TIDELINE_RETURN_IF_ERROR(
        predict(graph.graph(), graph.document().collections, sizes, step, made.plan, &costs));
  }
  return made;
}

// Of `made`, for the graph of `here`; `changed` is what it gives.
Result<std::string> plan_text(const SizedGraph& here, const Outcome& made, const Graph& changed,
                              const std::string& file, Progress& progress) {
  PlanHead head = head_of(here.document(), file);
  if (made.plan.report) {
    TIDELINE_TRY(head.written, written_graph(here.document(), changed, progress));
  }
  return plan_json(here.graph(), made.plan, *made.used.chosen(), made.used.values, head);
}

}  // namespace

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
    auto made = plan_link(here, options, options.policies[i], progress);
    if (!made) {
      if (made.error().code == Code::kCancelled) return tl::unexpected(made.error());
      Error error = std::move(made).error();
      if (i > 0) error.message = fmt::format("--then {}: {}", i, error.message);
      return tl::unexpected(with_context(std::move(error), path));
    }
    TIDELINE_TRY(result.graph, apply(*graph, made->plan.edit));
    if (options.wants_plan) {
      // What lies between two rewriters is in no file.
      TIDELINE_TRY(std::string text,
                   plan_text(here, *made, result.graph, i == 0 ? path : "", progress));
      plans.push_back(std::move(text));
    }
    result.links.push_back({graph, *std::move(made)});
  }
  if (plans.size() > 1) {
    result.plan_json = chain_json(original.graph(), plans, head_of(original.document(), path));
  } else if (!plans.empty()) {
    result.plan_json = std::move(plans.front());
  }
  return result;
}

}  // namespace tideline::session
