// Tested by unit/engine/cluster_step_test.cc and integration/cluster_traffic_test.py.
#include "app/engine/cluster_step.h"

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

}  // namespace

Result<ClusterStep> simulate_on_cluster(const SizedGraph& graph, const Cluster& cluster,
                                        const ClusterTask& client,
                                        const std::vector<std::string>& fetches) {
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  ClusterStep step;
  TIDELINE_TRY(step.placement, place_on_cluster(graph.source->facts, tensors, cluster, client));
  StepOptions options;
  options.fetches = fetches;
  options.functions = &graph.source->functions;
  options.facts = &graph.source->facts;
  options.run = graph.run;
  for (std::uint32_t at = 0; at < step.placement.devices.size(); ++at) {
    const std::vector<Space> spaces = spaces_from(step.placement, at);
    options.spaces = &spaces;
    options.run.executor = step.placement.devices[at].is_cpu() ? Executor::kCpu : Executor::kGpu;
    TIDELINE_TRY(StepGraph seen,
                 build_step_graph(graph.graph(), tensors, graph.document().collections, options));
    ClusterDeviceStep one{at, 0, std::move(simulate_step(seen).timeline)};
    for (const OpId op : one.timeline.schedule) {
      if (step.placement.device_of[op.index()] == at) ++one.ops;
    }
    if (one.ops == 0 && one.timeline.resident_bytes == 0) continue;
    if (step.devices.empty()) {
      step.sent = sent_tensors(seen, one.timeline.schedule, step.placement);
      for (const SentTensor& sent : step.sent) {
        step.is_guessed.push_back(tensors.is_unknown(sent.tensor));
      }
      step.graph = std::move(seen);
    }
    step.devices.push_back(std::move(one));
  }
  return step;
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
