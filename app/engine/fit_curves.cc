// Tested by unit/engine/fit_test.cc and the golden case fit.
#include "app/engine/fit_curves.h"

#include <algorithm>
#include <cmath>

namespace tideline::app {
namespace {

constexpr std::size_t kMostWays = 3;

// From a quarter of the smaller one of the two that matter, the batch that was asked about and the
// largest that fits, to four times the larger one: powers of two, and these two.
std::vector<std::int64_t> batches_around(const FitSteps& steps, const LargestBatch& largest) {
  const std::int64_t fits = largest.batch.value_or(0);
  const std::int64_t low =
      std::max<std::int64_t>(1, std::min(steps.batch(), std::max<std::int64_t>(fits, 1)) / 4);
  const std::int64_t high = std::min(kMostBatch, 4 * std::max(steps.batch(), fits));
  std::vector<std::int64_t> batches = {steps.batch(), std::max<std::int64_t>(fits, 1)};
  for (std::int64_t batch = 1; batch <= high; batch *= 2) {
    if (batch >= low) batches.push_back(batch);
  }
  std::sort(batches.begin(), batches.end());
  batches.erase(std::unique(batches.begin(), batches.end()), batches.end());
  return batches;
}

// What a way is made of: a rewriter and one of its attempts.
struct Way {
  const Rewriter* rewriter = nullptr;
  Attempt attempt;
  Policy policy;
};

// The best of those that were tried. Where nothing was, because the step fits, they are tried now.
Result<std::vector<Way>> best_ways(FitWays& ways, const Fit& fit) {
  if (ways.tried().empty() && fit.step.fits) {
    ways.begin_rewriters();
    TIDELINE_RETURN_IF_ERROR(ways.finish());
  }
  std::vector<Way> best;
  for (const TriedWay& tried : ways.tried()) {
    const Rewriter* rewriter = find_rewriter(tried.way.id);
    // One of each kind: towers on 2 and on 4 devices tell the same.
    const bool is_there = std::any_of(best.begin(), best.end(),
                                      [&](const Way& way) { return way.rewriter == rewriter; });
    if (rewriter == nullptr || is_there || best.size() == kMostWays) continue;
    best.push_back({rewriter, {tried.way.title, {}, tried.way.devices}, tried.used});
  }
  return best;
}

}  // namespace

Result<render::FitCurve> fit_curve(const FitSteps& steps, const Fit& fit, FitWays& ways,
                                   Progress& progress) {
  render::FitCurve curve;
  if (!fit.largest.depends_on_batch) return curve;
  curve.budget = fit.budget;
  curve.batch = fit.step.batch;
  const std::vector<std::int64_t> batches = batches_around(steps, fit.largest);
  const auto total = static_cast<std::int64_t>(batches.size());
  render::FitLine as_it_is{"as it is", {}};
  for (std::int64_t i = 0; i < total; ++i) {
    if (!progress.report("batch sizes", i, total)) return cancelled();
    const std::int64_t batch = batches[static_cast<std::size_t>(i)];
    const auto result = steps.simulate(steps.with_batch(batch), progress);
    if (!result && result.error().code == Code::kCancelled) return cancelled();
    if (!result) continue;
    TIDELINE_TRY(const double scale, steps.time_scale(steps.with_batch(batch), progress));
    const double ns = scale * static_cast<double>(result->timing.before_ns);
    as_it_is.points.push_back({batch, result->peak_before(), ns / static_cast<double>(batch),
                               result->peak_before() <= fit.budget});
  }
  curve.lines.push_back(std::move(as_it_is));
  TIDELINE_TRY(const std::vector<Way> best, best_ways(ways, fit));
  for (const Way& way : best) {
    render::FitLine line{way.attempt.title, {}};
    for (std::int64_t i = 0; i < total; ++i) {
      if (!progress.report("batch sizes", i, total)) return cancelled();
      const std::int64_t batch = batches[static_cast<std::size_t>(i)];
      const auto planned = ways.plan(*way.rewriter, way.attempt, way.policy, batch, progress);
      if (!planned && planned.error().code == Code::kCancelled) {
        if (!steps.request().is_late || !steps.request().is_late()) return cancelled();
      }
      if (!planned) continue;
      line.points.push_back({batch, planned->peak, planned->example_ns(), planned->fits});
    }
    if (!line.points.empty()) curve.lines.push_back(std::move(line));
  }
  return curve;
}

}  // namespace tideline::app
