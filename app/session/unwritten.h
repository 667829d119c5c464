// What a window leaves unwritten, as one line of text from which another window makes it again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/graph_document.h"
#include "render/model/intent.h"

namespace tideline::app {

/// A graph with a policy that was not written.
struct Unwritten {
  OpenRequest request;  ///< what is opened: paths are absolute
  ui::Intents actions;  ///< what leads to its wish then
};

/// A comment of a shell script, without a newline, that says which graph is open and what is wanted
/// of it. Precondition: a graph is open.
[[nodiscard]] std::string unwritten_comment(const GraphDocument& graph);

/// What the comments in `script` say; lines that are none, or are damaged, are skipped.
[[nodiscard]] std::vector<Unwritten> parse_unwritten(std::string_view script);

}  // namespace tideline::app
