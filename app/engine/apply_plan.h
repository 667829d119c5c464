// Applies plan files.
#pragma once

#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/graph/cycle.h"
#include "core/io/document.h"
#include "core/rewrite/plan/graph_plan_json.h"

namespace tideline::app {

/// An edit of a document's graph, to be written with the document's surroundings.
struct AppliedPlan {
  Graph graph;
  std::optional<Cycle> cycle;  ///< of a plan of sections
};
/// Applies the plan in `path` to the document's graph. The plans of a chain are applied in order.
/// Errors: those of open_bytes, PlanFile and apply; kInvalidArgument when a plan is for other bytes
/// than those it is to be applied to; kCancelled. Messages begin with `path`.
[[nodiscard]] Result<AppliedPlan> apply_plan_file(const io::Document& document,
                                                  const std::string& path, Progress& progress);

/// A document and what a plan says about running it.
struct PlannedDocument {
  std::optional<io::Document> document;  ///< empty: the given one, which the plan gave
  std::optional<Cycle> cycle;            ///< of a plan of sections
};
/// The document that the plan in `path` gives. If the document is already the graph that the plan
/// gives, by its digest, nothing is applied. Errors: those of apply_plan_file, PlanFile::cycle and
/// reopened.
[[nodiscard]] Result<PlannedDocument> open_planned(const io::Document& document,
                                                   const std::string& path, Progress& progress);

/// The head of what `graph`, an edit of the document's, is as a file. Errors: those of
/// write_document. Cost: the bytes of the graph, in memory.
[[nodiscard]] Result<WrittenGraph> written_graph(const io::Document& document, const Graph& graph,
                                                 Progress& progress);

/// Writes `graph`, an edit of the document's, into memory and opens it again. Of a SavedModel only
/// the selected graph is kept.
/// Errors: those of write_document and read_document. Cost: the bytes of the file, in memory.
[[nodiscard]] Result<io::Document> reopened(const io::Document& document, const Graph& graph,
                                            Progress& progress);

}  // namespace tideline::app
