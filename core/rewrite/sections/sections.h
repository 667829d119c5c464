// Section-wise training: a training step as several runs, so that only the activations of one
// section are in memory at a time.
#pragma once

#include <optional>

#include "core/analysis/structure/graph_facts.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/graph/graph_plan.h"
#include "core/graph/tensor_options.h"
#include "core/rewrite/sections/options.h"
#include "core/rewrite/sections/report.h"

namespace tideline {

/// The edit and what it is for.
struct SectionsPlan {
  GraphPlan edit;
  SectionsReport report;
};

/// Checks the options as far as possible without a graph. With a memory budget nothing has to say
/// where the sections begin. Errors: kInvalidArgument.
[[nodiscard]] Status validate(const SectionsOptions& options, bool has_budget = false);

/// Plans the runs of a cycle for the training graph of `facts`. One after the other, with values
/// kept on the host in between, they compute what one step computes, bit for bit. Peaks are
/// predicted if sizes are known (a batch size is given, or measured), borders searched for, or
/// `limit` given. Errors: kNotFound for an op, output of an op, or scope that is not in the graph,
/// and for a border outside of the forward pass; kInvalidArgument for options that contradict each
/// other, and without a batch size where peaks count; kUnsupported, naming op and rule, where the
/// graph cannot be cut; those of TensorTable::build, and of build_step_graph where peaks are
/// predicted; kOverBudget if a run needs more than `limit` bytes of device memory or, for options
/// that leave the borders open, if no sections stay within them; kCancelled. Cost: O(ops + edges)
/// for each section; find_borders for a search. Thread: pure.
[[nodiscard]] Result<SectionsPlan> plan_sections(const GraphFacts& known,
                                                 const Collections& collections,
                                                 const TensorOptions& sizes,
                                                 const SectionsOptions& options,
                                                 std::optional<Bytes> limit, Progress& progress);

}  // namespace tideline
