// Tested by unit/actions/ui_model_test.cc.
#include "app/actions/ui_model.h"

#include <algorithm>
#include <filesystem>

#include "app/actions/commands.h"
#include "app/actions/cycle_runs.h"
#include "app/actions/file_dialogs.h"
#include "app/actions/lesson_player.h"
#include "app/actions/restore.h"
#include "app/engine/op_card.h"
#include "app/session/log_document.h"
#include "app/session/sample.h"
#include "app/session/shipped_lessons.h"
#include "core/base/text.h"
#include "core/checkpoint/format.h"
#include "core/io/graph_format.h"
#include "core/rewrite/parameter_names.h"
#include "render/model/file_picks.h"

namespace tideline::app {
namespace {

constexpr std::size_t kLongestLine = 400;

// "MetaGraph, binary, 3.09 MiB, run train".
std::string format_text(const io::Document& document) {
  std::string text =
      fmt::format("{}, {}, {}", io::format_name(document.format), document.encoding->word,
                  format_bytes(static_cast<Bytes>(document.source->bytes().size())));
  if (!document.place.empty()) text += ", " + document.place;
  if (!document.function.empty()) text += ", function " + document.function;
  return text;
}

void take_snapshot(Viewer& viewer) {
  ModelCache& cache = viewer.cache;
  ui::UiModel& model = cache.model;
  const auto& snapshot = viewer.graph().snapshot();
  cache.snapshot = snapshot;
  model.keep_alive = snapshot;
  if (!snapshot) {
    model.scene.reset();
    model.summary = nullptr;
    model.diagnostics = nullptr;
    model.scope_totals = nullptr;
    model.path.clear();
    model.format.clear();
    model.function.clear();
    model.tuned_text.clear();
    model.report.clear();
    model.runs.clear();
    model.picks = {};
    cache.picks_of.reset();
    model.warnings.clear();
    return;
  }
  const OpenedGraph& graph = *snapshot->graph;
  model.scene = snapshot->scene();
  model.path = graph.file->path();
  model.format = format_text(graph.document());
  model.function = graph.document().function;
  model.summary = &graph.summary;
  model.diagnostics = &graph.diagnostics;
  cache.totals = {snapshot->shown->scope_bytes, snapshot->scope_swapped};
  model.scope_totals = &cache.totals;
  model.tuned_text = snapshot->tuned_text();
  model.runs = cycle_runs(*snapshot);
  if (cache.picks_of != graph.file) {
    cache.picks_of = graph.file;
    model.picks = ui::file_picks(graph.graph(), graph.file->levels);
  }
  model.report.clear();
  model.warnings.clear();
  for (Warning warning : snapshot->plan().warnings) {
    warning.text = printable(warning_text(warning, Naming::kField), kLongestLine);
    model.warnings.push_back(std::move(warning));
  }
  if (const auto& report = snapshot->plan().report) {
    for (const std::string& line : report->lines(snapshot->graph->graph(), snapshot->plan().edit)) {
      model.report.push_back(printable(line, kLongestLine));
    }
  }
}

// With the times of the device that is shown.
void take_swaps(Viewer& viewer) {
  ModelCache& cache = viewer.cache;
  cache.device = viewer.view.device;
  cache.model.swaps.clear();
  if (cache.snapshot) cache.model.swaps = swap_rows(*cache.snapshot, cache.device);
}

// What does not depend on the snapshot.
void take_wish(Viewer& viewer) {
  ui::UiModel& model = viewer.cache.model;
  const GraphDocument& graph = viewer.graph();
  model.revision = viewer.session.journal().revision();
  model.policy = &graph.wish().policy;
  model.profile = &graph.wish().profile;
  model.run = graph.wish().run;
  model.exact = graph.exact();
  model.fit = graph.fit();
  model.is_stale = graph.is_stale();
  const std::optional<Error>& error = graph.policy_error();
  model.tried = graph.tried();
  model.policy_error = error ? with_parameter_names(error->message, Naming::kField) : "";
  model.unwritten = graph.is_unwritten();
  model.messages = viewer.session.journal().messages();
  model.undo_title = graph.undo_title();
  model.try_first.clear();
  if (viewer.cache.snapshot && model.undo_title.empty()) {
    const Sample* sample = sample_of(viewer.cache.snapshot->graph->file->path());
    // A sample that was opened as any other file has another policy.
    const bool is_as_opened =
        sample != nullptr && sample->wish().policy.rewriter == graph.wish().policy.rewriter;
    if (is_as_opened) model.try_first = sample->first;
  }
  model.redo_title = graph.redo_title();
}

// "graph.pb", of a function "graph.pb / body"; "graph.pb (inlined)".
std::string short_title(const Session::Entry& entry) {
  const events::GraphChoice& choice = entry.document->request().graph;
  std::string name = file_name(choice.path);
  if (choice.inlines) name += " (inlined)";
  return choice.function.empty() ? name : name + " / " + choice.function;
}

// With its folder where another one has the same title.
std::string title_of(const Session& session, const Session::Entry& entry) {
  const std::string title = short_title(entry);
  const auto& all = session.documents();
  const auto of_title = std::count_if(all.begin(), all.end(), [&](const Session::Entry& other) {
    return short_title(other) == title;
  });
  if (of_title < 2) return title;
  const std::string& path = entry.document->request().graph.path;
  const std::string folder = std::filesystem::path(path).parent_path().filename().string();
  return folder.empty() ? title : folder + "/" + title;
}

void take_documents(Viewer& viewer) {
  ui::UiModel& model = viewer.cache.model;
  model.documents.clear();
  for (const Session::Entry& entry : viewer.session.documents()) {
    const SessionDocument& document = *entry.document;
    model.documents.push_back({title_of(viewer.session, entry), document.request().graph.path,
                               std::string(entry.kind->id), entry.id == viewer.shown,
                               document.is_unwritten(), document.job().has_value()});
  }
  model.log = nullptr;
  model.log_images = nullptr;
  model.checkpoint = nullptr;
  if (const Session::Entry* shown = viewer.session.find(viewer.shown)) {
    if (auto* log = dynamic_cast<LogDocument*>(shown->document.get())) {
      log->want_images(viewer.view.log.wanted_images, viewer.decode_image);
    }
    shown->document->show_in(model);
  }
}

// With the text of the op that is picked.
void take_diff(Viewer& viewer) {
  ModelCache& cache = viewer.cache;
  const auto text = std::move(cache.model.diff.text);
  cache.model.diff = viewer.graph().changes();
  const ShownChangesPtr& shown = viewer.graph().shown_changes();
  const std::string& op = viewer.view.diff.op;
  const ShownChangesPtr was_of = std::exchange(cache.text_of, shown);
  if (cache.model.diff.changes == nullptr || op.empty()) return;
  cache.model.diff.text = text;
  if (text != nullptr && was_of == shown && text->op == op) return;
  auto found = changed_text(*shown, op);
  if (!found) found = {{DiffLine::Kind::kSame, "(" + found.error().message + ")"}};
  cache.model.diff.text =
      std::make_shared<const render::ChangedText>(render::ChangedText{op, *std::move(found)});
}

void take_selection(Viewer& viewer) {
  ui::UiModel& model = viewer.cache.model;
  model.selected.reset();
  const auto op = selected_op(viewer);
  if (!op) return;
  if (viewer.cache.snapshot->has_plan()) viewer.graph().want_reasons();
  model.selected = op_card(*viewer.cache.snapshot, viewer.graph().reasons().get(), *op);
}

void take_search(Viewer& viewer) {
  ui::UiModel& model = viewer.cache.model;
  model.search_hits.clear();
  model.search_total = 0;
  model.search_problem.clear();
  if (!viewer.cache.snapshot || viewer.view.search.empty()) return;
  const auto found = search_ops(*viewer.cache.snapshot->shown, viewer.view.search);
  if (!found) {
    model.search_problem = found.error().message;
    return;
  }
  for (const OpId op : found->ops) {
    model.search_hits.emplace_back(viewer.cache.snapshot->shown->graph().name(op));
  }
  model.search_total = found->total;
}

}  // namespace

const ui::UiModel& make_ui_model(Viewer& viewer) {
  ModelCache& cache = viewer.cache;
  finish_restoring(viewer);
  continue_lesson(viewer);
  if (viewer.view.tab == ui::Tab::kFit) viewer.graph().want_fit();
  if (viewer.view.tab == ui::Tab::kDiff) viewer.graph().want_changes();
  const bool is_new = !cache.is_filled || cache.revision != viewer.session.journal().revision();
  const bool has_new_snapshot = !cache.is_filled || cache.snapshot != viewer.graph().snapshot();
  if (has_new_snapshot) take_snapshot(viewer);
  if (has_new_snapshot || cache.device != viewer.view.device) take_swaps(viewer);
  if (is_new) take_wish(viewer);
  if (is_new || viewer.view.tab == ui::Tab::kDiff) take_diff(viewer);
  if (is_new || has_new_snapshot || cache.selected != viewer.view.selected) {
    cache.selected = viewer.view.selected;
    take_selection(viewer);
  }
  if (has_new_snapshot || cache.search != viewer.view.search) {
    cache.search = viewer.view.search;
    take_search(viewer);
  }
  take_documents(viewer);
  take_dialog(viewer);
  if (cache.model.graph_formats.empty()) {
    cache.model.graph_formats = io::readable_graphs("");
    cache.model.checkpoint_formats = checkpoint::expected_output();
  }
  if (cache.model.samples.empty()) {
    for (const Sample& sample : samples()) {
      cache.model.samples.push_back(
          {std::string(sample.word), std::string(sample.title), std::string(sample.shows)});
    }
  }
  if (cache.model.lessons.empty()) {
    for (const ShippedLesson& lesson : shipped_lessons()) {
      cache.model.lessons.push_back(
          {std::string(lesson.word), std::string(lesson.title), std::string(lesson.shows)});
    }
  }
  // These depend on the view, too.
  cache.model.lesson = lesson_card(viewer);
  cache.model.actions = action_infos(viewer);
  cache.model.recent_files = viewer.settings.recent_files;
  cache.model.unwritten_before = viewer.unwritten_before;
  cache.model.job = job_of(viewer);
  cache.revision = viewer.session.journal().revision();
  cache.is_filled = true;
  return cache.model;
}

}  // namespace tideline::app
