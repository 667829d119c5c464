// Tested by unit/engine/step_log_test.cc, integration/tensorboard_test.py.
#include "app/engine/step_log.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/engine/json_text.h"
#include "app/engine/measure.h"
#include "app/engine/planned_peaks.h"
#include "core/analysis/edges.h"
#include "core/memory/level_memory.h"
#include "core/rewrite/plan/value_json.h"
#include "render/view/picture.h"

namespace tideline::app {
namespace {

constexpr double kWallTime = 1.0;  // fixed, so that the same graph gives the same bytes
constexpr std::int64_t kBeginNs = 1'000'000'000;
constexpr int kPictureWidth = 1200;
constexpr int kPictureHeight = 600;

// The places of the model: the device, the host, and all other devices together.
std::string device_name(const DeviceStep& step, Space space) {
  if (space == Space::kHost) return "/device:CPU:0";
  if (space == Space::kElsewhere) return "/device:OTHER:0";
  return step.device.name.empty() ? "/device:GPU:0" : step.device.name;
}

class StepWriter {
 public:
  explicit StepWriter(const Snapshot& snapshot)
      : snapshot_(snapshot),
        step_(*snapshot.devices.front().original),
        timeline_(step_.before.timeline) {}

  std::vector<std::string> take() { return std::move(events_); }

  void add_scalars() {
    const StepTime& time = snapshot_.timing().after;
    const std::vector<std::pair<const char*, double>> scalars = {
        {"step/device_peak_bytes", static_cast<double>(timeline_.device_peak)},
        {"step/host_peak_bytes", static_cast<double>(timeline_.host_peak)},
        {"step/bytes_out", static_cast<double>(timeline_.bytes_out)},
        {"step/bytes_in", static_cast<double>(timeline_.bytes_in)},
        {"step/levels", static_cast<double>(snapshot_.graph->file->levels.count())},
        {"step/milliseconds", static_cast<double>(time.step_ns()) / 1e6},
    };
    for (const auto& [tag, value] : scalars) {
      events_.push_back(events::scalar_event({kWallTime, 0}, tag, value));
    }
  }

  void add_memory() {
    for (const LevelMemory& most : memory_by_level(timeline_)) {
      const events::EventTime time{kWallTime, most.level};
      events_.push_back(events::scalar_event(time, "memory_by_level/device_bytes",
                                             static_cast<double>(most.device)));
      events_.push_back(
          events::scalar_event(time, "memory_by_level/host_bytes", static_cast<double>(most.host)));
    }
  }

  void add_distances() {
    std::vector<events::NumberCount> counts;
    for (const auto& [distance, count] :
         distance_histogram(snapshot_.graph->graph(), snapshot_.graph->file->levels)) {
      counts.push_back({distance, count});
    }
    events_.push_back(
        events::histogram_event({kWallTime, 0}, "distances of edges in levels", counts));
  }

  void add_parameters(const std::vector<events::Hparam>& parameters) {
    if (parameters.empty()) return;
    std::string table = "| parameter | value |\n|---|---|\n";
    for (const events::Hparam& parameter : parameters) {
      table += fmt::format("| {} | {} |\n", parameter.name, value_text(parameter));
    }
    events_.push_back(events::text_event({kWallTime, 0}, "parameters", table));
    events_.push_back(events::hparams_start_event({kWallTime, 0}, parameters));
    events_.push_back(events::hparams_end_event({kWallTime, 0}));
  }

  void add_run_metadata() {
    std::map<std::string, events::DeviceStatsWriter> devices;
    for (const OpId op : timeline_.schedule) {
      const std::string device = device_name(step_, step_.graph.ops[op.index()].space);
      devices.try_emplace(device, device).first->second.add(execution_of(op));
    }
    std::vector<events::DeviceStatsWriter> stats;
    for (auto& [name, writer] : devices) stats.push_back(std::move(writer));
    events_.push_back(
        events::run_metadata_event({kWallTime, 0}, kSimulatedTag, events::run_metadata_of(stats)));
  }

 private:
  static std::string value_text(const events::Hparam& parameter) {
    if (const bool* choice = std::get_if<bool>(&parameter.value)) return *choice ? "yes" : "no";
    if (const double* number = std::get_if<double>(&parameter.value)) {
      return fmt::format("{}", *number);
    }
    return std::get<std::string>(parameter.value);
  }

  events::WrittenExecution execution_of(OpId op) const {
    const Graph& graph = snapshot_.graph->graph();
    const TensorTable& tensors = snapshot_.graph->tensors;
    const StepOp& step_op = step_.graph.ops[op.index()];
    events::WrittenExecution execution;
    execution.op = graph.name(op);
    execution.label = fmt::format("{} = {}", graph.name(op), graph.type(op));
    const OpTime& time = snapshot_.timing().after.ops[op.index()];
    execution.begin_ns = kBeginNs + static_cast<std::int64_t>(time.begin_ns);
    execution.end_ns = kBeginNs + std::max(static_cast<std::int64_t>(time.end_ns),
                                           static_cast<std::int64_t>(time.begin_ns));
    execution.bytes = step_op.scratch;
    execution.allocator = step_op.space == Space::kDevice ? "GPU_0_bfc" : "cpu";
    for (std::uint32_t slot = 0; slot < step_op.tensor_count; ++slot) {
      const StepTensor& tensor = step_.graph.tensors[step_op.first_tensor + slot];
      const TensorId id{op, slot};
      events::WrittenOutput output;
      output.type = base_type(tensors.type(id));
      output.has_shape = tensors.shape(id).fully_known();
      if (output.has_shape) output.dims = tensors.shape(id).dims;
      output.bytes = tensor.bytes;
      execution.bytes = saturating_add(execution.bytes, tensor.bytes);
      execution.outputs.push_back(std::move(output));
    }
    return execution;
  }

  const Snapshot& snapshot_;
  const DeviceStep& step_;
  const MemoryTimeline& timeline_;
  std::vector<std::string> events_;
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

Result<SnapshotPtr> simulate(const ReadGraphPtr& source, const StepLogOptions& options,
                             const MeasuredRunPtr& measured, Progress& progress) {
  TIDELINE_TRY(const auto graph, resize(std::make_shared<const GraphFile>(source), options.request,
                                        measured, progress));
  return make_snapshot(graph, Policy(), options.profile, progress);
}

Result<SnapshotPtr> simulate_rewritten(const ReadGraphPtr& source, const Graph& rewritten,
                                       StepLogOptions options, Progress& progress,
                                       std::vector<std::string>& notes) {
  const ReadGraphPtr graph = with_graph(*source, rewritten);
  MeasuredRunPtr measured;
  if (options.measured) {
    TIDELINE_TRY(measured, measure_again(*graph, *options.measured));
  }
  OpenRequest& request = options.request;
  if (request.fetches.empty()) {
    const SizedGraph planned{graph,       request.batch_size, request.shapes, request.rounds,
                             request.run, measured,           options.cycle};
    TIDELINE_TRY(const auto run, find_run(planned, std::nullopt));
    if (run) {
      request.fetches = run->fetches;
      notes.push_back(fmt::format("rewritten shows the {}, which has the largest peak of the cycle",
                                  run->name));
    }
  }
  return simulate(graph, options, measured, progress);
}

}  // namespace

std::vector<std::string> step_events(const Snapshot& snapshot,
                                     const std::vector<events::Hparam>& parameters) {
  StepWriter writer(snapshot);
  writer.add_scalars();
  writer.add_memory();
  writer.add_distances();
  writer.add_parameters(parameters);
  writer.add_run_metadata();
  return writer.take();
}

Result<StepLogs> step_logs(const ReadGraphPtr& source, const Graph& rewritten,
                           const StepLogOptions& options, Progress& progress) {
  StepLogs logs;
  const auto take = [&](const char* run, Result<SnapshotPtr> made, SnapshotPtr& to) -> Status {
    if (!made && made.error().code == Code::kCancelled) return cancelled();
    if (made) {
      to = *std::move(made);
    } else {
      logs.notes.push_back(
          fmt::format("the log's run {} has the graph alone: {}", run, made.error().message));
    }
    return {};
  };
  TIDELINE_RETURN_IF_ERROR(
      take("original", simulate(source, options, options.measured, progress), logs.original));
  TIDELINE_RETURN_IF_ERROR(
      take("rewritten", simulate_rewritten(source, rewritten, options, progress, logs.notes),
           logs.rewritten));
  if (logs.original) logs.runs.original = step_events(*logs.original, {});
  if (logs.rewritten) logs.runs.rewritten = step_events(*logs.rewritten, options.parameters);
  return logs;
}

void add_pictures(const DrawPng& draw_png, StepLogs& logs) {
  if (!logs.original && !logs.rewritten) return;
  if (!draw_png) {
    logs.notes.emplace_back(
        "the log has no picture of the memory: this build draws no PNG; tideline render draws SVG");
    return;
  }
  const auto add = [&](const SnapshotPtr& snapshot, std::vector<std::string>& to) {
    if (!snapshot) return true;
    const render::Scene scene = snapshot->scene();
    render::Picture picture;
    picture.scene = &scene;
    picture.view = render::find_view("memory");
    picture.theme = render::ThemeKind::kLight;
    picture.width_px = kPictureWidth;
    picture.height_px = kPictureHeight;
    const auto png =
        draw_png(kPictureWidth, kPictureHeight, 1, picture.theme,
                 [&](render::Canvas& canvas) { render::draw_picture(canvas, picture); });
    if (png) {
      to.push_back(events::image_event({kWallTime, 0}, "memory of a step", kPictureWidth,
                                       kPictureHeight, *png));
    } else {
      logs.notes.push_back("the log has no picture of the memory: " + png.error().message);
    }
    return png.has_value();
  };
  if (add(logs.original, logs.runs.original)) add(logs.rewritten, logs.runs.rewritten);
}

std::vector<events::Hparam> hparams_of(const Policy& used) {
  std::vector<events::Hparam> hparams = {{"rewriter", used.rewriter}};
  const Rewriter* rewriter = used.chosen();
  if (rewriter == nullptr) return hparams;
  for (const Parameter& parameter : rewriter->parameters) {
    const nlohmann::ordered_json value = value_json(used.values.get(parameter));
    if (value.is_null() || (value.is_array() && value.empty())) continue;
    events::Hparam hparam{std::string(parameter.name), {}};
    if (value.is_boolean()) {
      hparam.value = value.get<bool>();
    } else if (value.is_number()) {
      hparam.value = value.get<double>();
    } else {
      hparam.value = value.is_string() ? value.get<std::string>() : json_text(value, -1);
    }
    hparams.push_back(std::move(hparam));
  }
  return hparams;
}

}  // namespace tideline::app
