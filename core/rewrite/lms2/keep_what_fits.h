// The last stage of the search of LMS v2: tensors for which there is room stay on the device.
#pragma once

#include "core/base/progress.h"
#include "core/rewrite/lms2/faithful_plays.h"
#include "core/rewrite/lms2/tune.h"

namespace tideline::lms2 {

/// What the plays of a search are made from.
struct PlaySource {
  const Graph& graph;
  const Collections& collections;
  const SearchModel& model;
};

/// Keeps tensors in the step that `result` has found, and in some others that fit, and takes the
/// fastest of these. `prepared` and `plays` are those of the search; then they have the plan of
/// `result`. Errors: kCancelled. Cost: at most some 130 plays, which several threads share where
/// the graph is large.
Status keep_what_fits(const PlaySource& source, Prepared& prepared, FaithfulPlays& plays,
                      Progress& progress, TuneResult& result);

}  // namespace tideline::lms2
