// Tested by unit/session/unwritten_test.cc.
#include "app/actions/restore.h"

#include <algorithm>
#include <utility>

#include "app/actions/commands.h"
#include "app/session/unwritten.h"
#include "core/base/source_bytes.h"

namespace tideline::app {

Status start_restoring(Viewer& viewer, const std::string& script) {
  TIDELINE_TRY(const auto bytes, open_bytes(script));
  std::vector<Unwritten> all = parse_unwritten(bytes->bytes());
  if (all.empty()) {
    return fail(Code::kCorrupt, "{}: names no graph to restore; as a shell script it may still run",
                script);
  }
  for (Unwritten& one : all) {
    TIDELINE_TRY(one.request.graph.path, resolved(viewer, one.request.graph.path, PathUse::kRead));
  }
  std::erase(viewer.unwritten_before, script);
  for (Unwritten& one : all) {
    open_document(viewer, *find_document_kind("graph"), std::move(one.request), {});
    viewer.restoring.push_back({viewer.shown, std::move(one.actions)});
  }
  return {};
}

void finish_restoring(Viewer& viewer) {
  for (Viewer::Restoring& one : viewer.restoring) {
    const Session::Entry* entry = viewer.session.find(one.id);
    if (entry == nullptr || !entry->document->is_open()) continue;
    show(viewer, one.id);
    run_intents(viewer, std::exchange(one.actions, {}));
    viewer.graph().end_gesture();
    one.id = DocumentId::kNone;
  }
  std::erase_if(viewer.restoring, [&](const Viewer::Restoring& one) {
    return viewer.session.find(one.id) == nullptr;
  });
}

}  // namespace tideline::app
