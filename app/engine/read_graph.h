// A graph as read from a file, with its functions and diagnostics. Every verb and the window start
// with it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/analysis/structure/graph_facts.h"
#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/events/open_graph.h"
#include "core/graph/function_library.h"
#include "core/graph/source_lines.h"
#include "core/io/document.h"
#include "core/rewrite/inline/inlining.h"

namespace tideline::app {

/// How a graph came about whose calls were inlined.
struct InlinedGraph {
  Graph original;  ///< as it is in the file
  Inlining made;   ///< its plan is for `original`
};

/// Thread: immutable, any number of readers.
struct ReadGraph {
  ReadGraph(events::GraphChoice graph_choice, io::Document opened,
            std::shared_ptr<const InlinedGraph> from = nullptr, SourceLines source_lines = {});

  events::GraphChoice choice;
  io::Document document;
  std::shared_ptr<const InlinedGraph> inlined;  ///< null if `document` has the graph of the file
  Diagnostics diagnostics;                      ///< of the document, its functions and its calls
  FunctionLibrary functions;
  GraphFacts facts;   ///< of the graph with these functions
  SourceLines lines;  ///< of the user's code that made the ops; empty where nothing says so
};
using ReadGraphPtr = std::shared_ptr<const ReadGraph>;

/// `source` with an edit of its graph, for looking at it without writing and reading it: the bytes
/// of the document stay those of the original. Cost: a copy of the arrays of the graph.
[[nodiscard]] ReadGraphPtr with_graph(const ReadGraph& source, Graph graph);

/// How the graph in another file is chosen beside `choice`: the same function; the same graph of a
/// SavedModel, if that is a folder. Cost: a look at the file system.
[[nodiscard]] events::GraphChoice choice_beside(const events::GraphChoice& choice,
                                                const std::string& path);

struct ReadWay {
  io::Cycles cycles = io::Cycles::kRefuse;
  Pipes pipes = Pipes::kRefuse;
};

/// If the choice inlines, the document has the inlined graph, and its bytes stay those of the file.
/// Errors: those of events::open_graph, inline_calls and apply; kUnsupported for inlining in the
/// body of a function; those of read_lines. Cost: one pass over the bytes, and the bodies of
/// functions.
[[nodiscard]] Result<ReadGraphPtr> read_graph(const events::GraphChoice& choice, Progress& progress,
                                              ReadWay way = {});

/// One sentence for each entry above Severity::kInfo, beginning with `path`:
/// "log: damaged event file; the records from there on are lost: record 17 at byte 239386: ...".
[[nodiscard]] std::vector<std::string> notices(const std::string& path,
                                               const Diagnostics& diagnostics);

}  // namespace tideline::app
