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

/// "GRAPH.tideline" as an absolute path, beside the graph; a folder's stands beside the folder.
[[nodiscard]] std::string session_path(const std::string& graph_path);

/// What a session file says of the graph that it belongs to: SHA-256 of its GraphDef.
[[nodiscard]] std::string session_digest(const GraphFile& file);

/// Lines of `tideline script` that lead from the graph, freshly opened and with nothing wanted of
/// it, to the wish of `graph`; none for such a graph. A step that is simulated exactly is taken up
/// as modelled: opening a graph starts no TensorFlow. Precondition: it is open. Cost:
/// O(parameters).
[[nodiscard]] std::string session_wish(const GraphDocument& graph);
/// The same for what is looked at of the graph that is shown. Precondition: a graph is shown.
[[nodiscard]] std::string session_looks(Viewer& viewer);
/// The text of a session file with these lines; empty if there are none.
[[nodiscard]] std::string session_text(std::string_view digest, std::string_view lines);

/// The digest in the first line; empty if `text` begins with another line.
[[nodiscard]] std::string_view digest_of_session(std::string_view text);

/// The text of a session file. Errors: kIo, kNotFound; kUnsupported when it is larger than
/// kMostSessionBytes.
[[nodiscard]] Result<std::string> read_session(const std::string& path);
inline constexpr std::size_t kMostSessionBytes = std::size_t{1} << 20U;

/// Runs the lines on the graph that is shown, of which nothing else is wanted then. A line that
/// fails is left out: the result has its number and why. Only actions that change this graph's
/// policy and view are run, whatever the file says: it opens no document, writes nothing and starts
/// no TensorFlow. A device profile that it names is read.
std::vector<std::string> take_up_session(Viewer& viewer, std::string_view text,
                                         const std::string& name);

}  // namespace tideline::app
