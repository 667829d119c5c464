// Tested by unit/engine/snapshot_test.cc.
#include "app/engine/snapshot.h"

#include <algorithm>
#include <future>

#include "app/engine/confirm_idle.h"
#include "core/base/text.h"
#include "core/memory/taken_branches.h"

namespace tideline::app {
namespace {

std::vector<Bytes> swapped_by_scope(const OpenedGraph& graph, const RewritePlan& plan) {
  const ScopeTree& tree = graph.file->scopes;
  std::vector<Bytes> bytes(tree.scopes.size());
  const auto add = [&](TensorId tensor) {
    Bytes& sum = bytes[tree.scope_of[tensor.op.index()]];
    sum = saturating_add(sum, graph.tensors.bytes(tensor));
  };
  for (const PlannedSwap& swap : plan.swaps()) add(swap.tensor);
  for (const FileSwap& swap : graph.file->copies.swaps) add(swap.tensor);
  for (std::size_t i = tree.scopes.size(); i-- > 1;) {
    Bytes& above = bytes[tree.scopes[i].parent];
    above = saturating_add(above, bytes[i]);
  }
  return bytes;
}

// All devices side by side: one after the other, a slider would wait for each of them.
Status simulate_all(Snapshot& snapshot) {
  // The runs of a cycle are no step to compare with.
  if (!snapshot.has_plan() || snapshot.plan().cycle(snapshot.graph->graph())) return {};
  const SizedGraph graph = snapshot.graph->sized();
  const std::vector<std::string>& fetches = snapshot.graph->request.fetches;
  const CostModel costs = graph.costs(snapshot.profile);
  const std::optional<Bytes> budget = snapshot.device_budget;
  std::vector<std::future<Status>> others;
  for (std::size_t i = 1; i < snapshot.devices.size(); ++i) {
    others.push_back(std::async(std::launch::async, [&, i] {
      return add_plan(graph, fetches, snapshot.plan(), costs, budget, snapshot.devices[i]);
    }));
  }
  Status status =
      add_plan(graph, fetches, snapshot.plan(), costs, budget, snapshot.devices.front());
  for (std::future<Status>& other : others) {
    if (Status done = other.get(); !done) status = std::move(done);
  }
  return status;
}

}  // namespace

bool Snapshot::is_unconfirmed() const {
  return !is_confirmed && may_have_idle(effects());
}

std::vector<Warning> Snapshot::warnings() const {
  return plan().warnings_at(devices.front().peak_before(), devices.front().peak(),
                            devices.front().effects, &timing());
}

render::Scene Snapshot::scene() const {
  render::Scene scene;
  scene.graph = &shown->graph();
  scene.tensors = &shown->tensors;
  scene.consumers = &shown->file->consumers;
  scene.levels = &shown->file->levels;
  scene.scopes = &shown->file->scopes;
  scene.phases = &shown->file->phases;
  scene.copies = &shown->file->copies;
  scene.loops = &shown->file->loops;
  scene.functions = &shown->file->source->functions;
  scene.lines = &shown->file->source->lines;
  scene.plan = has_plan() ? &plan() : nullptr;
  scene.parts = parts.empty() ? nullptr : &parts;
  for (const DeviceResult& device : devices) {
    const FaithfulStep& before = device.original->before;
    render::DeviceCurves curves;
    curves.device = device.name();
    curves.run = device.original->graph.run;
    curves.peak_in_file = device.original->peak_in_file();
    curves.taken = taken_text(device.original->graph);
    curves.before = &before.timeline;
    curves.before_step = &before;
    curves.of_graph = &(device.planned ? device.planned->before : before).timeline;
    if (device.after) {
      curves.after = &device.after->timeline;
      curves.after_step = &*device.after;
    }
    curves.timing = &device.timing;
    curves.swap_effects = &device.effects;
    scene.devices.push_back(std::move(curves));
  }
  const auto cycle = plan().cycle(graph->graph());
  if (const auto& report = plan().report; cycle && report) {
    const auto memory = report->run_memory();
    for (std::size_t i = 0; i < memory.size() && i < cycle->runs.size(); ++i) {
      scene.runs.push_back({cycle->runs[i].name, &memory[i]});
    }
  }
  scene.measured = shown->measured.get();
  scene.tried = tried.get();
  if (tried && (!planned.tuned || planned.tuned->necessary)) {
    scene.trial = tried->trial_of(planned.used);
  }
  if (policy.budget) {
    scene.device_budget = device_budget.value_or(0);
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
                     policy.chosen()->caption(planned.used.values, true), kept,
                     format_bytes(tuned.prediction.device_peak),
                     format_bytes(static_cast<Bytes>(tuned.device_budget)), tuned.trials.size());
}

void adopt_found(const Snapshot& snapshot, Policy& policy) {
  const Rewriter* rewriter = policy.chosen();
  if (rewriter == nullptr || !rewriter->can_tune()) return;
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
    TIDELINE_TRY(chosen_, make_device_step(*graph_->file->source, graph_->tensors,
                                           {*wanted, wanted}, graph_->request.fetches,
                                           graph_->measured.get(), graph_->request.run));
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
  TIDELINE_TRY(snapshot->device_budget, step_budget(graph_->sized(), policy));
  Policy wanted = policy;
  wanted.search.profile = profile;
  wanted.search.fetches = graph_->request.fetches;
  auto planned = replanner_.plan(wanted, /*explain=*/false, progress);
  const auto* search =
      planned ? (planned->tuned ? &*planned->tuned : nullptr) : replanner_.missed();
  note_tried(policy, profile, search);
  TIDELINE_TRY(snapshot->planned, std::move(planned));
  snapshot->tried = tried_for(policy, profile);
  TIDELINE_TRY(const auto devices, devices_for(policy));
  if (!progress.report("simulating a step", 0, 0)) return cancelled();
  if (!(timed_profile_ == profile)) timed_.clear();
  timed_profile_ = profile;
  snapshot->shown = graph_;
  const std::shared_ptr<const PlanReport>& report = snapshot->plan().report;
  if (report) snapshot->parts = report->parts(graph_->graph(), snapshot->plan().edit);
  for (const auto& original : devices) {
    DeviceResult& result = snapshot->devices.emplace_back();
    result.original = original;
    result.timing = time_without_plan(original);
  }
  if (report && report->shows_result()) {
    TIDELINE_RETURN_IF_ERROR(show_result(*snapshot, progress));
    snapshot->scope_swapped.assign(snapshot->shown->scope_bytes.size(), 0);
  } else {
    TIDELINE_RETURN_IF_ERROR(simulate_all(*snapshot));
    snapshot->scope_swapped = swapped_by_scope(*graph_, snapshot->plan());
  }
  std::erase_if(timed_, [&](const auto& entry) {
    return std::none_of(snapshot->devices.begin(), snapshot->devices.end(),
                        [&](const DeviceResult& device) { return device.original == entry.first; });
  });
  return snapshot;
}

Result<std::shared_ptr<const Snapshot>> SnapshotMaker::confirm(const Snapshot& snapshot,
                                                               Progress& progress) {
  auto confirmed = std::make_shared<Snapshot>(snapshot);
  DeviceResult& first = confirmed->devices.front();
  TIDELINE_RETURN_IF_ERROR(
      confirm_idle(replanner_, graph_->request.fetches, snapshot.planned, first, progress));
  for (DeviceResult& device : confirmed->devices) {
    for (std::size_t i = 0; i < device.effects.size(); ++i) {
      device.effects[i].is_idle = first.effects[i].is_idle;
    }
  }
  confirmed->is_confirmed = true;
  return confirmed;
}

void SnapshotMaker::note_tried(const Policy& policy, const DeviceProfile& profile,
                               const tideline::SearchResult* search) {
  if (search == nullptr || search->trials.empty()) return;
  tried_ = std::make_shared<const TriedSettings>(TriedSettings{policy, *search});
  tried_profile_ = profile;
}

// What was tried stays while one of the tries is taken.
std::shared_ptr<const TriedSettings> SnapshotMaker::tried_for(const Policy& policy,
                                                              const DeviceProfile& profile) const {
  const bool is_of_it = tried_ && tried_profile_ == profile && tried_->are_of(policy);
  return is_of_it ? tried_ : nullptr;
}

// Everything that is shown of a graph is shown of the one that the plan gives.
Status SnapshotMaker::show_result(Snapshot& snapshot, Progress& progress) {
  TIDELINE_TRY(Graph changed, apply(graph_->graph(), snapshot.plan()));
  TIDELINE_TRY(snapshot.shown, edited(*graph_, std::move(changed), progress));
  snapshot.devices = compare_devices(snapshot.devices, snapshot.shown->devices,
                                     snapshot.shown->sized().costs(snapshot.profile));
  return {};
}

// By the profile `timed_profile_`.
const TimeReport& SnapshotMaker::time_without_plan(
    const std::shared_ptr<const DeviceStep>& device) {
  const auto known = std::find_if(timed_.begin(), timed_.end(),
                                  [&](const auto& entry) { return entry.first == device; });
  if (known != timed_.end()) return known->second;
  timed_.emplace_back(
      device, report_time(device->graph, device->before, graph_->sized().costs(timed_profile_)));
  return timed_.back().second;
}

Result<std::shared_ptr<const Snapshot>> make_snapshot(
    const std::shared_ptr<const OpenedGraph>& graph, const Policy& policy,
    const DeviceProfile& profile, Progress& progress) {
  SnapshotMaker maker(graph);
  TIDELINE_TRY(auto snapshot, maker.make(policy, profile, progress));
  return snapshot->is_unconfirmed() ? maker.confirm(*snapshot, progress) : snapshot;
}

}  // namespace tideline::app
