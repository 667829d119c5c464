// The state of an opened graph as a script, which another window takes up: what is wanted of the
// graph, and what of it is looked at.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/viewer.h"

namespace tideline::app {

/// "GRAPH.tideline", beside the graph. A folder's stands beside the folder.
[[nodiscard]] std::string session_path(std::string_view graph_path);

/// What a session file says of the graph that it belongs to: SHA-256 of its GraphDef.
[[nodiscard]] std::string session_digest(const GraphFile& file);

/// Lines of `tideline script` that lead from the graph, freshly opened, to the state in which
/// `viewer` has `graph`: empty if nothing was changed, or chosen to be looked at. What belongs to
/// the window, not to a graph, is of the graph that is shown. The first line is a comment with
/// `digest`. Precondition: the graph is open. Cost: O(parameters).
[[nodiscard]] std::string session_text(Viewer& viewer, DocumentId graph, std::string_view digest);

/// The digest in the first line; empty if `text` begins with another line.
[[nodiscard]] std::string_view digest_of_session(std::string_view text);

/// The text of a session file. Errors: kIo, kNotFound; kUnsupported when it is larger than
/// kMostSessionBytes.
[[nodiscard]] Result<std::string> read_session(const std::string& path);
inline constexpr std::size_t kMostSessionBytes = std::size_t{1} << 20U;

/// Runs the lines on the graph that is shown. A line that fails is left out: the result has its
/// number and why. Only actions that change this graph's policy and view are run, whatever the file
/// says; nothing is opened or written by it.
std::vector<std::string> take_up_session(Viewer& viewer, std::string_view text,
                                         const std::string& name);

}  // namespace tideline::app
