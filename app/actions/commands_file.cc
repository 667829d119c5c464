// The actions for files, undo and copying. Tested by unit/actions/commands_test.cc.
#include <array>

#include "app/actions/commands.h"
#include "app/actions/copy_as.h"
#include "app/actions/file_dialogs.h"
#include "app/actions/html_report.h"
#include "app/actions/lesson_player.h"
#include "app/actions/planned_wish.h"
#include "app/engine/input_readers.h"
#include "app/session/sample.h"
#include "core/base/output_file.h"

namespace tideline::app {
namespace {

OpenRequest request_for(const std::string& path) {
  OpenRequest request;
  request.graph.path = path;
  return request;
}

Answered open_path(Viewer& viewer, const std::string& path) {
  if (is_lesson_path(path)) {
    TIDELINE_RETURN_IF_ERROR(start_lesson(viewer, path));
    return viewer.shown;
  }
  open_document(viewer, kind_of_path(path), request_for(path), first_wish(viewer));
  return viewer.shown;
}

Answered open(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::string path, resolved(viewer, arguments.text(0), PathUse::kRead));
  viewer.view.popup = ui::Popup::kNone;
  if (arguments.size() == 1) return open_path(viewer, path);
  OpenRequest request = request_for(path);
  request.graph.function = arguments.text(1);
  open_graph(viewer, std::move(request), first_wish(viewer));
  return viewer.shown;
}

Answered take_dropped(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::string path, resolved(viewer, arguments.text(0), PathUse::kRead));
  viewer.view.popup = ui::Popup::kNone;
  const bool may_be_trace = !is_lesson_path(path) && kind_of_path(path).id == "graph";
  if (!has_graph(viewer) || !may_be_trace) return open_path(viewer, path);
  viewer.graph().take_dropped(request_for(path));
  return {};
}

Answered open_sample(Viewer& viewer, const Arguments& arguments) {
  const Sample& sample = arguments.empty() ? samples().front() : *find_sample(arguments.text(0));
  TIDELINE_TRY(const std::string file, sample_path(sample));
  TIDELINE_TRY(const std::string path, resolved(viewer, file, PathUse::kRead));
  open_graph(viewer, request_for(path), sample.wish());
  return viewer.shown;
}

Answered open_trace(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(std::string path, resolved(viewer, arguments.text(0), PathUse::kRead));
  viewer.view.popup = ui::Popup::kNone;
  const auto optional_text = [&](std::size_t index) {
    return arguments.size() > index ? arguments.text(index) : std::string();
  };
  viewer.graph().measure({std::move(path), optional_text(1), optional_text(2)});
  return {};
}

Answered browse(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(viewer.view.browser_folder, resolved(viewer, arguments.text(0), PathUse::kRead));
  viewer.cache.has_folder = false;  // read it anew
  return {};
}

Answered reload(Viewer& viewer, const Arguments&) {
  // What the paths name may have changed.
  TIDELINE_RETURN_IF_ERROR(resolved(viewer, viewer.graph().request().graph.path, PathUse::kRead));
  if (const auto trace = viewer.graph().trace(); !trace.path.empty()) {
    TIDELINE_RETURN_IF_ERROR(resolved(viewer, trace.path, PathUse::kRead));
  }
  viewer.graph().reload();
  return {};
}

// As a tab of its own, with the same wish, so that both can be compared.
Answered open_inlined(Viewer& viewer, const Arguments& arguments) {
  OpenRequest request;
  request.graph = viewer.graph().request().graph;
  request.graph.inlines = arguments.text(0) == "on";
  TIDELINE_TRY(request.graph.path, resolved(viewer, request.graph.path, PathUse::kRead));
  open_graph(viewer, std::move(request), viewer.graph().wish());
  return viewer.shown;
}

template <WriteKind kKind>
Answered write(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::string path, resolved(viewer, arguments.text(0), PathUse::kWrite));
  viewer.view.popup = ui::Popup::kNone;
  const bool force = arguments.size() > 1;
  TIDELINE_RETURN_IF_ERROR(viewer.graph().write({kKind, path, force, viewer.draw_png}));
  return {};
}

// As ui::WriteForm counts.
constexpr std::array<std::string_view, ui::kWriteForms> kForms = {"graph",  "log",     "plan",
                                                                  "tables", "picture", "window"};

// Names that were typed stay; that of a picture follows the view while nobody has changed it.
Answered write_dialog(Viewer& viewer, const Arguments& arguments) {
  viewer.view.popup = ui::Popup::kWrite;
  const std::string_view wanted = arguments.empty() ? kForms.front() : arguments.text(0);
  const std::string& graph = viewer.graph().snapshot()->graph->file->path();
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    const auto form = static_cast<ui::WriteForm>(i);
    if (kForms[i] == wanted) viewer.view.write_form = form;
    std::string& path = viewer.view.write_paths[i];
    bool is_proposed = path.empty();
    if (form == ui::WriteForm::kPicture) {
      for (const std::string& word : render::view_words())
        is_proposed = is_proposed || path == proposed_path(graph, form, word);
    }
    if (is_proposed) path = proposed_path(graph, form, ui::view_of(viewer.view.tab).word);
  }
  return {};
}

Answered write_picture(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::string path, resolved(viewer, arguments.text(0), PathUse::kWrite));
  PictureRequest request{path, "window"};
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments.text(i) == "force") {
      request.force = true;
    } else {
      request.what = arguments.text(i);
    }
  }
  if (!viewer.write_picture) return fail(Code::kUnsupported, "pictures cannot be drawn here");
  TIDELINE_RETURN_IF_ERROR(viewer.write_picture(viewer, request));
  viewer.view.popup = ui::Popup::kNone;
  viewer.session.journal().say(ui::MessageKind::kInfo, "wrote " + request.path);
  return {};
}

Answered write_report(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::string path, resolved(viewer, arguments.text(0), PathUse::kWrite));
  if (!path.ends_with(".html") && !path.ends_with(".htm")) {
    return bad_argument(path, "a name that ends in .html");
  }
  const OpenedGraph& graph = *viewer.graph().snapshot()->graph;
  TIDELINE_RETURN_IF_ERROR(write_file(path, html_report(viewer), /*replace=*/arguments.size() > 1,
                                      readers_of_graph(graph.document(), graph.measured)));
  viewer.session.journal().say(ui::MessageKind::kInfo, "wrote " + path);
  return {};
}

Answered copy_command_line(Viewer& viewer, const Arguments&) {
  const events::GraphChoice& choice = viewer.graph().snapshot()->graph->file->source->choice;
  const std::string& typed = viewer.view.write_paths.front();
  const std::string output = typed.empty() ? output_beside(choice.path) : typed;
  TIDELINE_TRY(viewer.clipboard,
               command_line(choice, viewer.graph().trace(), planned_wish(viewer), output));
  viewer.session.journal().say(ui::MessageKind::kInfo, "copied: " + *viewer.clipboard);
  return *viewer.clipboard;
}

Answered copy_python(Viewer& viewer, const Arguments&) {
  TIDELINE_TRY(viewer.clipboard, python_call(viewer.graph().trace(), planned_wish(viewer)));
  viewer.session.journal().say(ui::MessageKind::kInfo, "copied: " + *viewer.clipboard);
  return *viewer.clipboard;
}

bool has_graph_or_log(const Viewer& viewer) {
  return has_graph(viewer) || has_log(viewer);
}
bool can_undo(const Viewer& viewer) {
  return !viewer.graph().undo_title().empty();
}
bool can_redo(const Viewer& viewer) {
  return !viewer.graph().redo_title().empty();
}
std::string undo_title(const Viewer& viewer) {
  return can_undo(viewer) ? "Undo: " + viewer.graph().undo_title() : "Undo";
}
std::string redo_title(const Viewer& viewer) {
  return can_redo(viewer) ? "Redo: " + viewer.graph().redo_title() : "Redo";
}

std::string sample_words() {
  std::vector<std::string_view> words;
  for (const Sample& sample : samples()) words.push_back(sample.word);
  return fmt::format("{}", fmt::join(words, "|"));
}

const std::string kSampleWords = sample_words();
const std::string kFormWords = fmt::format("{}", fmt::join(kForms, "|"));
const std::string kPictureWords =
    fmt::format("{}|both|window|chart|force", fmt::join(render::view_words(), "|"));

const std::array kFileTable = {
    for_pages(action("file.open-dialog", "Open...", "File", "Ctrl+O", {},
                     "Choose a graph, log or checkpoint to open.", show_popup<ui::Popup::kOpen>)),
    action("file.open", "Open a file", "", "", {text("PATH"), optional(text("FUNCTION"))},
           "Open a graph file, SavedModel, event log, checkpoint or lesson; of a graph with "
           "FUNCTION the body of this function.",
           open, nullptr, nullptr, Effect::kSlow),
    action("file.open-sample", "Open the sample", "File", "", {optional(word(kSampleWords))},
           "Open a small residual net, planned for a device with too little memory for it, or "
           "another sample.",
           open_sample, nullptr, nullptr, Effect::kSlow),
    action("file.drop", "Open what was dropped", "", "", {text("PATH")},
           "Open a file, or show a traced step of the graph that is open.", take_dropped, nullptr,
           nullptr, Effect::kSlow),
    for_pages(action("measure.open-dialog", "Open a traced step...", "File", "", {},
                     "Choose a RunMetadata file or a log folder to show beside the model.",
                     show_popup<ui::Popup::kOpenTrace>, has_graph)),
    for_pages(
        action("measure.open", "Open a traced step", "", "",
               {text("FILE|LOGDIR"), optional(text("RUN")), optional(text("TAG"))},
               "Show the measurements of a traced step of this graph, and use its sizes and times.",
               open_trace, has_graph, nullptr, Effect::kSlow)),
    for_pages(action("measure.close", "Close the traced step", "File", "", {},
                     "Use assumed sizes and times again.", of_graph<&GraphDocument::stop_measuring>,
                     has_trace, nullptr, Effect::kSlow)),
    action("file.browse", "Show a folder", "", "", {text("FOLDER")},
           "Show a folder in the file browser; an empty name is the current one.", browse),
    for_pages(action("file.reload", "Reload", "File", "Ctrl+R", {},
                     "Read the file again, keep the policy.", reload, has_graph, nullptr,
                     Effect::kSlow)),
    action("graph.inline", "Inline calls", "", "", {word("on|off")},
           "Open the graph with calls of functions replaced by the ops of the functions, or as it "
           "is in the file.",
           open_inlined, has_graph, nullptr, Effect::kSlow),
    for_pages(action(
        "file.write-dialog", "Write...", "File", "Ctrl+S Ctrl+E", {optional(word(kFormWords))},
        "Choose where the graph, a log, a picture or tables go.", write_dialog, has_plan)),
    for_pages(action("file.write", "Write the graph", "", "",
                     {text("PATH"), optional(word("force"))},
                     "Write the rewritten graph in the format that the name asks for.",
                     write<WriteKind::kGraph>, has_plan, nullptr, Effect::kResults)),
    for_pages(action("file.write-log", "Write a log", "", "",
                     {text("DIR"), optional(word("force"))},
                     "Write a log for TensorBoard: the graph before and after.",
                     write<WriteKind::kLog>, has_plan, nullptr, Effect::kResults)),
    for_pages(action("file.write-picture", "Write a picture", "", "",
                     {text("FILE"), optional(word(kPictureWords)), optional(word("force"))},
                     "Draw a view, both levels and memory, the whole window, or the enlarged chart "
                     "of a log, into "
                     "a .png or .svg file.",
                     write_picture, has_graph_or_log, nullptr, Effect::kResults)),
    for_pages(action("file.write-csv", "Write tables", "", "",
                     {text("FILE"), optional(word("force"))},
                     "Write the swaps as CSV, and the memory of every step beside it.",
                     write<WriteKind::kCsv>, has_plan, nullptr, Effect::kResults)),
    for_pages(action("file.write-plan", "Write the plan", "", "",
                     {text("FILE"), optional(word("force"))}, "Write the plan as JSON.",
                     write<WriteKind::kPlan>, has_plan, nullptr, Effect::kResults)),
    action("file.write-report", "Write a report", "", "", {text("FILE"), optional(word("force"))},
           "Write what the window shows of the graph as one page of HTML.", write_report, has_plan,
           nullptr, Effect::kResults),
    for_pages(action("edit.undo", "Undo", "Edit", "Ctrl+Z", {}, "Undo the last change.",
                     of_graph<&GraphDocument::undo>, can_undo, undo_title)),
    for_pages(action("edit.redo", "Redo", "Edit", "Ctrl+Shift+Z Ctrl+Y", {},
                     "Redo the last undone change.", of_graph<&GraphDocument::redo>, can_redo,
                     redo_title)),
    for_pages(action("edit.copy-command-line", "Copy as command line", "Edit", "Ctrl+Shift+C", {},
                     "Copy the command that writes the same graph.", copy_command_line, has_graph,
                     nullptr, Effect::kReads)),
    for_pages(action("edit.copy-python", "Copy as Python call", "Edit", "", {},
                     "Copy the call of the reference's library with these parameters.", copy_python,
                     has_graph, nullptr, Effect::kReads)),
};

}  // namespace

constinit const std::span<const Action> kFileActions = kFileTable;

}  // namespace tideline::app
