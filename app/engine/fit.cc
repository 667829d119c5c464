// Tested by unit/engine/fit_test.cc, property/fit.py and the golden case fit.
#include "app/engine/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "app/engine/fit_curves.h"
#include "app/engine/fit_step.h"
#include "app/engine/fit_ways.h"
#include "app/engine/opened_graph.h"
#include "core/base/shared_progress.h"
#include "core/base/text.h"

namespace tideline::app {
namespace {

// Everything that is no CPU counts as one device, as in `simulate`.
void warn_of_devices(const FitSteps& steps, std::vector<Warning>& warnings) {
  Diagnostics told_when_opened;
  const auto devices = find_devices(steps.graph().graph(), told_when_opened);
  const bool is_chosen = step_options(steps.request().policy, {}, nullptr).gpu_device.has_value();
  if (devices.size() < 2 || is_chosen) return;
  warnings.push_back({"devices",
                      fmt::format("the graph names {} devices, which count as one; {{gpu-device}} "
                                  "chooses one of them",
                                  devices.size()),
                      "gpu-device"});
}

// A device that no op names would need nothing, and anything would fit it.
Status check_device(const Graph& graph, const FitRequest& request) {
  const auto chosen = step_options(request.policy, {}, nullptr).gpu_device;
  const std::vector<std::string_view>& names = graph.devices();
  const bool is_named = !chosen || std::ranges::any_of(names, [&](std::string_view name) {
    return equal_ignoring_case(name, *chosen);
  });
  if (is_named) return {};
  std::vector<std::string_view> others;
  std::ranges::copy_if(names, std::back_inserter(others), [](auto name) { return !name.empty(); });
  return fail(Code::kNotFound, "{{gpu-device}}: no op is on '{}'; the graph names {}", *chosen,
              others.empty() ? "no device" : fmt::format("{}", fmt::join(others, ", ")));
}

void warn_of_order(const LargestBatch& largest, std::vector<Warning>& warnings) {
  if (largest.is_monotone) return;
  warnings.push_back({"batch",
                      "a larger batch needs less memory at times, so that one beyond the largest "
                      "that was found may fit, too"});
}

FitWay as_it_is(const Fit& fit) {
  FitWay way;
  way.id = "none";
  way.title = "as it is";
  way.fits = true;
  way.batch = fit.step.batch;
  way.peak = fit.step.peak;
  way.step_ns = fit.step.step_ns;
  way.cost = "nothing";
  return way;
}

}  // namespace

bool Fit::any_fits() const {
  return step.fits ||
         std::any_of(ways.begin(), ways.end(), [](const FitWay& way) { return way.fits; });
}

Result<Fit> fit(const SizedGraph& graph, const FitRequest& request, Progress& progress) {
  SharedProgress shared(progress);
  SharedProgress::Worker main(shared);
  TIDELINE_RETURN_IF_ERROR(check_device(graph.graph(), request));
  TIDELINE_TRY(const FitSteps steps, FitSteps::make(graph, request));
  Fit fit;
  fit.device = request.device;
  fit.memory = request.policy.budget->device;
  fit.budget = steps.budget();
  fit.profile = request.profile.name;
  TIDELINE_TRY(fit.step, steps.step(main));
  Policy off = request.policy;
  off.rewriter = kPolicyOff;
  fit.run = with_executor(steps.run(off), graph.source->facts);
  warn_of_devices(steps, fit.warnings);
  FitWays ways(steps, fit.step, shared);
  const bool wants_ways = !fit.step.fits && (request.wants_ways || request.wants_curve);
  if (wants_ways) ways.begin_rewriters();  // while batches are tried here
  TIDELINE_TRY(fit.largest,
               find_largest_batch([&](std::int64_t batch) { return steps.peak(batch, main); },
                                  fit.budget, steps.batch()));
  warn_of_order(fit.largest, fit.warnings);
  if (fit.step.fits) fit.ways.push_back(as_it_is(fit));
  if (wants_ways) {
    TIDELINE_RETURN_IF_ERROR(ways.add_batches(fit.largest, main));
    TIDELINE_RETURN_IF_ERROR(ways.finish());
    for (const TriedWay& tried : ways.tried()) fit.ways.push_back(tried.way);
    fit.missing = ways.take_missing();
  }
  if (request.wants_curve) {
    TIDELINE_TRY(fit.curve, fit_curve(steps, fit, ways, main));
  }
  return fit;
}

}  // namespace tideline::app
