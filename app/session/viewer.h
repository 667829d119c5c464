// One looker at a session: how things are looked at, and what the surroundings (a window, a script)
// have to do for it. What actions work on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/session/search.h"
#include "app/session/session.h"
#include "app/session/settings.h"
#include "app/session/swap_rows.h"
#include "render/model/ui_model.h"
#include "render/model/view_state.h"

namespace tideline::session {

struct Viewer;

struct PictureRequest {
  std::string path;
  std::string what;  ///< "levels", "memory", "window"
};

/// Draws what `viewer` shows into a file. Errors: kUnsupported for what cannot be drawn, kIo.
using WritePicture = std::function<Status(Viewer& viewer, const PictureRequest& request)>;

/// What make_ui_model keeps between two calls, by what it depends on.
struct ModelCache {
  ui::UiModel model;
  std::uint64_t revision = 0;
  bool is_filled = false;
  std::optional<TensorId> selected;
  std::string search;
  std::string folder;
  bool has_folder = false;
  std::shared_ptr<const Snapshot> snapshot;  ///< that `totals` and swaps are of
  ui::ScopeTotals totals;
};

/// Any number of them may look at one session, which outlives them. Thread: the session's.
struct Viewer {
  explicit Viewer(Session& looked_at) : session(looked_at) {}

  Session& session;
  DocumentId shown = DocumentId::kNone;
  ui::ViewState view;
  Settings settings;
  WritePicture write_picture;            ///< may be empty: there are no pictures
  std::optional<std::string> clipboard;  ///< what is to be put there; the surroundings take it
  bool asks_before_quitting = false;     ///< when something is unwritten: somebody can answer
  bool wants_quit = false;
  ModelCache cache;

  /// The graph that is looked at; one without a snapshot when there is none.
  [[nodiscard]] GraphDocument& graph() { return session.graph(shown); }
  [[nodiscard]] const GraphDocument& graph() const { return session.graph(shown); }

  /// Documents that are not looked at, or were before: how they were, the latest last.
  struct Looked {
    DocumentId id = DocumentId::kNone;
    ui::DocumentView view;
    std::shared_ptr<const GraphFile> seen;  ///< that `view` is right for
  };
  std::vector<Looked> looked;
  std::shared_ptr<const GraphFile> seen;  ///< that ViewState is right for
};

/// Looks at another document of the session, in the way in which it was looked at before.
void show(Viewer& viewer, DocumentId id);

/// Opens a graph and looks at it; one that is open already is only looked at.
void open_graph(Viewer& viewer, OpenRequest request, Wish wish = {});
/// The same for a document of any kind.
void open_document(Viewer& viewer, const DocumentKind& kind, OpenRequest request, Wish wish = {});

/// What a new graph begins with: what is about the device, not about the graph before.
[[nodiscard]] Wish first_wish(const Viewer& viewer);

/// Takes over what was done beside, also for other lookers, and puts the view right for what is
/// there now: the selection of a graph that is gone, ranges beyond the last level, a document that
/// is gone. Whether anything changed.
bool poll(Viewer& viewer);

/// The documents, the one that is looked at first.
[[nodiscard]] std::vector<const Session::Entry*> in_order(const Viewer& viewer);
/// The work beside that a looker is shown: of the document that is looked at, else of another one.
[[nodiscard]] std::optional<ui::JobStatus> job_of(const Viewer& viewer);

/// The op that is selected, if it is one of the open graph.
[[nodiscard]] std::optional<OpId> selected_op(const Viewer& viewer);
/// Selects `tensor` and remembers it for going back.
void select(Viewer& viewer, TensorId tensor);
/// Levels of the open graph; 0 when there is none.
[[nodiscard]] std::int32_t level_count(const Viewer& viewer);

}  // namespace tideline::session
