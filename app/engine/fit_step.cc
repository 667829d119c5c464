// Tested by unit/engine/fit_test.cc and property/fit.py.
#include "app/engine/fit_step.h"

#include <algorithm>
#include <utility>

#include "core/analysis/structure/variable_roles.h"
#include "core/memory/measured/measured_peaks.h"
#include "core/memory/step_ops.h"

namespace tideline::app {
namespace {

constexpr std::size_t kMostTensors = 10;

// The first dim of what was fed in the traced step.
std::optional<std::int64_t> traced_batch(const TrainingRoles& roles, const MeasuredRun& run) {
  for (const TensorId input : roles.inputs) {
    const std::vector<MeasuredSize>& sizes = run.sizes.sizes;
    const auto found =
        std::lower_bound(sizes.begin(), sizes.end(), input,
                         [](const MeasuredSize& size, TensorId id) { return size.tensor < id; });
    if (found == sizes.end() || found->tensor != input || found->shape.rank() < 1) continue;
    if (found->shape.dims.front() > 0) return found->shape.dims.front();
  }
  return std::nullopt;
}

std::vector<FitKind> kinds_of(const MemoryTimeline& timeline) {
  std::vector<FitKind> kinds;
  Bytes rest = timeline.device_peak;
  for (std::size_t kind = 0; kind < timeline.peak_by_kind.size(); ++kind) {
    const Bytes bytes = timeline.peak_by_kind[kind];
    rest -= bytes;
    if (bytes > 0) kinds.push_back({memory_kind_name(static_cast<MemoryKind>(kind)), bytes});
  }
  if (rest > 0) kinds.push_back({"scratch", rest});
  return kinds;
}

// The fed values with dims that nothing tells, with these dims; the first one stays the batch's.
std::vector<GivenShape> with_large_dims(const Graph& graph, const GraphFacts& facts,
                                        const TensorTable& tensors,
                                        const std::vector<bool>& of_step) {
  std::vector<GivenShape> shapes;
  for (const OpId op : graph.ops()) {
    if (!of_step[op.index()] || facts.ops().of(graph, op).kind != OpKind::kPlaceholder) continue;
    if (tensors.output_count(op) == 0) continue;
    Shape shape = tensors.shape({op, 0});
    bool is_open = false;
    for (std::size_t i = 1; i < shape.dims.size(); ++i) {
      if (shape.dims[i] != kUnknownDim) continue;
      shape.dims[i] = kLargeDim;
      is_open = true;
    }
    if (is_open) shapes.push_back({std::string(graph.name(op)), std::move(shape)});
  }
  return shapes;
}

}  // namespace

Result<FitSteps> FitSteps::make(const SizedGraph& graph, const FitRequest& request) {
  FitSteps steps(graph, request);
  steps.graph_.known = std::make_shared<KnownTables>(graph.graph());
  TIDELINE_TRY(const std::optional<Bytes> budget, step_budget(graph, request.policy));
  if (!budget) {
    return fail(Code::kInvalidArgument, "{{device-memory}} is missing; expected a SIZE");
  }
  steps.budget_ = *budget;
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  steps.roles_ = find_training_roles(graph.source->facts, tensors);
  TIDELINE_TRY(const Fetches fetches, find_fetches(graph.graph(), graph.document().collections,
                                                   request.policy.search.fetches));
  // What the user or the file names.
  if (fetches.rule == FetchRule::kNamed &&
      std::all_of(fetches.ops.begin(), fetches.ops.end(),
                  [&](OpId op) { return op == fetches.ops.front(); })) {
    steps.roles_.train_op = fetches.ops.front();
  }
  if (graph.batch_size) {
    steps.batch_ = *graph.batch_size;
  } else if (graph.measured) {
    steps.batch_ = traced_batch(steps.roles_, *graph.measured).value_or(1);
  } else {
    const auto is_open = [&](TensorId input) {
      return tensors.shape(input).dims.front() == kUnknownDim;
    };
    const std::vector<TensorId>& inputs = steps.roles_.inputs;
    steps.is_assumed_ = std::any_of(inputs.begin(), inputs.end(), is_open);
    if (steps.is_assumed_) steps.graph_.batch_size = 1;
    // A fixed batch of the file.
    if (!steps.is_assumed_ && !inputs.empty()) {
      steps.batch_ = std::max<std::int64_t>(1, tensors.shape(inputs.front()).dims.front());
    }
  }
  return steps;
}

SizedGraph FitSteps::with_batch(std::int64_t batch) const {
  SizedGraph sized = graph_;
  if (batch == batch_) return sized;
  sized.batch_size = batch;
  sized.measured = nullptr;
  sized.known = nullptr;  // asked about once
  return sized;
}

StepOptions FitSteps::options(const SizedGraph& graph) const {
  StepOptions options =
      step_options(request_.policy, request_.policy.search.fetches, &graph.source->functions);
  options.facts = &graph.source->facts;
  Policy off = request_.policy;
  off.rewriter = kPolicyOff;
  options.run = run(off);
  if (graph.measured) options.measured = &graph.measured->sizes;
  return options;
}

Result<DeviceResult> FitSteps::simulate(const SizedGraph& graph, Progress& progress) const {
  if (!progress.report("simulating a step", 0, 0)) return cancelled();
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  const StepOptions step = options(graph);
  SizedGraph run_so = graph;
  run_so.run = step.run;
  return simulate_device(run_so, tensors, step, graph.costs(request_.profile), nullptr,
                         std::nullopt);
}

Result<Bytes> FitSteps::peak_of(const SizedGraph& graph, Progress& progress) const {
  if (!progress.report("simulating a step", 0, 0)) return cancelled();
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  TIDELINE_TRY(
      const StepGraph step,
      build_step_graph(graph.graph(), tensors, graph.document().collections, options(graph)));
  return simulate_step(step, StepDetail::kBytes).timeline.device_peak;
}

Result<Bytes> FitSteps::peak(std::int64_t batch, Progress& progress) const {
  KnownPeaks& known = peaks();
  if (const auto found = known.find(batch)) return *found;
  SizedGraph sized = with_batch(batch);
  sized.measured = nullptr;
  sized.batch_size = batch;
  TIDELINE_TRY(const Bytes peak, peak_of(sized, progress));
  known.add(batch, peak);
  return peak;
}

Result<double> FitSteps::time_scale(const SizedGraph& graph, Progress& progress) const {
  if (!graph_.measured || graph.measured) return 1.0;
  const std::lock_guard lock(found_->mutex);
  std::optional<double>& scale = found_->scale;
  if (!scale) {
    SizedGraph plain = graph_;
    plain.measured = nullptr;
    plain.batch_size = batch_;
    TIDELINE_TRY(const DeviceResult estimated, simulate(plain, progress));
    TIDELINE_TRY(const DeviceResult measured, simulate(graph_, progress));
    const auto ns = static_cast<double>(estimated.timing.before_ns);
    scale = ns > 0 ? static_cast<double>(measured.timing.before_ns) / ns : 1.0;
  }
  return *scale;
}

Result<FitStep> FitSteps::step(Progress& progress) const {
  TIDELINE_TRY(const DeviceResult result, simulate(graph_, progress));
  const StepGraph& step = result.original->graph;
  const MemoryTimeline& timeline = result.original->before.timeline;
  const Graph& graph = graph_.graph();
  FitStep said;
  said.batch = batch_;
  said.is_batch_assumed = is_assumed_;
  said.peak = timeline.device_peak;
  said.fits = said.peak <= budget_;
  said.kinds = kinds_of(timeline);
  const GraphFacts& facts = graph_.source->facts;
  said.layers = peak_layers(graph, facts.variables(), timeline);
  for (const LiveTensor& alive : timeline.alive_at_peak) {
    if (said.largest.size() == kMostTensors) break;
    said.largest.emplace_back(graph.tensor_name(alive.tensor), alive.bytes);
  }
  if (timeline.peak_step >= 0) {
    said.peak_op = graph.name(timeline.schedule[static_cast<std::size_t>(timeline.peak_step)]);
  }
  said.step_ns = result.timing.before_ns;
  said.range = result.timing.before;
  TIDELINE_TRY(const TensorTable tensors, graph_.tensors(SizeModel::kFaithful));
  TIDELINE_TRY(const Fetches fetches,
               find_fetches(graph, graph_.document().collections, request_.policy.search.fetches));
  const std::vector<bool> of_step = step_ops(graph, fetches);
  const std::vector<bool> computed = computed_of(of_step, step, timeline.schedule);
  said.unknown_sizes = unknown_sizes(graph, tensors, computed);
  said.least = said.most = said.peak;
  if (graph_.measured) {
    const MeasuredPeaks measured = measured_peaks(*graph_.measured, timeline.resident_bytes);
    said.measured_peak = measured.measured.total();
    said.least = std::min(said.peak, *said.measured_peak);
    said.most = std::max(said.peak, *said.measured_peak);
  } else if (said.unknown_sizes > 0) {
    said.expected_sizes = expected_sizes(graph, tensors, of_step);
    SizedGraph large = graph_;
    for (GivenShape& shape : with_large_dims(graph, facts, tensors, of_step)) {
      large.shapes.push_back(std::move(shape));
    }
    // What contradicts the file then says nothing of the step.
    if (large.shapes.size() > graph_.shapes.size()) {
      const auto most = peak_of(large, progress);
      if (!most && most.error().code == Code::kCancelled) return cancelled();
      said.most = std::max(said.peak, most.value_or(said.peak));
    }
  }
  if (!graph_.measured) peaks().add(batch_, said.peak);
  return said;
}

}  // namespace tideline::app
