// Tested by unit/engine/opened_graph_test.cc.
#include "app/engine/opened_graph.h"

#include <algorithm>

#include "app/engine/measure.h"
#include "core/analysis/placement.h"
#include "core/analysis/structure/pass_finder.h"
#include "core/base/text.h"
#include "core/memory/step_graph.h"

namespace tideline::app {
namespace {

constexpr std::int64_t kStages = 5;

// Parents stand before their children, so one sweep from behind adds up whole subtrees.
std::vector<Bytes> bytes_of_scopes(const ScopeTree& tree, const Graph& graph,
                                   const TensorTable& tensors) {
  std::vector<Bytes> bytes(tree.scopes.size());
  for (const OpId op : graph.ops()) {
    Bytes& sum = bytes[tree.scope_of[op.index()]];
    sum = saturating_add(sum, tensors.output_bytes(op));
  }
  for (std::size_t i = tree.scopes.size(); i-- > 1;) {
    Bytes& above = bytes[tree.scopes[i].parent];
    above = saturating_add(above, bytes[i]);
  }
  return bytes;
}

Status add_summary(OpenedGraph& opened) {
  TIDELINE_TRY(const TensorTable compatible, opened.sized().tensors(SizeModel::kCompatible));
  TIDELINE_TRY(opened.summary,
               summarize(opened.file->source->facts, opened.document().collections, compatible));
  add_oddities(opened.graph(), compatible, opened.summary, opened.diagnostics);
  return {};
}

Status add_sizes(OpenedGraph& opened, Progress& progress) {
  const GraphFile& file = *opened.file;
  if (!progress.report("sizes", 3, kStages)) return cancelled();
  TIDELINE_TRY(opened.tensors, opened.sized().tensors(SizeModel::kFaithful));
  note_contradicted_shapes(opened.tensors, opened.diagnostics);
  if (opened.measured) {
    if (!progress.report("comparing with the traced step", 3, kStages)) return cancelled();
    StepOptions step;
    step.functions = &file.source->functions;
    step.facts = &file.source->facts;
    TIDELINE_TRY(opened.measured,
                 compared(*file.source, file.levels, opened.tensors, step, *opened.measured));
  }
  opened.scope_bytes = bytes_of_scopes(file.scopes, opened.graph(), opened.tensors);
  for (const StepDevice& device : file.devices) {
    if (!progress.report("simulating a step", 4, kStages)) return cancelled();
    TIDELINE_TRY(auto step,
                 make_device_step(*file.source, opened.tensors, device, opened.request.fetches,
                                  opened.measured.get(), opened.request.run));
    opened.devices.push_back(std::move(step));
  }
  return {};
}

void add_all(const Diagnostics& from, Diagnostics& to) {
  for (const Diagnostic& entry : from.entries()) {
    to.add(entry.severity, entry.kind, entry.example, entry.count);
  }
}

Result<MeasuredRunPtr> read_trace(const ReadGraph& source, const OpenRequest& request,
                                  Progress& progress) {
  if (!request.trace) return measure_own(source, progress);
  if (request.trace->path.empty()) return MeasuredRunPtr();
  return measure(source, *request.trace, progress);
}

Result<std::shared_ptr<OpenedGraph>> make_opened(const std::shared_ptr<const GraphFile>& file,
                                                 const OpenRequest& request,
                                                 MeasuredRunPtr measured, Progress& progress) {
  auto opened = std::make_shared<OpenedGraph>();
  opened->request = request;
  opened->request.graph = file->source->choice;
  opened->file = file;
  opened->measured = std::move(measured);
  opened->diagnostics = file->diagnostics;
  if (opened->measured) add_all(opened->measured->diagnostics, opened->diagnostics);
  if (!progress.report("sizes", 2, kStages)) return cancelled();
  Status status = add_summary(*opened);
  if (status) status = add_sizes(*opened, progress);
  if (!status) {
    if (status.error().code == Code::kCancelled) return tl::unexpected(status.error());
    return tl::unexpected(with_context(std::move(status).error(), file->path()));
  }
  return opened;
}

}  // namespace

namespace {

WhileFrames loops_of(const ReadGraph& source) {
  const Graph& graph = source.document.graph;
  auto found = find_while_frames(graph, source.facts.ops(), source.facts.stacks(),
                                 source.facts.passes().phases());
  if (found) return *std::move(found);
  WhileFrames none;
  none.frame_of.assign(graph.op_count(), WhileFrame::kNone);
  return none;
}

}  // namespace

GraphFile::GraphFile(ReadGraphPtr read)
    : source(std::move(read)),
      diagnostics(source->diagnostics),
      consumers(source->facts.consumers()),
      levels(source->facts.levels()),
      scopes(find_scopes(document().graph)),
      copies(source->facts.copies()),
      phases(source->facts.passes().phases()),
      loops(loops_of(*source)),
      devices(find_devices(document().graph, diagnostics)) {
  note_unsettled(document().graph, source->facts.passes().flow(), diagnostics);
}

std::vector<StepDevice> find_devices(const Graph& graph, Diagnostics& diagnostics) {
  std::vector<std::int64_t> ops_of(graph.devices().size());
  for (const OpId op : graph.ops()) ++ops_of[graph.device_id(op)];
  std::vector<StepDevice> found;
  std::int64_t left_out = 0;
  std::int64_t unplaced = 0;
  for (std::size_t id = 0; id < ops_of.size(); ++id) {
    const std::string_view name = graph.devices()[id];
    if (ops_of[id] == 0 || Placement::names_cpu(name)) continue;
    if (name.empty()) {
      unplaced += ops_of[id];
      continue;
    }
    const bool is_known = std::any_of(found.begin(), found.end(), [&](const StepDevice& device) {
      return equal_ignoring_case(device.name, name);
    });
    if (is_known) continue;
    if (found.size() == kMostDevices) {
      left_out += ops_of[id];
    } else {
      found.push_back({std::string(name), std::string(name)});
    }
  }
  if (found.empty()) return {{"", std::nullopt}};
  if (found.size() == 1) return {{found.front().name, std::nullopt}};
  if (unplaced > 0) {
    diagnostics.add(Severity::kNotice, "op that names none of the devices",
                    "its tensors count for no device", unplaced);
  }
  if (left_out > 0) {
    diagnostics.add(Severity::kNotice, "op on a device that is not simulated",
                    fmt::format("only the first {} devices are", kMostDevices), left_out);
  }
  return found;
}

std::optional<Bytes> DeviceStep::peak_in_file() const {
  if (graph.run.as_run != AsRun::kModelled) return std::nullopt;
  std::call_once(is_asked_, [this] {
    peak_in_file_ = simulate_step(*graph.unfolded, StepDetail::kBytes).timeline.device_peak;
  });
  return peak_in_file_;
}

Result<std::shared_ptr<const DeviceStep>> make_device_step(
    const ReadGraph& source, const TensorTable& tensors, StepDevice device,
    const std::vector<std::string>& fetches, const MeasuredRun* measured, RunModel run) {
  auto step = std::make_shared<DeviceStep>();
  step->device = std::move(device);
  StepOptions options;
  options.fetches = fetches;
  options.gpu_device = step->device.gpu_device;
  options.functions = &source.functions;
  options.facts = &source.facts;
  options.run = std::move(run);
  if (measured != nullptr) options.measured = &measured->sizes;
  const io::Document& document = source.document;
  TIDELINE_TRY(step->graph,
               build_step_graph(document.graph, tensors, document.collections, options));
  step->before = simulate_step(step->graph);
  return step;
}

SizedGraph OpenedGraph::sized() const {
  return {file->source, request.batch_size, request.shapes, request.rounds, request.run, measured};
}

Result<std::shared_ptr<const OpenedGraph>> open(const OpenRequest& request, Progress& progress,
                                                std::shared_ptr<const GraphFile> file) {
  if (!file) {
    TIDELINE_TRY(const ReadGraphPtr source, read_graph(request.graph, progress));
    if (!progress.report("levels and scopes", 1, kStages)) return cancelled();
    file = std::make_shared<const GraphFile>(source);
  }
  auto run = read_trace(*file->source, request, progress);
  if (!run && run.error().code == Code::kCancelled) return cancelled();
  TIDELINE_TRY(auto opened, make_opened(file, request, run.value_or(nullptr), progress));
  if (!run) {
    opened->diagnostics.add(Severity::kDataLoss, "traced step that cannot be used",
                            run.error().message);
  }
  return opened;
}

Result<std::shared_ptr<const OpenedGraph>> resize(const std::shared_ptr<const GraphFile>& file,
                                                  const OpenRequest& request,
                                                  MeasuredRunPtr measured, Progress& progress) {
  TIDELINE_TRY(auto opened, make_opened(file, request, std::move(measured), progress));
  return opened;
}

Result<std::shared_ptr<const OpenedGraph>> edited(const OpenedGraph& original, Graph graph,
                                                  Progress& progress) {
  auto opened = std::make_shared<OpenedGraph>();
  opened->request = original.request;
  opened->file =
      std::make_shared<const GraphFile>(with_graph(*original.file->source, std::move(graph)));
  if (Status status = add_sizes(*opened, progress); !status) {
    if (status.error().code == Code::kCancelled) return cancelled();
    return tl::unexpected(with_context(std::move(status).error(), opened->file->path()));
  }
  return opened;
}

}  // namespace tideline::app
