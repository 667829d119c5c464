// The actions of session files. Tested by unit/actions/session_file_test.cc.
#include <array>

#include "app/actions/commands.h"
#include "app/actions/session_file.h"
#include "app/engine/input_readers.h"
#include "core/base/counted.h"
#include "core/base/output_file.h"

namespace tideline::app {
namespace {

Answered take_up(Viewer& viewer, const Arguments& arguments) {
  const std::string path =
      arguments.empty() ? session_path(viewer.graph().request().graph.path) : arguments.text(0);
  TIDELINE_TRY(const std::string file, resolved(viewer, path, PathUse::kRead));
  TIDELINE_TRY(const std::string text, read_session(file));
  const std::vector<std::string> problems = take_up_session(viewer, text, file);
  if (problems.empty()) return {};
  // The other lines were run.
  for (const std::string& problem : problems) {
    viewer.session.journal().say(ui::MessageKind::kWarning, problem);
  }
  return fail(Code::kInvalidArgument, "{} could not be used; the first: {}",
              counted(problems.size(), "line"), problems.front());
}

Answered save(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::string path, resolved(viewer, arguments.text(0), PathUse::kWrite));
  const OpenedGraph& graph = *viewer.graph().snapshot()->graph;
  const std::string text = session_text(session_digest(*graph.file),
                                        session_wish(viewer.graph()) + session_looks(viewer));
  if (text.empty()) {
    return fail(Code::kInvalidArgument,
                "nothing was changed; expected a policy, sizes or a view that can be taken up");
  }
  const bool replaces = arguments.size() > 1;
  TIDELINE_RETURN_IF_ERROR(
      write_file(path, text, replaces, readers_of_graph(graph.document(), graph.measured)));
  return {};
}

Answered keep(Viewer& viewer, const Arguments&) {
  viewer.settings.keeps_sessions = !viewer.settings.keeps_sessions;
  viewer.session.journal().touch();
  return {};
}
std::string keep_title(const Viewer& viewer) {
  return viewer.settings.keeps_sessions ? "Do not keep sessions" : "Keep sessions";
}

constexpr std::array kSessionTable = {
    action("session.take-up", "Take up a session", "File", "", {optional(text("FILE"))},
           "Give the graph the sizes, policy and view of a session file; of GRAPH.tideline unless "
           "another is named.",
           take_up, has_graph),
    action("session.save", "Save the session", "", "", {text("FILE"), optional(word("force"))},
           "Write sizes, policy and view of the graph into a session file.", save, has_graph,
           nullptr, Effect::kReads),
    action(
        "session.keep", "Keep sessions", "File", "", {},
        "Whether the window keeps sizes, policy and view of a graph in GRAPH.tideline beside it, "
        "and takes them up when it opens the graph again.",
        keep, nullptr, keep_title),
};

}  // namespace

constinit const std::span<const Action> kSessionActions = kSessionTable;

}  // namespace tideline::app
