// The actions of open logs. Tested by unit/actions/commands_log_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "app/actions/commands.h"
#include "app/engine/chart_csv.h"
#include "app/engine/log_contents.h"
#include "app/session/log_document.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "render/model/log_page.h"

namespace tideline::app {
namespace {

LogDocument* log_shown(const Viewer& viewer) {
  const Session::Entry* entry = viewer.session.find(viewer.shown);
  return entry == nullptr ? nullptr : dynamic_cast<LogDocument*>(entry->document.get());
}

Answered add_log(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::string path, resolved(viewer, arguments.text(0), PathUse::kRead));
  log_shown(viewer)->add(path);
  return viewer.shown;
}

Answered remove_log(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_RETURN_IF_ERROR(log_shown(viewer)->remove(arguments.text(0)));
  viewer.view.log.rows.clear();  // series have other indices
  return viewer.shown;
}

bool has_added_log(const Viewer& viewer) {
  return has_log(viewer) && !log_shown(viewer)->contents()->added.empty();
}

Answered set_text(Viewer& viewer, const Arguments& arguments) {
  viewer.view.log.is_raw_text = arguments.text(0) == "raw";
  return {};
}

Answered open_logged_graph(Viewer& viewer, const Arguments& arguments) {
  const auto& graphs = log_shown(viewer)->contents()->graphs;
  const bool is_there = std::any_of(graphs.begin(), graphs.end(), [&](const auto& graph) {
    return graph.run == arguments.text(0) && graph.tag == arguments.text(1);
  });
  if (!is_there) {
    return fail(Code::kNotFound, "there is no graph '{}' of run '{}' in this log",
                printable(arguments.text(1)), printable(arguments.text(0)));
  }
  OpenRequest request;
  const PlaceOfRun place = place_of_run(*log_shown(viewer)->contents(), arguments.text(0));
  request.graph.path = place.path;
  request.graph.run = place.run;
  request.graph.tag = arguments.text(1);
  open_graph(viewer, std::move(request), first_wish(viewer));
  return viewer.shown;
}

// The run whose graph a traced step belongs to: its own, or the only one with graphs.
Result<std::string> run_of_graph(const ui::LogContents& log, const std::string& run) {
  std::set<std::string> runs;
  for (const auto& graph : log.graphs) runs.insert(graph.run);
  if (runs.contains(run)) return run;
  if (runs.size() == 1) return *runs.begin();
  if (runs.empty()) {
    return fail(Code::kNotFound,
                "there is no graph in this log for the traced step; open the graph, then this log "
                "as a traced step (File, Open a traced step)");
  }
  return fail(Code::kNotFound,
              "run '{}' has a traced step but no graph, and several others have: {}",
              printable(run), printable(fmt::format("{}", fmt::join(runs, ", ")), 1000));
}

Answered open_logged_trace(Viewer& viewer, const Arguments& arguments) {
  const ui::LogContents& log = *log_shown(viewer)->contents();
  const std::string run = arguments.text(0);
  const std::string tag = arguments.text(1);
  const bool is_there = std::any_of(log.traces.begin(), log.traces.end(), [&](const auto& trace) {
    return trace.run == run && trace.tag == tag;
  });
  if (!is_there) {
    return fail(Code::kNotFound, "there is no traced step '{}' of run '{}' in this log",
                printable(tag), printable(run));
  }
  OpenRequest request;
  TIDELINE_TRY(const std::string graph_run, run_of_graph(log, run));
  const PlaceOfRun of_graph = place_of_run(log, graph_run), of_trace = place_of_run(log, run);
  request.graph.path = of_graph.path;
  request.graph.run = of_graph.run;
  const events::TraceChoice trace{of_trace.path, of_trace.run, tag};
  const Session::Entry* open = viewer.session.find(*find_document_kind("graph"), request.graph);
  if (open != nullptr) {
    show(viewer, open->id);
    viewer.graph().measure(trace);
  } else {
    request.trace = trace;
    open_graph(viewer, std::move(request), first_wish(viewer));
  }
  viewer.view.tab = ui::Tab::kTimeline;
  viewer.view.memory_axis = ui::AxisKind::kMeasuredTime;
  return viewer.shown;
}

Answered set_page(Viewer& viewer, const Arguments& arguments) {
  const auto* const found =
      std::find(ui::kLogPageWords.begin(), ui::kLogPageWords.end(), arguments.text(0));
  viewer.view.log.page = static_cast<ui::LogPage>(found - ui::kLogPageWords.begin());
  return {};
}

Answered set_step(Viewer& viewer, const Arguments& arguments) {
  viewer.view.log.rows.clear();
  if (arguments.empty()) {
    viewer.view.log.step.reset();
  } else {
    viewer.view.log.step = arguments.whole(0);
  }
  return {};
}

Answered set_log_axis(Viewer& viewer, const Arguments& arguments) {
  render::ScalarLook& look = viewer.view.log.look;
  const auto* const found =
      std::find(ui::kLogAxisWords.begin(), ui::kLogAxisWords.end(), arguments.text(0));
  look.axis = static_cast<render::LogAxis>(found - ui::kLogAxisWords.begin());
  look.visible = {};
  return {};
}

Answered set_smoothing(Viewer& viewer, const Arguments& arguments) {
  viewer.view.log.look.smoothing_0_1 = arguments.decimal(0);
  return {};
}

Answered set_outliers(Viewer& viewer, const Arguments& arguments) {
  viewer.view.log.look.leaves_out_outliers = arguments.text(0) == "hide";
  return {};
}

Answered set_width(Viewer& viewer, const Arguments& arguments) {
  viewer.view.log.is_wide = arguments.text(0) == "full";
  return {};
}

bool has_scalars(const ui::LogContents& log, const std::string& name) {
  return std::any_of(log.tags.begin(), log.tags.end(), [&](const ui::LogContents::Tag& tag) {
    return tag.kind == events::SeriesKind::kScalar && tag.name == name;
  });
}

// The name of the picture that is proposed is that of the tag, without what a folder would be.
std::string proposed_chart(std::string tag) {
  std::replace(tag.begin(), tag.end(), '/', '_');
  return tag + ".png";
}

Answered enlarge(Viewer& viewer, const Arguments& arguments) {
  ui::LogView& view = viewer.view.log;
  if (arguments.empty()) {
    view.enlarged.clear();
    return {};
  }
  if (!has_scalars(*log_shown(viewer)->contents(), arguments.text(0))) {
    return fail(Code::kNotFound, "there are no scalars '{}' in this log",
                printable(arguments.text(0)));
  }
  const bool is_proposed =
      view.chart_path.empty() || view.chart_path == proposed_chart(view.enlarged);
  view.enlarged = arguments.text(0);
  if (is_proposed) view.chart_path = proposed_chart(view.enlarged);
  view.page = ui::LogPage::kScalars;
  return {};
}

// The values of the curves that the enlarged chart has.
std::string values_csv(const Viewer& viewer) {
  const auto log = log_shown(viewer)->contents();
  ui::LogCharts charts;
  charts.update(log, viewer.view.log);
  const auto tag =
      ui::shown_tag(charts, *log, events::SeriesKind::kScalar, viewer.view.log.enlarged);
  return chart_csv(tag ? charts.curves(*tag) : std::vector<render::RunCurve>());
}

Answered write_chart(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::string path, resolved(viewer, arguments.text(0), PathUse::kWrite));
  const bool replaces = arguments.size() > 1;
  if (viewer.view.log.enlarged.empty()) {
    return fail(Code::kInvalidArgument, "no chart is enlarged; expected log.enlarge TAG first");
  }
  if (path.ends_with(".csv")) {
    TIDELINE_RETURN_IF_ERROR(write_file(path, values_csv(viewer), replaces));
  } else if (!path.ends_with(".png") && !path.ends_with(".svg")) {
    return bad_argument(path, "a name that ends in .png, .svg or .csv");
  } else {
    if (!viewer.write_picture) return fail(Code::kUnsupported, "pictures cannot be drawn here");
    TIDELINE_RETURN_IF_ERROR(viewer.write_picture(viewer, {path, "chart", replaces}));
  }
  viewer.session.journal().say(ui::MessageKind::kInfo, "wrote " + path);
  return {};
}

Answered set_filter(Viewer& viewer, const Arguments& arguments) {
  const std::string text = arguments.size() > 1 ? arguments.text(1) : std::string();
  (arguments.text(0) == "tags" ? viewer.view.log.tag_filter : viewer.view.log.run_filter) = text;
  return {};
}

// Without a run "show" is of all, the others of those that the filter lists.
Answered choose_runs(Viewer& viewer, const Arguments& arguments) {
  ui::LogView& view = viewer.view.log;
  ui::LogCharts charts;
  charts.update(log_shown(viewer)->contents(), view);
  std::set<std::string> hidden(view.hidden_runs.begin(), view.hidden_runs.end());
  const bool is_only = arguments.text(0) == "only";
  const bool is_shown = is_only || arguments.text(0) == "show";
  const bool is_of_all = arguments.size() < 2;
  bool is_there = is_of_all;
  if (is_of_all && arguments.text(0) == "show") hidden.clear();
  for (const ui::LogRun& run : charts.runs()) {
    const bool is_meant = is_of_all ? run.is_listed : run.name == arguments.text(1);
    is_there = is_there || is_meant;
    if (is_meant && is_shown) hidden.erase(run.name);
    if (is_meant ? !is_shown : is_only && run.is_listed) hidden.insert(run.name);
  }
  if (!is_there) {
    return fail(Code::kNotFound, "there is no run '{}' in this log", printable(arguments.text(1)));
  }
  view.hidden_runs.assign(hidden.begin(), hidden.end());
  return {};
}

constexpr double kMostSmoothing = 0.999;

constexpr std::array kLogTable = {
    action("log.open-dialog", "Open a log...", "File", "", {},
           "Choose an event log to show its curves, graphs and traced steps.",
           show_popup<ui::Popup::kOpenLog>),
    action("log.add-dialog", "Add a log to compare...", "File", "", {},
           "Choose another log, whose runs then stand beside those of the log that is shown.",
           show_popup<ui::Popup::kAddLog>, has_log),
    action("log.add", "Add a log to compare", "", "", {text("PATH")},
           "Show the runs of another log beside those of the log that is shown, in the same "
           "charts, under a name of its own.",
           add_log, has_log, nullptr, Effect::kSlow),
    action("log.remove", "Remove an added log", "", "", {text("NAME")},
           "Take the runs of a log that was added away again.", remove_log, has_added_log, nullptr,
           Effect::kSlow),
    for_pages(action("log.text", "Choose how texts are shown", "", "", {word("rendered|raw")},
                     "Texts of the log with their Markdown, or as they were written.", set_text,
                     has_log)),
    action("log.open-graph", "Open a graph of the log", "", "", {text("RUN"), text("TAG")},
           "Open one of the graphs that the log lists.", open_logged_graph, has_log, nullptr,
           Effect::kSlow),
    action("log.open-trace", "Open a traced step of the log", "", "", {text("RUN"), text("TAG")},
           "Open one of the traced steps that the log lists, with the graph of its run.",
           open_logged_trace, has_log, nullptr, Effect::kSlow),
    for_pages(action("log.page", "Choose the page of the log", "", "",
                     {word("scalars|histograms|distributions|images|text|hparams|graphs")},
                     "Show a page of the log.", set_page, has_log)),
    for_pages(
        action("log.step", "Show a step of the log", "", "",
               {optional(whole("STEP", 0, "an integer of at least 0"))},
               "Show the images and texts of the last row up to this step; without it the newest.",
               set_step, has_log)),
    for_pages(action("log.axis", "Choose the axis of the log", "", "", {word("step|relative|wall")},
                     "The horizontal axis of scalars and distributions.", set_log_axis, has_log)),
    for_pages(action("log.smoothing", "Smooth the curves", "", "",
                     {decimal("X", 0, kMostSmoothing, "a number from 0 to 0.999")},
                     "From 0 to 0.999: the weight of what came before.", set_smoothing, has_log)),
    for_pages(action(
        "log.outliers", "Show or hide outliers", "", "", {word("show|hide")},
        "Whether a chart reaches as far as the farthest of its values, or as nine tenths of them.",
        set_outliers, has_log)),
    for_pages(action("log.width", "Choose the width of charts", "", "", {word("columns|full")},
                     "Charts beside each other, or each over the whole width.", set_width,
                     has_log)),
    for_pages(
        action("log.enlarge", "Enlarge a chart", "", "", {optional(text("TAG"))},
               "Give one chart of scalars the page for itself; without a tag all of them are there "
               "again.",
               enlarge, has_log)),
    action("log.write-chart", "Write the enlarged chart", "", "",
           {text("FILE"), optional(word("force"))},
           "Write the enlarged chart as .png or .svg, or its values as .csv.", write_chart,
           has_log),
    for_pages(
        action("log.filter", "Filter the log", "", "", {word("tags|runs"), optional(text("WORDS"))},
               "Show tags or runs that match; without words all of them.", set_filter, has_log)),
    for_pages(action(
        "log.runs", "Show or hide runs", "", "", {word("show|hide|only"), optional(text("RUN"))},
        "Show or hide the curves of a run, or show no other; without a run show all, or hide those "
        "that the filter lists.",
        choose_runs, has_log)),
};

}  // namespace

bool has_log(const Viewer& viewer) {
  const LogDocument* log = log_shown(viewer);
  return log != nullptr && log->is_open();
}

constinit const std::span<const Action> kLogActions = kLogTable;

}  // namespace tideline::app
