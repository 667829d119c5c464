// The actions for files, undo and copying. Tested by unit/session/commands_test.cc.
#include <array>

#include "app/session/commands.h"
#include "app/session/copy_as.h"

namespace tideline::session {
namespace {

OpenRequest request_for(const std::string& path) {
  OpenRequest request;
  request.graph.path = path;
  return request;
}

// A new graph begins with what is about the device, not about the graph before.
Wish first_wish(const App& app) {
  Wish wish;
  wish.profile = app.session.wish().profile;
  wish.policy.budget = app.session.wish().policy.budget;
  return wish;
}

Status open(App& app, const Arguments& arguments) {
  app.view.popup = ui::Popup::kNone;
  app.session.open(request_for(arguments[0]), first_wish(app));
  return {};
}

Status take_dropped(App& app, const Arguments& arguments) {
  app.view.popup = ui::Popup::kNone;
  app.session.take_dropped(request_for(arguments[0]), first_wish(app));
  return {};
}

Status open_trace_dialog(App& app, const Arguments&) {
  app.view.popup = ui::Popup::kOpenTrace;
  return {};
}

Status open_trace(App& app, const Arguments& arguments) {
  app.view.popup = ui::Popup::kNone;
  app.session.measure({arguments[0], arguments.size() > 1 ? arguments[1] : std::string(), {}});
  return {};
}

Status close_trace(App& app, const Arguments&) {
  app.session.stop_measuring();
  return {};
}

Status open_dialog(App& app, const Arguments&) {
  app.view.popup = ui::Popup::kOpen;
  return {};
}

Status browse(App& app, const Arguments& arguments) {
  app.view.browser_folder = arguments[0];
  app.cache.has_folder = false;  // read it anew
  return {};
}

Status reload(App& app, const Arguments&) {
  app.session.reload();
  return {};
}

Status close(App& app, const Arguments&) {
  app.session.close();
  app.view.selected.reset();
  app.view.history.clear();
  return {};
}

Result<bool> is_forced(const Arguments& arguments) {
  if (arguments.size() < 2) return false;
  if (arguments[1] != "force") return bad_argument(arguments[1], "force, or nothing");
  return true;
}

template <WriteKind kKind>
Status write(App& app, const Arguments& arguments) {
  TIDELINE_TRY(const bool force, is_forced(arguments));
  app.view.popup = ui::Popup::kNone;
  return app.session.write({kKind, arguments[0], force});
}

Status write_dialog(App& app, const Arguments&) {
  app.view.popup = ui::Popup::kWrite;
  if (app.view.write_path.empty()) {
    app.view.write_path = output_beside(app.session.snapshot()->graph->file->choice.path);
  }
  return {};
}

Status write_picture(App& app, const Arguments& arguments) {
  PictureRequest request{arguments[0], "window"};
  if (arguments.size() > 1) request.what = arguments[1];
  if (request.what != "levels" && request.what != "memory" && request.what != "window") {
    return bad_argument(request.what, "levels, memory or window");
  }
  if (!app.write_picture) return fail(Code::kUnsupported, "pictures cannot be drawn here");
  TIDELINE_RETURN_IF_ERROR(app.write_picture(app, request));
  app.view.popup = ui::Popup::kNone;
  app.session.say(ui::MessageKind::kInfo, "wrote " + request.path);
  return {};
}

Status quit(App& app, const Arguments&) {
  app.wants_quit = true;
  return {};
}

Status undo(App& app, const Arguments&) {
  app.session.undo();
  return {};
}

Status redo(App& app, const Arguments&) {
  app.session.redo();
  return {};
}

Status copy_command_line(App& app, const Arguments&) {
  const events::GraphChoice& choice = app.session.snapshot()->graph->file->choice;
  const std::string output =
      app.view.write_path.empty() ? output_beside(choice.path) : app.view.write_path;
  TIDELINE_TRY(app.clipboard, command_line(choice, app.session.wish(), output));
  app.session.say(ui::MessageKind::kInfo, "copied: " + *app.clipboard);
  return {};
}

Status copy_python(App& app, const Arguments&) {
  TIDELINE_TRY(app.clipboard, python_call(app.session.wish()));
  app.session.say(ui::MessageKind::kInfo, "copied: " + *app.clipboard);
  return {};
}

bool can_undo(const App& app) {
  return !app.session.undo_title().empty();
}
bool can_redo(const App& app) {
  return !app.session.redo_title().empty();
}
std::string undo_title(const App& app) {
  return can_undo(app) ? "Undo: " + app.session.undo_title() : "Undo";
}
std::string redo_title(const App& app) {
  return can_redo(app) ? "Redo: " + app.session.redo_title() : "Redo";
}

constexpr std::array kActions = {
    Action{"file.open-dialog", "Open...", "File", "Ctrl+O", "", "Choose a graph to open.", 0, 0,
           open_dialog},
    Action{"file.open", "Open a graph", "", "", "PATH",
           "Open a graph file, SavedModel or event log.", 1, 1, open, nullptr, nullptr,
           Effect::kSlow},
    Action{"file.drop", "Open what was dropped", "", "", "PATH",
           "Open a graph, or show a traced step of the graph that is open.", 1, 1, take_dropped,
           nullptr, nullptr, Effect::kSlow},
    Action{"measure.open-dialog", "Open a traced step...", "File", "", "",
           "Choose a RunMetadata file or a log folder to show beside the model.", 0, 0,
           open_trace_dialog, has_graph},
    Action{"measure.open", "Open a traced step", "", "", "FILE|LOGDIR [RUN]",
           "Show the measurements of a traced step of this graph, and use its sizes and times.", 1,
           2, open_trace, has_graph, nullptr, Effect::kSlow},
    Action{"measure.close", "Close the traced step", "File", "", "",
           "Use assumed sizes and times again.", 0, 0, close_trace, has_trace, nullptr,
           Effect::kSlow},
    Action{"file.browse", "Show a folder", "", "", "FOLDER",
           "Show a folder in the file browser; an empty name is the current one.", 1, 1, browse},
    Action{"file.reload", "Reload", "File", "Ctrl+R", "", "Read the file again, keep the policy.",
           0, 0, reload, has_graph, nullptr, Effect::kSlow},
    Action{"file.close", "Close", "File", "Ctrl+W", "", "Close the graph.", 0, 0, close, has_graph,
           nullptr, Effect::kSlow},
    Action{"file.write-dialog", "Write...", "File", "Ctrl+S Ctrl+E", "[log]",
           "Choose where the graph, a log, a picture or tables go.", 0, 1, write_dialog, has_graph},
    Action{"file.write", "Write the graph", "", "", "PATH [force]",
           "Write the rewritten graph in the format that the name asks for.", 1, 2,
           write<WriteKind::kGraph>, has_graph, nullptr, Effect::kResults},
    Action{"file.write-log", "Write a log", "", "", "DIR [force]",
           "Write a log for TensorBoard: the graph before and after.", 1, 2, write<WriteKind::kLog>,
           has_graph, nullptr, Effect::kResults},
    Action{"file.write-picture", "Write a picture", "", "", "FILE [levels|memory|window]",
           "Draw a view, or the whole window, into a .png or .svg file.", 1, 2, write_picture,
           has_graph, nullptr, Effect::kResults},
    Action{"file.write-csv", "Write tables", "", "", "FILE [force]",
           "Write the swaps as CSV, and the memory of every step beside it.", 1, 2,
           write<WriteKind::kCsv>, has_graph, nullptr, Effect::kResults},
    Action{"file.write-plan", "Write the plan", "", "", "FILE [force]", "Write the plan as JSON.",
           1, 2, write<WriteKind::kPlan>, has_graph, nullptr, Effect::kResults},
    Action{"file.quit", "Quit", "File", "Ctrl+Q", "", "Leave the app.", 0, 0, quit},
    Action{"edit.undo", "Undo", "Edit", "Ctrl+Z", "", "Undo the last change.", 0, 0, undo, can_undo,
           undo_title},
    Action{"edit.redo", "Redo", "Edit", "Ctrl+Shift+Z Ctrl+Y", "", "Redo the last undone change.",
           0, 0, redo, can_redo, redo_title},
    Action{"edit.copy-command-line", "Copy as command line", "Edit", "Ctrl+Shift+C", "",
           "Copy the command that writes the same graph.", 0, 0, copy_command_line, has_graph},
    Action{"edit.copy-python", "Copy as Python call", "Edit", "", "",
           "Copy the call of the reference's library with these parameters.", 0, 0, copy_python,
           has_graph},
};

}  // namespace

std::span<const Action> file_actions() {
  return kActions;
}

}  // namespace tideline::session
