// Tested by unit/session/snapshot_test.cc.
#include "app/session/snapshot.h"

#include <algorithm>
#include <future>

#include "core/base/text.h"
#include "core/rewrite/predict.h"

namespace tideline::session {
namespace {

std::vector<Bytes> swapped_by_scope(const OpenedGraph& graph, const RewritePlan& plan) {
  const ScopeTree& tree = graph.file->scopes;
  std::vector<Bytes> bytes(tree.scopes.size());
  for (const PlannedSwap& swap : plan.swaps) {
    Bytes& sum = bytes[tree.scope_of[swap.tensor.op.index()]];
    sum = saturating_add(sum, graph.tensors.bytes(swap.tensor));
  }
  for (std::size_t i = tree.scopes.size(); i-- > 1;) {
    Bytes& above = bytes[tree.scopes[i].parent];
    above = saturating_add(above, bytes[i]);
  }
  return bytes;
}

// All devices side by side: one after the other, a slider would wait for each of them. Time and
// effects are of the first, the one that the policy is about.
void simulate_all(Snapshot& snapshot) {
  if (!snapshot.has_plan()) return;
  const auto simulate = [&snapshot](DeviceResult& result) {
    return simulate_plan(*result.original, snapshot.graph->graph(), snapshot.plan());
  };
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < snapshot.devices.size(); ++i) {
    others.push_back(std::async(std::launch::async, [&snapshot, &simulate, i] {
      snapshot.devices[i].after = simulate(snapshot.devices[i]).step;
    }));
  }
  DeviceResult& first = snapshot.devices.front();
  PlannedStep planned = simulate(first);
  snapshot.timing = report_time(snapshot.timing, planned.graph, planned.step,
                                snapshot.graph->sized().costs(snapshot.profile));
  snapshot.effects = swap_effects(planned.graph, planned.step, snapshot.plan());
  first.after = std::move(planned.step);
  for (std::future<void>& other : others) other.get();
}

}  // namespace

PlannedStep simulate_plan(const DeviceStep& original, const Graph& graph, const RewritePlan& plan) {
  PlannedStep planned;
  planned.graph = edited(original.graph, graph, plan.edit, original.device.gpu_device);
  planned.step = simulate_step(planned.graph);
  return planned;
}

render::Scene Snapshot::scene() const {
  render::Scene scene;
  scene.graph = &graph->graph();
  scene.tensors = &graph->tensors;
  scene.consumers = &graph->file->consumers;
  scene.levels = &graph->file->levels;
  scene.scopes = &graph->file->scopes;
  scene.phases = &graph->file->phases;
  scene.plan = has_plan() ? &plan() : nullptr;
  for (const DeviceResult& device : devices) {
    const FaithfulStep& before = device.original->before;
    render::DeviceCurves curves;
    curves.device = device.original->device.name;
    curves.before = &before.timeline;
    curves.before_step = &before;
    if (device.after) {
      curves.after = &device.after->timeline;
      curves.after_step = &*device.after;
    }
    scene.devices.push_back(curves);
  }
  scene.timing = &timing;
  scene.swap_effects = &effects;
  scene.measured = graph->measured.get();
  if (policy.budget) {
    scene.device_budget = policy.budget->device;
    scene.host_budget = policy.budget->host;
  }
  return scene;
}

std::string Snapshot::tuned_text() const {
  if (!planned.tuned) return {};
  const tideline::SearchResult& tuned = *planned.tuned;
  if (tuned.already_edited) return "the graph already has swap ops and is not changed";
  if (!tuned.necessary) {
    return fmt::format("nothing needs to be swapped: a step needs {} of {}",
                       format_bytes(tuned.prediction.device_peak),
                       format_bytes(static_cast<Bytes>(tuned.device_budget)));
  }
  const std::string kept =
      tuned.kept.empty() ? "" : fmt::format(", {} tensors kept", tuned.kept.size());
  return fmt::format("{}{}: {} of {}, {} tries",
                     policy.chosen()->describe(planned.used.values, true), kept,
                     format_bytes(tuned.prediction.device_peak),
                     format_bytes(static_cast<Bytes>(tuned.device_budget)), tuned.trials.size());
}

void adopt_found(const Snapshot& snapshot, Policy& policy) {
  const Rewriter* rewriter = policy.chosen();
  if (rewriter == nullptr || !rewriter->search) return;
  if (snapshot.planned.tuned && snapshot.planned.tuned->necessary) {
    for (const Parameter& parameter : rewriter->parameters) {
      if (parameter.group == ParameterGroup::kGraph) continue;
      policy.values.set(parameter, snapshot.planned.used.values.get(parameter));
    }
  }
  rewriter->search->give_up(policy.values, snapshot.graph->file->levels.count());
}

SnapshotMaker::SnapshotMaker(std::shared_ptr<const OpenedGraph> graph)
    : graph_(std::move(graph)), replanner_(graph_->sized()) {}

// A policy that is about one device puts that one first.
Result<std::vector<std::shared_ptr<const DeviceStep>>> SnapshotMaker::devices_for(
    const Policy& policy) {
  std::vector<std::shared_ptr<const DeviceStep>> devices = graph_->devices;
  const std::optional<std::string> wanted = step_options(policy, {}, nullptr).gpu_device;
  if (policy.is_off() || !wanted) return devices;
  const auto named = std::find_if(devices.begin(), devices.end(), [&](const auto& step) {
    return step->device.gpu_device && equal_ignoring_case(*step->device.gpu_device, *wanted);
  });
  if (named != devices.end()) {
    std::rotate(devices.begin(), named, named + 1);
    return devices;
  }
  if (!chosen_ || chosen_->device.gpu_device != wanted) {
    TIDELINE_TRY(chosen_,
                 make_device_step(*graph_->file->source, graph_->tensors, {*wanted, wanted},
                                  graph_->request.fetches, graph_->measured.get()));
  }
  if (!devices.front()->device.gpu_device) devices.clear();  // it was all devices in one
  devices.insert(devices.begin(), chosen_);
  return devices;
}

Result<std::shared_ptr<const Snapshot>> SnapshotMaker::make(const Policy& policy,
                                                            const DeviceProfile& profile,
                                                            Progress& progress) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->graph = graph_;
  snapshot->policy = policy;
  snapshot->profile = profile;
  Policy wanted = policy;
  wanted.search.profile = profile;
  wanted.search.fetches = graph_->request.fetches;
  TIDELINE_TRY(snapshot->planned, replanner_.plan(wanted, /*explain=*/false, progress));
  TIDELINE_TRY(const auto devices, devices_for(policy));
  if (!progress.report("simulating a step", 0, 0)) return cancelled();
  for (const auto& original : devices) snapshot->devices.emplace_back().original = original;
  time_first(*snapshot);
  simulate_all(*snapshot);
  snapshot->scope_swapped = swapped_by_scope(*graph_, snapshot->plan());
  return snapshot;
}

void SnapshotMaker::time_first(Snapshot& snapshot) {
  const std::shared_ptr<const DeviceStep>& first = snapshot.devices.front().original;
  if (timed_ != first || !(timed_profile_ == snapshot.profile)) {
    timed_ = first;
    timed_profile_ = snapshot.profile;
    without_plan_ =
        report_time(first->graph, first->before, graph_->sized().costs(snapshot.profile));
  }
  snapshot.timing = without_plan_;
}

Result<std::shared_ptr<const Snapshot>> make_snapshot(
    const std::shared_ptr<const OpenedGraph>& graph, const Policy& policy,
    const DeviceProfile& profile, Progress& progress) {
  return SnapshotMaker(graph).make(policy, profile, progress);
}

}  // namespace tideline::session
