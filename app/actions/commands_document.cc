// The actions of documents, and quitting. Tested by
// unit/actions/commands_document_test.cc.
#include <algorithm>
#include <array>

#include "app/actions/commands.h"
#include "app/actions/copy_as.h"
#include "app/actions/restore.h"
#include "core/base/text.h"

namespace tideline::app {
namespace {

bool has_document(const Viewer& viewer) {
  return viewer.session.find(viewer.shown) != nullptr;
}

bool has_several(const Viewer& viewer) {
  return viewer.session.documents().size() > 1;
}

// `number` counts from 1. Precondition: a document is open.
Result<DocumentId> document_at(const Viewer& viewer, std::int64_t number) {
  const auto& documents = viewer.session.documents();
  if (static_cast<std::size_t>(number) > documents.size()) {
    return bad_argument(std::to_string(number),
                        fmt::format("a number from 1 to {}", documents.size()));
  }
  return documents[static_cast<std::size_t>(number) - 1].id;
}

Answered open_of_kind(Viewer& viewer, const Arguments& arguments) {
  const DocumentKind* kind = find_document_kind(arguments.text(0));
  if (kind == nullptr) return bad_argument(arguments.text(0), document_kind_ids());
  TIDELINE_TRY(const std::string path, resolved(viewer, arguments.text(1), PathUse::kRead));
  viewer.view.popup = ui::Popup::kNone;
  OpenRequest request;
  request.graph.path = path;
  open_document(viewer, *kind, std::move(request), first_wish(viewer));
  return viewer.shown;
}

Answered show_document(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const DocumentId id, document_at(viewer, arguments.whole(0)));
  show(viewer, id);
  return viewer.shown;
}

// The first follows the last.
template <bool kForward>
Answered step(Viewer& viewer, const Arguments&) {
  const auto& documents = viewer.session.documents();
  const auto here = std::find_if(documents.begin(), documents.end(),
                                 [&](const auto& entry) { return entry.id == viewer.shown; });
  const auto at = static_cast<std::size_t>(here - documents.begin());
  show(viewer, documents[(at + (kForward ? 1 : documents.size() - 1)) % documents.size()].id);
  return viewer.shown;
}

// Closing does not ask, but the message has the command that restores the work.
void say_how_to_write(Viewer& viewer, const GraphDocument& graph) {
  const events::GraphChoice& choice = graph.request().graph;
  const auto line = command_line(choice, graph.trace(), graph.wish(), output_beside(choice.path));
  viewer.session.journal().say(
      ui::MessageKind::kWarning,
      line ? fmt::format("{} was closed unwritten; this writes it: {}", choice.path, *line)
           : fmt::format("{} was closed unwritten", choice.path));
}

Answered close_document(Viewer& viewer, const Arguments& arguments) {
  DocumentId id = viewer.shown;
  if (!arguments.empty()) {
    TIDELINE_TRY(id, document_at(viewer, arguments.whole(0)));
  }
  if (const GraphDocument& graph = viewer.session.graph(id); graph.is_unwritten()) {
    say_how_to_write(viewer, graph);
  }
  viewer.session.close(id);
  poll(viewer);
  return viewer.shown;
}

Answered quit_app(Viewer& viewer, const Arguments& arguments) {
  const auto& documents = viewer.session.documents();
  const bool is_unwritten = std::any_of(documents.begin(), documents.end(), [](const auto& entry) {
    return entry.document->is_unwritten();
  });
  // Closing the window while it asks means yes.
  const bool has_asked = viewer.view.popup == ui::Popup::kQuit || !arguments.empty();
  if (viewer.asks_before_quitting && is_unwritten && !has_asked) {
    viewer.view.popup = ui::Popup::kQuit;
  } else {
    viewer.wants_quit = true;
  }
  return {};
}

Answered restore(Viewer& viewer, const Arguments& arguments) {
  if (arguments.empty() && viewer.unwritten_before.empty())
    return fail(Code::kInvalidArgument, "no earlier window left anything unwritten");
  const std::string script = arguments.empty() ? viewer.unwritten_before.back() : arguments.text(0);
  TIDELINE_TRY(const std::string path, resolved(viewer, script, PathUse::kRead));
  TIDELINE_RETURN_IF_ERROR(start_restoring(viewer, path));
  return viewer.shown;
}

Answered forget_unwritten(Viewer& viewer, const Arguments&) {
  viewer.unwritten_before.clear();
  return {};
}

constexpr std::array kDocumentTable = {
    action("document.open", "Open a document", "", "", {text("graph|log|checkpoint"), text("PATH")},
           "Open a document of this kind in addition to the open ones.", open_of_kind, nullptr,
           nullptr, Effect::kSlow),
    action("document.next", "Next document", "File", "Ctrl+PageDown", {}, "Show the next document.",
           step<true>, has_several),
    action("document.previous", "Previous document", "File", "Ctrl+PageUp", {},
           "Show the previous document.", step<false>, has_several),
    action("document.show", "Show a document", "", "", {whole("N", 1, "an integer of at least 1")},
           "Show the document with this number, counted from 1 in the order of opening.",
           show_document, has_document),
    action("document.close", "Close a document", "", "",
           {optional(whole("N", 1, "an integer of at least 1"))},
           "Close the document that is shown, or the one with this number.", close_document,
           has_document, nullptr, Effect::kSlow),
    action("file.restore", "Restore what was unwritten", "", "", {optional(text("FILE"))},
           "Open again what an earlier window left unwritten, with its policies.", restore, nullptr,
           nullptr, Effect::kSlow),
    action("file.forget-unwritten", "Dismiss what was unwritten", "", "", {},
           "No longer offer what an earlier window left unwritten; its script stays.",
           forget_unwritten),
    for_pages(action("file.close", "Close", "File", "Ctrl+W", {},
                     "Close the document that is shown.", close_document, has_document, nullptr,
                     Effect::kSlow)),
    action("file.quit", "Quit", "File", "Ctrl+Q", {optional(word("now"))},
           "Quit; asks first if something is unwritten, unless now is given.", quit_app),
};

}  // namespace

constinit const std::span<const Action> kDocumentActions = kDocumentTable;

}  // namespace tideline::app
