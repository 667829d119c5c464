// Opens whatever a path holds as one graph: a file, a SavedModel, a log, a function's body.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/io/document.h"

namespace tideline::events {

/// Which graph of `path` is meant; what is empty does not choose.
struct GraphChoice {
  std::string path = {};
  std::string function = {};  ///< the body of this function
  std::string run = {};       ///< of a log: regular expression
  std::string tag = {};       ///< of a log: regular expression; of a SavedModel: its tags
};

/// Opens the graph that is meant. The kind of a file is found from its content; a folder is a
/// SavedModel when it has a saved_model.pb, else a log. What was skipped in a log is in the
/// document's diagnostics. Errors: as read_document, read_saved_model, open_function and
/// choose_graph; kInvalidArgument for `run` without a log. Messages begin with the path.
[[nodiscard]] Result<io::Document> open_graph(const GraphChoice& choice, Progress& progress,
                                              io::Cycles cycles = io::Cycles::kRefuse,
                                              Hold hold = Hold::kMap);

}  // namespace tideline::events
