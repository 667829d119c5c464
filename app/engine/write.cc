// Tested by unit/engine/write_test.cc.
#include "app/engine/write.h"

#include "app/engine/apply_plan.h"
#include "app/engine/input_readers.h"
#include "app/engine/outputs.h"
#include "app/engine/reasons.h"
#include "app/engine/rewrite.h"
#include "app/engine/step_log.h"
#include "app/engine/swap_rows.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/graph/graph_edit.h"

namespace tideline::app {
namespace {

Readers readers_of(const Snapshot& snapshot) {
  return readers_of_graph(snapshot.graph->document(), snapshot.graph->measured);
}

void add_warnings(const Snapshot& snapshot, Written& written) {
  for (const Warning& warning : snapshot.warnings()) {
    written.notes.push_back(warning_text(warning, Naming::kField));
  }
}

Result<Written> write_graph(const Snapshot& snapshot, const WriteRequest& request,
                            Progress& progress) {
  TIDELINE_TRY(const Graph rewritten, apply(snapshot.graph->graph(), snapshot.plan()));
  Written written;
  TIDELINE_TRY(written.notes,
               write_outputs(
                   {.graph = request.path, .force = request.force, .readers = readers_of(snapshot)},
                   snapshot.graph->document(), rewritten, {}, progress));
  written.text = fmt::format("wrote {}: {} ops", request.path, rewritten.op_count());
  add_warnings(snapshot, written);
  return written;
}

Result<Written> write_tables(const Snapshot& snapshot, const WriteRequest& request) {
  const std::string steps = steps_path(request.path);
  const Readers readers = readers_of(snapshot);
  TIDELINE_TRY(OutputFile swaps_file, OutputFile::create(request.path, request.force, readers));
  TIDELINE_TRY(OutputFile steps_file, OutputFile::create(steps, request.force, readers));
  TIDELINE_RETURN_IF_ERROR(swaps_file.append(swaps_csv(snapshot)));
  TIDELINE_RETURN_IF_ERROR(steps_file.append(steps_csv(snapshot)));
  TIDELINE_RETURN_IF_ERROR(commit_together({&swaps_file, &steps_file}));
  return Written{fmt::format("wrote {} and {}", request.path, steps), {}};
}

// Only the graph itself may replace the open file.
Status check_place(const Snapshot& snapshot, const WriteRequest& request) {
  if (request.kind == WriteKind::kGraph) return {};
  const std::string& open = snapshot.graph->document().path;
  if (place_of(request.path) != place_of(open)) return {};
  return fail(Code::kInvalidArgument, "{}: is the open graph; expected another file", request.path);
}

}  // namespace

Result<PreparedLog> prepare_log(const std::shared_ptr<const Snapshot>& snapshot,
                                const WriteRequest& request, Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(check_place(*snapshot, request));
  PreparedLog log{snapshot, {}, {}};
  TIDELINE_TRY(log.rewritten, apply(snapshot->graph->graph(), snapshot->plan()));
  TIDELINE_TRY(log.steps, step_logs(snapshot->graph->file->source, log.rewritten,
                                    {.request = snapshot->graph->request,
                                     .measured = snapshot->graph->measured,
                                     .profile = snapshot->profile,
                                     .parameters = hparams_of(snapshot->planned.used),
                                     .cycle = snapshot->plan().cycle(snapshot->graph->graph())},
                                    progress));
  return log;
}

Result<Written> write_log(const PreparedLog& log, const WriteRequest& request, Progress& progress) {
  Written written;
  TIDELINE_TRY(
      written.notes,
      write_outputs(
          {.log = request.path, .force = request.force, .readers = readers_of(*log.snapshot)},
          log.snapshot->graph->document(), log.rewritten, {}, progress, log.steps.runs));
  written.notes.insert(written.notes.end(), log.steps.notes.begin(), log.steps.notes.end());
  written.text = fmt::format("wrote {}: runs original and rewritten", request.path);
  return written;
}

Result<Written> write(const std::shared_ptr<const Snapshot>& snapshot, const WriteRequest& request,
                      Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(check_place(*snapshot, request));
  switch (request.kind) {
    case WriteKind::kGraph: return write_graph(*snapshot, request, progress);
    case WriteKind::kLog: {
      TIDELINE_TRY(const PreparedLog log, prepare_log(snapshot, request, progress));
      return write_log(log, request, progress);
    }
    case WriteKind::kCsv: return write_tables(*snapshot, request);
    case WriteKind::kPlan: break;
  }
  TIDELINE_TRY(const std::string plan, plan_text(snapshot, progress));
  TIDELINE_RETURN_IF_ERROR(write_file(request.path, plan, request.force, readers_of(*snapshot)));
  return Written{fmt::format("wrote {}", request.path), {}};
}

std::string steps_path(const std::string& csv_path) {
  constexpr std::string_view kExtension = ".csv";
  std::string stem = csv_path;
  if (stem.ends_with(kExtension)) stem.resize(stem.size() - kExtension.size());
  return stem + ".steps.csv";
}

Result<std::string> plan_text(const std::shared_ptr<const Snapshot>& snapshot, Progress& progress) {
  if (!snapshot->has_plan()) {
    return fail(Code::kInvalidArgument, "there is no plan while the policy is off");
  }
  TIDELINE_TRY(const auto reasons, Reasons::find(snapshot, progress));
  const io::Document& document = snapshot->graph->document();
  const Outcome& made = reasons->explained();
  TIDELINE_TRY(const Graph changed, apply(document.graph, made.plan));
  return plan_text(*snapshot->graph->file->source, document.path, made, changed,
                   snapshot->predicted(), progress);
}

std::string swaps_csv(const Snapshot& snapshot) {
  std::string text =
      "tensor,bytes,producer_level,out_level,in_level,consumer_level,transfer_ns,slack_ns,wait_ns,"
      "at_peak,is_idle,why\n";
  for (const ui::SwapRow& row : swap_rows(snapshot)) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(row.name), row.bytes,
                        row.producer_level, row.out_level, row.in_level, row.consumer_level,
                        row.transfer_ns, row.slack_ns, row.wait_ns, at_peak_name(row.at_peak),
                        row.is_idle ? 1 : 0, csv_field(row.why));
  }
  return text;
}

std::string steps_csv(const Snapshot& snapshot) {
  const DeviceResult& device = snapshot.devices.front();
  const MemoryTimeline& step = device.result().timeline;
  std::string text = "step,level,op,device_bytes,host_bytes\n";
  for (std::size_t i = 0; i < step.schedule.size(); ++i) {
    const std::string op = op_name(snapshot.graph->graph(), snapshot.plan(), step.schedule[i]);
    text += fmt::format("{},{},{},{},{}\n", i, step.level[i], csv_field(op), step.device[i],
                        step.host[i]);
  }
  return text;
}

}  // namespace tideline::app
