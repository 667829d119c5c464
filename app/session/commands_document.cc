// The actions of what is open: which document is looked at, and what an open log holds. Tested by
// unit/session/commands_document_test.cc.
#include <algorithm>
#include <array>

#include "app/session/commands.h"
#include "app/session/log_document.h"
#include "core/base/text.h"

namespace tideline::session {
namespace {

bool has_document(const Viewer& viewer) {
  return viewer.session.find(viewer.shown) != nullptr;
}

bool has_several(const Viewer& viewer) {
  return viewer.session.documents().size() > 1;
}

const LogDocument* log_of(const Viewer& viewer) {
  const Session::Entry* entry = viewer.session.find(viewer.shown);
  return entry == nullptr ? nullptr : dynamic_cast<const LogDocument*>(entry->document.get());
}

bool has_log(const Viewer& viewer) {
  const LogDocument* log = log_of(viewer);
  return log != nullptr && log->is_open();
}

// "2": the second one.
Result<DocumentId> document_at(const Viewer& viewer, const std::string& text) {
  const auto& documents = viewer.session.documents();
  const auto number = parse_number(text, 1);
  if (!number || static_cast<std::size_t>(*number) > documents.size()) {
    return bad_argument(text, documents.empty()
                                  ? std::string("a document, and none is open")
                                  : fmt::format("a number from 1 to {}", documents.size()));
  }
  return documents[static_cast<std::size_t>(*number) - 1].id;
}

Status open_of_kind(Viewer& viewer, const Arguments& arguments) {
  const DocumentKind* kind = find_document_kind(arguments[0]);
  if (kind == nullptr) return bad_argument(arguments[0], document_kind_ids());
  viewer.view.popup = ui::Popup::kNone;
  OpenRequest request;
  request.graph.path = arguments[1];
  open_document(viewer, *kind, std::move(request), first_wish(viewer));
  return {};
}

Status show_document(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const DocumentId id, document_at(viewer, arguments[0]));
  show(viewer, id);
  return {};
}

// From the last one comes to the first.
Status step(Viewer& viewer, std::size_t forward) {
  const auto& documents = viewer.session.documents();
  const auto here = std::find_if(documents.begin(), documents.end(),
                                 [&](const auto& entry) { return entry.id == viewer.shown; });
  const auto at = static_cast<std::size_t>(here - documents.begin());
  show(viewer, documents[(at + forward) % documents.size()].id);
  return {};
}

Status show_next(Viewer& viewer, const Arguments&) {
  return step(viewer, 1);
}
Status show_previous(Viewer& viewer, const Arguments&) {
  return step(viewer, viewer.session.documents().size() - 1);
}

Status close_document(Viewer& viewer, const Arguments& arguments) {
  DocumentId id = viewer.shown;
  if (!arguments.empty()) {
    TIDELINE_TRY(id, document_at(viewer, arguments[0]));
  }
  viewer.session.close(id);
  poll(viewer);
  return {};
}

Status open_log_dialog(Viewer& viewer, const Arguments&) {
  viewer.view.popup = ui::Popup::kOpenLog;
  return {};
}

Status open_logged_graph(Viewer& viewer, const Arguments& arguments) {
  const auto& graphs = log_of(viewer)->contents()->graphs;
  const bool is_there = std::any_of(graphs.begin(), graphs.end(), [&](const auto& graph) {
    return graph.run == arguments[0] && graph.tag == arguments[1];
  });
  if (!is_there) {
    return fail(Code::kNotFound, "there is no graph '{}' of run '{}' in this log",
                printable(arguments[1]), printable(arguments[0]));
  }
  OpenRequest request;
  request.graph.path = log_of(viewer)->contents()->path;
  request.graph.run = arguments[0];
  request.graph.tag = arguments[1];
  open_graph(viewer, std::move(request), first_wish(viewer));
  return {};
}

Status quit_app(Viewer& viewer, const Arguments& arguments) {
  if (!arguments.empty() && arguments[0] != "now") {
    return bad_argument(arguments[0], "now, or nothing");
  }
  const auto& documents = viewer.session.documents();
  const bool is_unwritten = std::any_of(documents.begin(), documents.end(), [](const auto& entry) {
    return entry.document->is_unwritten();
  });
  // Who closes the window while it asks means it.
  const bool has_asked = viewer.view.popup == ui::Popup::kQuit || !arguments.empty();
  if (viewer.asks_before_quitting && is_unwritten && !has_asked) {
    viewer.view.popup = ui::Popup::kQuit;
  } else {
    viewer.wants_quit = true;
  }
  return {};
}

constexpr std::array kActions = {
    Action{"document.open", "Open a document", "", "", "graph|log PATH",
           "Open a document of this kind beside those that are open.", 2, 2, open_of_kind, nullptr,
           nullptr, Effect::kSlow},
    Action{"log.open-dialog", "Open a log...", "File", "", "",
           "Choose an event log whose graphs and traced steps are to be listed.", 0, 0,
           open_log_dialog},
    Action{"log.open-graph", "Open a graph of the log", "", "", "RUN TAG",
           "Open one of the graphs that the log lists.", 2, 2, open_logged_graph, has_log, nullptr,
           Effect::kSlow},
    Action{"document.next", "Next document", "File", "Ctrl+PageDown", "",
           "Look at the next document that is open.", 0, 0, show_next, has_several},
    Action{"document.previous", "Previous document", "File", "Ctrl+PageUp", "",
           "Look at the document before.", 0, 0, show_previous, has_several},
    Action{"document.show", "Show a document", "", "", "N",
           "Look at the document of this number, in the order of opening.", 1, 1, show_document,
           has_document},
    Action{"document.close", "Close a document", "", "", "[N]",
           "Close the document that is shown, or the one of this number; the others stay.", 0, 1,
           close_document, has_document, nullptr, Effect::kSlow},
    Action{"file.close", "Close", "File", "Ctrl+W", "", "Close the document that is shown.", 0, 0,
           close_document, has_document, nullptr, Effect::kSlow},
    Action{"file.quit", "Quit", "File", "Ctrl+Q", "[now]",
           "Leave the app; asks first when something is unwritten, unless it is to be now.", 0, 1,
           quit_app},
};

}  // namespace

std::span<const Action> document_actions() {
  return kActions;
}

}  // namespace tideline::session
