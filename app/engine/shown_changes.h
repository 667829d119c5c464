// Two graphs beside each other, for the diff view.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/engine/compare_graphs.h"
#include "app/engine/read_graph.h"
#include "core/base/line_diff.h"
#include "core/base/progress.h"
#include "core/memory/timeline.h"
#include "render/view/graph_changes.h"

namespace tideline::app {

/// The device memory of a step of a graph.
struct SideMemory {
  std::shared_ptr<const MemoryTimeline> timeline = {};  ///< null: it is not known
  Bytes budget = 0;                                     ///< of the step; 0: none
};

/// A graph with the name under which it is shown.
struct NamedGraph {
  std::string title;
  ReadGraphPtr graph;
  ReadGraphPtr origin = {};  ///< the graph that this is, or is an edit of; null: of a file alone
  SideMemory memory = {};
};

/// Thread: immutable, any number of readers.
struct ShownChanges {
  NamedGraph before, after;
  render::GraphChanges changes;
};
using ShownChangesPtr = std::shared_ptr<const ShownChanges>;

/// Compares. Errors: those of compare_documents; kCancelled. Cost: that of compare_documents, and
/// of the levels of both graphs where they are not known yet.
[[nodiscard]] Result<ShownChangesPtr> show_changes(NamedGraph before, NamedGraph after,
                                                   Progress& progress);

/// The NodeDef of an op in both graphs as text, line by line; of one with more than 256 KiB only
/// how long it is, and whether it differs. Empty if neither graph has it. Errors: those of
/// wire_to_text.
[[nodiscard]] Result<std::vector<std::pair<DiffLine::Kind, std::string>>> changed_text(
    const ShownChanges& shown, const std::string& op);

}  // namespace tideline::app
