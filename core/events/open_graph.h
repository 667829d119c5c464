// Opens a path as a graph: a file, a SavedModel, a log, or the body of a function in one of them.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/io/document.h"

namespace tideline::events {

/// Selects a graph of `path`. Empty members do not restrict the choice.
struct GraphChoice {
  std::string path = {};
  std::string function = {};    ///< the body of this function
  std::string run = {};         ///< of a log: regular expression
  std::string tag = {};         ///< of a log: regular expression; of a SavedModel: its tags
  std::int64_t meta_graph = 0;  ///< of a SavedModel: its number, from 1 on
  /// Whether calls are replaced by the ops of their functions. Who opens the graph does it; see
  /// core/rewrite/inline/inline_calls.h.
  bool inlines = false;
  /// A file with debug information of the graph (core/io/debug_info.h); empty: what is found beside
  /// it. Who opens the graph reads it.
  std::string debug_info = {};
  friend bool operator==(const GraphChoice&, const GraphChoice&) = default;
};

/// Opens the chosen graph. The kind of a file is detected from its content; a folder is a
/// SavedModel if it has a saved_model.pb, else a log. The document's diagnostics count what was
/// skipped in a log. Errors: as read_document, read_saved_model, open_function and choose_graph;
/// kInvalidArgument for `run` without a log. Messages begin with the path. Cost: O(bytes).
[[nodiscard]] Result<io::Document> open_graph(const GraphChoice& choice, Progress& progress,
                                              io::Cycles cycles = io::Cycles::kRefuse,
                                              Pipes pipes = Pipes::kRefuse);

}  // namespace tideline::events
