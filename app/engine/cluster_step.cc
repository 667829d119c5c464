// Tested by unit/engine/cluster_step_test.cc and integration/cluster_traffic_test.py.
#include "app/engine/cluster_step.h"

#include <algorithm>

#include "core/graph/device_name.h"

namespace tideline::app {
namespace {

// By op, seen from device `seen_from`.
std::vector<Space> spaces_from(const ClusterPlacement& placement, std::uint32_t seen_from) {
  const ClusterDevice& own = placement.devices[seen_from];
  std::vector<Space> spaces;
  spaces.reserve(placement.device_of.size());
  for (const std::uint32_t at : placement.device_of) {
    const ClusterDevice& device = placement.devices[at];
    const bool is_host = !own.is_cpu() && device.is_cpu() && device.task == own.task;
    spaces.push_back(at == seen_from ? Space::kDevice : is_host ? Space::kHost : Space::kElsewhere);
  }
  return spaces;
}

// The times of the ops on device `at`, from which `seen` is seen.
void add_costs(const CostModel& costs, const StepGraph& seen, std::span<const OpId> schedule,
               std::uint32_t at, ClusterStep& step, std::vector<double>& op_ns) {
  for (const OpId op : schedule) {
    if (step.placement.device_of[op.index()] != at) continue;
    const OpCost cost = costs.op_cost(seen, op);
    op_ns[op.index()] = cost.ns;
    switch (cost.source) {
      case CostSource::kMeasured: ++step.costs.measured; break;
      case CostSource::kFlops:
      case CostSource::kBytes: ++step.costs.assumed; break;
      case CostSource::kGuessed: ++step.costs.guessed; break;
      case CostSource::kNoKernel: break;
    }
  }
}

// A trace names the replica, too.
bool is_same_device(std::string_view traced, const ClusterDevice& device) {
  auto name = parse_device(traced);
  if (!name) return false;
  name->replica.clear();
  return device_text(*name) == device.name;
}

// Of a traced step: what was allocated on the device.
void add_measured(const MeasuredRun& run, const ClusterDevice& device, ClusterDeviceStep& one) {
  for (const MeasuredStep& measured : run.devices) {
    if (!is_same_device(measured.device, device)) continue;
    one.is_traced = true;
    if (!measured.has_memory() || one.measured_peak_of_own) continue;
    one.measured_peak_of_own = measured.peak + one.timeline.resident_bytes;
  }
}

// Without copies from other devices, and without what is fed.
Bytes peak_of_own(const SizedGraph& graph, const FaithfulStep& step,
                  const MemoryTimeline& timeline) {
  const OpFactsTable& facts = graph.source->facts.ops();
  std::vector<Bytes> change(timeline.device.size() + 1, 0);
  for (const StepBuffer& buffer : step.buffers) {
    const bool is_received =
        buffer.is_copy || facts.of(graph.graph(), buffer.tensor.op).kind == OpKind::kPlaceholder;
    if (!is_received || buffer.space != Space::kDevice || buffer.from_step > buffer.to_step) {
      continue;
    }
    change[static_cast<std::size_t>(buffer.from_step)] -= buffer.bytes;
    change[static_cast<std::size_t>(buffer.to_step) + 1] += buffer.bytes;
  }
  Bytes copies = 0;
  Bytes peak = timeline.resident_bytes;
  for (std::size_t at = 0; at < timeline.device.size(); ++at) {
    copies += change[at];
    peak = std::max(peak, timeline.device[at] + copies);
  }
  return peak;
}

// By buffer of `one`: until which step it is held because it is still being sent; -1 for others.
std::vector<std::int32_t> steps_sent(const ClusterStep& step, const ClusterDeviceStep& one,
                                     const FaithfulStep& simulated) {
  const auto& schedule = one.timeline.schedule;
  std::vector<std::pair<double, std::int32_t>> begun;  // the latest step of the ops begun by then
  for (std::int32_t at = 0; at < static_cast<std::int32_t>(schedule.size()); ++at) {
    const OpId op = schedule[static_cast<std::size_t>(at)];
    if (step.placement.device_of[op.index()] == one.device) {
      begun.emplace_back(step.time.begin_ns[op.index()], at);
    }
  }
  std::sort(begun.begin(), begun.end());
  for (std::size_t i = 1; i < begun.size(); ++i) {
    begun[i].second = std::max(begun[i].second, begun[i - 1].second);
  }
  std::vector<std::int32_t> until(simulated.buffers.size(), -1);
  for (std::size_t i = 0; i < step.sent.size(); ++i) {
    if (step.sent[i].from != one.device) continue;
    const std::uint32_t buffer = simulated.buffers_of[step.graph.tensor(step.sent[i].tensor)][0];
    const auto after = std::lower_bound(begun.begin(), begun.end(),
                                        std::pair(step.time.sent_ns[i], std::int32_t{-1}));
    if (buffer == kNoBuffer || simulated.buffers[buffer].is_pinned || after == begun.begin()) {
      continue;
    }
    until[buffer] = std::max(until[buffer], std::prev(after)->second);
  }
  return until;
}

// What is sent stays on its device until it has left. The simulation of one device, which knows no
// time, frees it after its last reader there.
void hold_sent(const ClusterStep& step, FaithfulStep& simulated, ClusterDeviceStep& one) {
  MemoryTimeline& timeline = one.timeline;
  const std::vector<std::int32_t> until = steps_sent(step, one, simulated);
  std::vector<Bytes> change(timeline.device.size() + 1, 0);
  for (std::size_t at = 0; at < until.size(); ++at) {
    StepBuffer& buffer = simulated.buffers[at];
    if (until[at] <= buffer.to_step) continue;
    change[static_cast<std::size_t>(buffer.to_step) + 1] += buffer.bytes;
    change[static_cast<std::size_t>(until[at]) + 1] -= buffer.bytes;
    buffer.to_step = until[at];
  }
  Bytes held = 0;
  for (std::size_t at = 0; at < timeline.device.size(); ++at) {
    held += change[at];
    timeline.device[at] += held;
    if (timeline.device[at] <= timeline.device_peak) continue;
    timeline.device_peak = timeline.device[at];
    timeline.peak_step = static_cast<std::int32_t>(at);
    timeline.peak_level = timeline.level[at];
    timeline.alive_at_peak.clear();  // they were of another step
    timeline.peak_by_kind.clear();
  }
}

// Whether a traced step ran ops that TensorFlow's optimizer folds: then its session did not
// optimize the graph, as those of `run` and `compare` do not.
bool ran_unfolded(const StepGraph& step, const MeasuredSizes& sizes) {
  if (step.folding == nullptr || sizes.runs.empty()) return false;
  std::size_t ran = 0;
  for (const FoldedOp& folded : step.folding->ops) {
    if (sizes.runs[folded.op.index()] > 0) ++ran;
  }
  return ran > step.folding->ops.size() / 2;
}

class ClusterSimulation {
 public:
  ClusterSimulation(const SizedGraph& graph, const TensorTable& tensors, const CostModel& costs,
                    const std::vector<std::string>& fetches)
      : graph_(graph), tensors_(tensors), costs_(costs), op_ns_(graph.graph().op_count(), 0.0) {
    options_.fetches = fetches;
    options_.functions = &graph.source->functions;
    options_.facts = &graph.source->facts;
    options_.run = graph.run;
    if (graph.measured) options_.measured = &graph.measured->sizes;
  }

  Result<ClusterStep> run(ClusterPlacement placement) {
    step_.placement = std::move(placement);
    for (std::uint32_t at = 0; at < step_.placement.devices.size(); ++at) {
      TIDELINE_RETURN_IF_ERROR(add_device(at));
    }
    if (step_.devices.empty()) return std::move(step_);
    step_.time = cluster_time({.step = &step_.graph,
                               .schedule = schedule_,
                               .placement = &step_.placement,
                               .sent = step_.sent,
                               .op_ns = op_ns_},
                              costs_);
    for (std::size_t i = 0; i < step_.devices.size(); ++i) {
      hold_sent(step_, simulated_[i], step_.devices[i]);
      step_.devices[i].peak_of_own = peak_of_own(graph_, simulated_[i], step_.devices[i].timeline);
    }
    return std::move(step_);
  }

 private:
  Result<StepGraph> see_from(std::uint32_t device) {
    const std::vector<Space> spaces = spaces_from(step_.placement, device);
    options_.spaces = &spaces;
    options_.run.executor =
        step_.placement.devices[device].is_cpu() ? Executor::kCpu : Executor::kGpu;
    const auto build = [&] {
      return build_step_graph(graph_.graph(), tensors_, graph_.document().collections, options_);
    };
    auto seen = build();
    if (seen && graph_.measured && options_.run.as_run == AsRun::kModelled &&
        ran_unfolded(*seen, graph_.measured->sizes)) {
      options_.run.as_run = AsRun::kExact;
      return build();
    }
    return seen;
  }

  // Unless nothing is there in the step.
  Status add_device(std::uint32_t at) {
    TIDELINE_TRY(StepGraph seen, see_from(at));
    FaithfulStep simulated = simulate_step(seen);
    ClusterDeviceStep one;
    one.device = at;
    one.timeline = std::move(simulated.timeline);
    for (const OpId op : one.timeline.schedule) {
      if (step_.placement.device_of[op.index()] == at) ++one.ops;
    }
    if (one.ops == 0 && one.timeline.resident_bytes == 0) return {};
    if (graph_.measured) add_measured(*graph_.measured, step_.placement.devices[at], one);
    add_costs(costs_, seen, one.timeline.schedule, at, step_, op_ns_);
    if (step_.devices.empty()) {
      schedule_ = one.timeline.schedule;
      step_.sent = sent_tensors(seen, schedule_, step_.placement);
      for (const SentTensor& sent : step_.sent) {
        step_.is_guessed.push_back(tensors_.is_unknown(sent.tensor));
      }
      step_.graph = std::move(seen);
    }
    step_.devices.push_back(std::move(one));
    simulated_.push_back(std::move(simulated));
    return {};
  }

  const SizedGraph& graph_;
  const TensorTable& tensors_;
  const CostModel& costs_;
  StepOptions options_;
  ClusterStep step_;
  std::vector<FaithfulStep> simulated_;  // of `step_.devices`, without their timelines
  std::vector<OpId> schedule_;           // that of `step_.graph`
  std::vector<double> op_ns_;
};

}  // namespace

Result<ClusterStep> simulate_on_cluster(const SizedGraph& graph, const Cluster& cluster,
                                        const ClusterTask& client, const DeviceProfile& profile,
                                        const std::vector<std::string>& fetches) {
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  TIDELINE_TRY(ClusterPlacement placement,
               place_on_cluster(graph.source->facts, tensors, cluster, client));
  const CostModel costs = graph.costs(profile);
  return ClusterSimulation(graph, tensors, costs, fetches).run(std::move(placement));
}

const char* sent_kind(const SizedGraph& graph, const StepGraph& step, const SentTensor& sent) {
  const OpFactsTable& facts = graph.source->facts.ops();
  const auto kind_of = [&](OpId op) { return facts.of(graph.graph(), op).kind; };
  switch (kind_of(sent.tensor.op)) {
    case OpKind::kPlaceholder: return "batch";
    case OpKind::kVariable:
    case OpKind::kRead: return "variable";
    case OpKind::kLayout:  // a part of the batch, from a split
      for (const TensorId input : graph.graph().inputs(sent.tensor.op)) {
        if (kind_of(input.op) == OpKind::kPlaceholder) return "batch";
      }
      break;
    default: break;
  }
  const OpId read = behind_views(graph.graph(), facts, sent.tensor.op);
  if (read.valid() && kind_of(read) == OpKind::kVariable) return "variable";
  const MemoryKind kind = step.tensors[step.tensor(sent.tensor)].kind;
  return kind == MemoryKind::kGradient ? "gradient" : "other";
}

}  // namespace tideline::app
