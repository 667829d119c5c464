// One view of a session: the document shown and how, and requests to the surroundings (a window, a
// script). Actions work on it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/search.h"
#include "app/engine/swap_rows.h"
#include "app/session/lesson_play.h"
#include "app/session/log_images.h"
#include "app/session/session.h"
#include "app/session/settings.h"
#include "render/model/intent.h"
#include "render/model/ui_model.h"
#include "render/model/view_state.h"

namespace tideline::render {
struct ScopeBoxes;
}

namespace tideline::app {

struct Viewer;

struct PictureRequest {
  std::string path;
  std::string what;    ///< "levels", "memory", "timeline", "window"
  bool force = false;  ///< replace what exists
};

/// Draws the viewer's contents into a file. Errors: kUnsupported for what cannot be drawn, kIo.
using WritePicture = std::function<Status(Viewer& viewer, const PictureRequest& request)>;

/// What an action does with a path that it was given.
enum class PathUse : std::uint8_t { kRead, kWrite };

/// Decides about a path before anything is done with it: returns the path to use instead, or why
/// it may not be used. Thread: the session's.
using ResolvePath = std::function<Result<std::string>(const std::string& path, PathUse use)>;

/// What make_ui_model keeps between two calls, by what it depends on.
struct ModelCache {
  ui::UiModel model;
  std::uint64_t revision = 0;
  bool is_filled = false;
  std::optional<TensorId> selected;
  std::string search;
  std::string folder;
  bool has_folder = false;
  std::size_t device = 0;                    ///< that the times of swaps are of
  std::shared_ptr<const Snapshot> snapshot;  ///< that `totals` and swaps are of
  ui::ScopeTotals totals;
  std::shared_ptr<const GraphFile> picks_of;  ///< the file that model.picks are of
  ShownChangesPtr text_of;                    ///< the comparison that the text of model.diff is of
  /// What actions open and close in the scopes view; null until one asks.
  std::shared_ptr<const render::ScopeBoxes> boxes;
  std::shared_ptr<const OpenedGraph> boxes_of;  ///< the graph that `boxes` are of
  std::string boxes_loop;                       ///< and the loop
};

/// Several viewers may share a session, which outlives them. Thread: the session's.
struct Viewer {
  explicit Viewer(Session& shared) : session(shared) {}

  Session& session;
  DocumentId shown = DocumentId::kNone;
  ui::ViewState view;
  Settings settings;
  WritePicture write_picture;            ///< may be empty: there are no pictures
  DrawPng draw_png;                      ///< likewise
  DecodeImage decode_image;              ///< may be empty: images of logs are not shown
  ResolvePath resolve_path;              ///< may be empty: every path is taken as it is
  std::optional<std::string> clipboard;  ///< what is to be put there; the surroundings take it
  bool asks_before_quitting = false;     ///< if something is unwritten; for a user who can answer
  bool wants_quit = false;
  ModelCache cache;
  LessonPlay lesson;  ///< the one that is played, if any
  std::string guess;  ///< the last answer to a question, of a lesson or of a script

  /// Scripts of what earlier windows left unwritten, and graphs of them that are being opened, with
  /// what is then to be done.
  std::vector<std::string> unwritten_before;
  struct Restoring {
    DocumentId id = DocumentId::kNone;
    ui::Intents actions;
  };
  std::vector<Restoring> restoring;

  /// The graph that is shown; one without a snapshot if there is none.
  // NOLINTNEXTLINE(readability-make-member-function-const): a const viewer gives a const graph.
  [[nodiscard]] GraphDocument& graph() { return session.graph(shown); }
  [[nodiscard]] const GraphDocument& graph() const { return session.graph(shown); }

  /// The views of documents that were shown before, the most recent last.
  struct Looked {
    DocumentId id = DocumentId::kNone;
    ui::DocumentView view;
    std::shared_ptr<const GraphFile> seen;  ///< the file that `view` belongs to
  };
  std::vector<Looked> looked;
  std::map<DocumentId, DocumentId> entered_from;  ///< of a function's body: where it was entered
  std::vector<DocumentId> met;            ///< logs and checkpoints that were there to be shown
  std::shared_ptr<const GraphFile> seen;  ///< the file that the current view belongs to
};

/// The path that an action uses instead of `path`; all actions ask. Errors: those of resolve_path.
[[nodiscard]] Result<std::string> resolved(const Viewer& viewer, const std::string& path,
                                           PathUse use);

/// Shows another document of the session with its last view.
void show(Viewer& viewer, DocumentId id);

/// Opens a graph and shows it; one that is already open is only shown.
void open_graph(Viewer& viewer, OpenRequest request, Wish wish = {});
/// The same for a document of any kind.
void open_document(Viewer& viewer, const DocumentKind& kind, OpenRequest request, Wish wish = {});

/// The first wish of a new graph: it keeps the device's settings and drops those of the previous
/// graph.
[[nodiscard]] Wish first_wish(const Viewer& viewer);

/// Takes over the results of finished jobs, also for other viewers, and resets the parts of the
/// view that no longer fit: the selection in a closed graph, ranges beyond the last level, a closed
/// document. Returns whether anything changed.
bool poll(Viewer& viewer);

/// The documents, beginning with the one that is shown.
[[nodiscard]] std::vector<const Session::Entry*> in_order(const Viewer& viewer);
/// The job to show: of the document that is shown, else of another one.
[[nodiscard]] std::optional<ui::JobStatus> job_of(const Viewer& viewer);

/// The selected op, if it belongs to the open graph.
[[nodiscard]] std::optional<OpId> selected_op(const Viewer& viewer);
/// Selects `tensor` and remembers it for going back.
void select(Viewer& viewer, TensorId tensor);
/// Levels of the open graph; 0 when there is none.
[[nodiscard]] std::int32_t level_count(const Viewer& viewer);

}  // namespace tideline::app
