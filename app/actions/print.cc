// Tested by unit/actions/script_test.cc and golden/cases/script.txt.
#include "app/actions/print.h"

#include "app/actions/commands.h"
#include "app/engine/op_card.h"
#include "app/engine/plan_command.h"
#include "core/analysis/loop_lists.h"
#include "core/base/text.h"
#include "core/memory/measured/measured_peaks.h"
#include "core/memory/step_time_text.h"
#include "core/memory/taken_branches.h"
#include "core/rewrite/lms/scope_rules.h"
#include "core/rewrite/parameter_names.h"
#include "core/rewrite/policy_parameters.h"
#include "render/model/result_lines.h"
#include "render/view/diff_view.h"
#include "render/view/measured_curve.h"
#include "render/view/timeline_view.h"

namespace tideline::app {
namespace {

// Before what is said of one of several devices.
std::string of_device(const Snapshot& snapshot, const DeviceResult& device) {
  if (snapshot.devices.size() < 2) return "";
  return printable(device.name()) + ": ";
}

// A plan that replaces the step by several runs has no step that could be compared with the
// graph's.
bool is_plain_step(const Snapshot& snapshot, const DeviceResult& device) {
  return snapshot.has_plan() && !device.after;
}

std::string time_text(const Snapshot& snapshot, const DeviceResult& device) {
  const std::string range = range_text(device.timing);
  return fmt::format("{}{}{}{}{}\n{}\n", of_device(snapshot, device),
                     is_plain_step(snapshot, device) ? "plain " : "",
                     step_text(device.timing, device.after != nullptr), range.empty() ? "" : ", ",
                     range, basis_text(device.timing.after, snapshot.profile));
}

std::string peaks_text(const Snapshot& snapshot, const DeviceResult& device) {
  const std::string run = run_text(device.original->graph.run);
  const std::string name = (device.name().empty() ? "device" : printable(device.name())) +
                           (run.empty() ? "" : ", " + run);
  const std::optional<Bytes> peak_in_file = device.original->peak_in_file();
  const std::string in_file =
      peak_in_file ? fmt::format(", as in the file {}", format_bytes(*peak_in_file)) : "";
  const MemoryTimeline& before = device.original->before.timeline;
  if (is_plain_step(snapshot, device)) {
    return fmt::format("{}: peak of the plain step {} (level {}){}\n", name,
                       format_bytes(before.device_peak), before.peak_level, in_file);
  }
  const MemoryTimeline& now = device.result().timeline;
  if (!snapshot.has_plan() && !snapshot.shown->file->copies.empty()) {
    return fmt::format("{}: peak {} (level {}), host {}{}\n", name, format_bytes(now.device_peak),
                       now.peak_level, format_bytes(now.host_peak), in_file);
  }
  return fmt::format("{}: peak {} (level {}), without {} {}, host {}{}\n", name,
                     format_bytes(now.device_peak), now.peak_level,
                     snapshot.plan().swaps().empty() && snapshot.has_plan() ? "the plan" : "swaps",
                     format_bytes(before.device_peak), format_bytes(now.host_peak), in_file);
}

std::string taken_line(const Snapshot& snapshot, const DeviceResult& device) {
  const std::string taken = taken_text(device.original->graph);
  return taken.empty() ? "" : of_device(snapshot, device) + taken + "\n";
}

std::string result_text(const Snapshot& snapshot) {
  std::string text = fmt::format("policy {}\n", snapshot.policy.rewriter);
  if (!snapshot.tuned_text().empty()) text += fmt::format("found {}\n", snapshot.tuned_text());
  for (const DeviceResult& device : snapshot.devices) {
    text += peaks_text(snapshot, device) + taken_line(snapshot, device);
  }
  if (snapshot.shown->measured) {
    const render::Scene scene = snapshot.scene();
    for (std::size_t device = 0; device < scene.devices.size(); ++device) {
      const std::string summary = render::measured_summary(scene, device);
      if (summary.empty()) continue;
      text += fmt::format("the model's step without swaps {}\n{}\n",
                          peak_text(peak_parts(*scene.devices[device].before)), summary);
    }
  }
  for (const DeviceResult& device : snapshot.devices) text += time_text(snapshot, device);
  const SwapCopies& copies = snapshot.shown->file->copies;
  if (!copies.empty()) text += copies_in_file_text(copies) + "\n";
  for (const std::string& line :
       loop_lists_text(snapshot.shown->file->source->facts, snapshot.shown->tensors)) {
    text += printable(line, 2000) + "\n";
  }
  if (!snapshot.has_plan()) {
    for (const DeviceResult& device : snapshot.devices) {
      if (copies.empty()) break;
      text += of_device(snapshot, device) + copies_text(device.timing.after) + "\n";
    }
    return text;
  }
  const PlanReport& report = *snapshot.plan().report;
  for (const std::string& line : report.lines(snapshot.graph->graph(), snapshot.plan().edit)) {
    text += printable(line, 2000) + "\n";
  }
  text += ui::counts_text(report.counts(snapshot.plan().edit)) + "\n";
  for (const DeviceResult& device : snapshot.devices) {
    if (snapshot.plan().swaps().empty()) break;
    text += of_device(snapshot, device) + copies_text(device.timing.after) + "\n";
  }
  const IdleSwaps idle = idle_swaps(snapshot.effects());
  if (idle.count > 0) text += idle_swaps_text(idle, snapshot.effects().size()) + "\n";
  for (const Warning& warning : snapshot.warnings()) {
    text += fmt::format("warning: {}\n", printable(warning_text(warning, Naming::kField), 2000));
  }
  return text;
}

// What TensorFlow says beside the model, where it was asked.
std::string exact_text(const GraphDocument& graph) {
  if (!graph.exact()) return {};
  const ui::ExactPeaks& exact = *graph.exact();
  const Snapshot& snapshot = *graph.snapshot();
  std::string text;
  for (std::size_t i = 0; i < exact.before.size(); ++i) {
    const ui::ExactPeak& last = exact.after.empty() ? exact.before[i] : exact.after[i];
    const std::string miss = ui::exact_miss(last, snapshot.device_budget.value_or(0));
    text += fmt::format("{}exactly, by TensorFlow {}: peak {}",
                        of_device(snapshot, snapshot.devices[i]), printable(exact.tensorflow, 40),
                        format_bytes(last.device_peak));
    if (!exact.after.empty()) {
      text += fmt::format(", without the plan {}", format_bytes(exact.before[i].device_peak));
    }
    text += fmt::format("{}{}\n", miss.empty() ? "" : ", ", miss);
  }
  if (!exact.problem.empty()) {
    text += fmt::format("not known exactly: {}\n", printable(exact.problem, 2000));
  }
  return text;
}

std::string swaps_text(const Snapshot& snapshot) {
  std::string text;
  for (const ui::SwapRow& row : swap_rows(snapshot)) {
    text += fmt::format(
        "{} {} out {} in {} for {}, slack {} ns, wait {} ns{}\n", printable(row.name),
        format_bytes(row.bytes), row.out_level, row.in_level, row.consumer_level, row.slack_ns,
        row.wait_ns,
        row.is_idle ? fmt::format(", idle ({} at the peak)", at_peak_name(row.at_peak)) : "");
  }
  return text.empty() ? "no swaps\n" : text;
}

std::string inspector_text(const Viewer& viewer, OpId op) {
  const ui::OpCard card = op_card(*viewer.graph().snapshot(), viewer.graph().reasons().get(), op);
  std::string text = fmt::format("{} ({}), level {}, {}\n", printable(card.name),
                                 printable(card.type), card.level, card.phase);
  if (!card.line.file.empty()) text += fmt::format("  made at {}\n", whole_text(card.line));
  for (const ui::TensorCard& output : card.outputs) {
    text += fmt::format("  {} {} {} {}{}\n", printable(output.name), output.type, output.shape,
                        format_bytes(output.bytes), output.unknown_size ? " (guessed)" : "");
    if (!output.why.empty()) {
      text += fmt::format("    {}: {}\n", output.swapped ? "is swapped" : "stays",
                          printable(output.why, 400));
    }
    text += fmt::format("    memory by level: {}\n", output.memory);
  }
  const auto add = [&](std::string_view title, const std::vector<std::string>& names) {
    if (names.empty()) return;
    text += fmt::format("  {}:", title);
    for (const std::string& name : names) text += " " + printable(name);
    text += "\n";
  };
  add("reads", card.inputs);
  add("waits for", card.controls);
  add("is read by", card.consumers);
  return text;
}

// Parameters that are not as they begin.
std::string state_text(const Viewer& viewer) {
  const Wish& wish = viewer.graph().wish();
  std::string text;
  if (has_graph(viewer)) {
    text +=
        fmt::format("graph {}\n", printable(viewer.graph().snapshot()->graph->file->path(), 2000));
  }
  text += fmt::format("mode {}\n", wish.policy.rewriter);
  for (const Parameter* parameter : policy_parameters()) {
    if (is_default(wish.policy, *parameter)) continue;
    text += fmt::format("{} {}\n", parameter->name,
                        printable(parameter_text(wish.policy, *parameter), 2000));
  }
  if (wish.batch_size) text += fmt::format("batch-size {}\n", *wish.batch_size);
  for (const GivenShape& given : wish.shapes) {
    text += fmt::format("shape {}\n", printable(given_shape_text(given)));
  }
  for (const GivenRounds& given : wish.rounds) {
    text += fmt::format("rounds {}={}\n", printable(given.name), given.count);
  }
  if (run_model_text(wish.run) != run_model_text({})) {
    text += fmt::format("as-run {}\n", run_model_text(wish.run));
  }
  for (const GivenBranch& given : wish.run.branches) {
    text += fmt::format("branch {}\n", printable(given_branch_text(given)));
  }
  text += fmt::format("profile {}\n", printable(wish.profile.name));
  if (viewer.graph().policy_error()) {
    text += fmt::format(
        "policy-error {}\n",
        printable(with_parameter_names(viewer.graph().policy_error()->message, Naming::kField),
                  2000));
  }
  if (!viewer.graph().undo_title().empty()) {
    text += fmt::format("undo {}\n", viewer.graph().undo_title());
  }
  return text;
}

// The rules of scopes that are in force.
std::string scopes_text(const Viewer& viewer) {
  const std::string text = scope_rules(viewer.graph().wish().policy).text();
  return text.empty() ? "every scope is automatic\n" : text + "\n";
}

// The shown document is marked with a star.
std::string documents_text(const Viewer& viewer) {
  std::string text;
  for (const Session::Entry& entry : viewer.session.documents()) {
    text += fmt::format("{} {} {}{}\n", entry.id == viewer.shown ? '*' : ' ', entry.kind->id,
                        printable(entry.document->request().graph.path, 2000),
                        entry.document->is_unwritten() ? " (unwritten)" : "");
  }
  return text.empty() ? "nothing is open\n" : text;
}

std::string checkpoint_text(const ui::CheckpointContents& contents) {
  const ui::CheckpointListing& listing = *contents.listing;
  std::string text = fmt::format(
      "checkpoint {}\n{}, {} tensors, {} in {} files\n", printable(listing.path, 2000),
      listing.format, listing.tensors.size(), format_bytes(listing.bytes), listing.files.size());
  if (contents.facts) {
    const ui::TensorFacts& facts = *contents.facts;
    text += fmt::format("tensor {}\n", printable(facts.name, 2000));
    for (const auto& [label, value] : facts.rows) text += fmt::format("  {} {}\n", label, value);
    if (!facts.histogram.empty()) {
      text += fmt::format("  from {} to {}: {}\n", facts.least, facts.most,
                          fmt::join(facts.histogram, " "));
    }
    if (!facts.other_histogram.empty()) {
      text += fmt::format("  in {}: {}\n", printable(facts.other, 2000),
                          fmt::join(facts.other_histogram, " "));
    }
    if (!facts.problem.empty()) text += fmt::format("  {}\n", printable(facts.problem, 2000));
  }
  if (contents.check) {
    text += printable(contents.check->summary, 2000) + "\n";
    for (const std::string& damage : contents.check->damages) {
      text += fmt::format("  {}\n", printable(damage, 2000));
    }
  }
  if (contents.comparison) {
    text += fmt::format("compared with {}: {} tensors are equal, {} differ\n",
                        printable(contents.comparison->path, 2000), contents.comparison->equal,
                        contents.comparison->different.size());
    for (const auto& row : contents.comparison->different) {
      text += fmt::format("  {}: {}\n", printable(row.name, 2000), row.what);
    }
  }
  if (contents.backends) {
    for (const ui::BackendRow& backend : *contents.backends) {
      text += fmt::format("backend {}: {}\n", printable(backend.name),
                          fmt::join(backend.abilities, ", "));
    }
  }
  return text;
}

// The statistics of the stretch that was chosen, else of the whole step.
Result<std::string> timeline_text(const Viewer& viewer) {
  if (!has_trace(viewer)) {
    return fail(Code::kInvalidArgument,
                "there is no traced step; expected measure.open FILE first");
  }
  constexpr std::size_t kMostTypes = 20;
  const render::Scene scene = viewer.graph().snapshot()->scene();
  const render::TimelineLayout timeline = render::layout_timeline(scene);
  const auto stretch = viewer.view.stretch.value_or(
      ui::TimeStretch{0, static_cast<double>(timeline.trace.span_ns) / 1000});
  return render::statistics_text(scene, timeline, {stretch.from_us, stretch.to_us}, kMostTypes);
}

constexpr std::uint32_t kMostIndent = 40;

Result<std::string> diff_text(const Viewer& viewer) {
  const ui::DiffState diff = viewer.graph().changes();
  if (diff.changes == nullptr) {
    return fail(Code::kInvalidArgument,
                "no graphs were compared; expected diff.of BEFORE AFTER first");
  }
  std::string text = diff.changes->verdict + "\n";
  for (const auto& check : diff.changes->checks) {
    text += fmt::format("  {}: {}\n", check.holds ? "holds" : "does not hold", check.text);
  }
  const auto& open = viewer.view.diff.open;
  for (const render::DiffRow& row : render::diff_rows(*diff.changes, open)) {
    const std::string indent(2 * std::min(row.depth, kMostIndent) + 2, ' ');
    if (row.op == render::DiffRow::kNone) {
      const auto& scope = diff.changes->scopes[row.scope];
      text += fmt::format("{}{} +{} ~{} -{}\n", indent, printable(scope.path, 2000),
                          scope.counts.added, scope.counts.changed, scope.counts.removed);
      continue;
    }
    const auto& op = diff.changes->ops[row.op];
    const bool is_added = op.kind == render::ChangeKind::kAdded;
    const bool is_removed = op.kind == render::ChangeKind::kRemoved;
    text += fmt::format("{}{} {}: {}\n", indent,
                        is_added     ? '+'
                        : is_removed ? '-'
                                     : '~',
                        printable(op.name, 2000), fmt::join(op.lines, "; "));
  }
  return text;
}

constexpr const char* kWhat =
    "result, swaps, inspector, timeline, scopes, diff, state, documents, checkpoint or clipboard";

}  // namespace

Result<std::string> print_text(const Viewer& viewer, std::string_view what) {
  if (what == "diff") return diff_text(viewer);
  if (what == "state") return state_text(viewer);
  if (what == "documents") return documents_text(viewer);
  if (what == "scopes") return scopes_text(viewer);
  if (what == "checkpoint") {
    const auto contents = shown_checkpoint(viewer);
    if (!contents) return fail(Code::kInvalidArgument, "no checkpoint is shown; expected one");
    return checkpoint_text(*contents);
  }
  if (what == "clipboard") {
    if (!viewer.clipboard) return fail(Code::kInvalidArgument, "nothing was copied");
    return *viewer.clipboard + (viewer.clipboard->ends_with('\n') ? "" : "\n");
  }
  if (what == "timeline") return timeline_text(viewer);
  if (what != "result" && what != "swaps" && what != "inspector") {
    return bad_argument(what, kWhat);
  }
  if (!has_graph(viewer)) return fail(Code::kInvalidArgument, "no graph is open; expected one");
  if (what == "result") return result_text(*viewer.graph().snapshot()) + exact_text(viewer.graph());
  if (what == "swaps") return swaps_text(*viewer.graph().snapshot());
  const auto op = selected_op(viewer);
  if (!op)
    return fail(Code::kInvalidArgument, "nothing is selected; expected select.op NAME first");
  return inspector_text(viewer, *op);
}

}  // namespace tideline::app
