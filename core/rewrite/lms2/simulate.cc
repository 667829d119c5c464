#include "core/rewrite/lms2/simulate.h"

#include "core/rewrite/lms2/play.h"
#include "core/rewrite/lms2/play_input.h"
#include "core/rewrite/lms2/prepared.h"

namespace tideline {

Result<CompatibleSimulation> simulate_lms2(const Graph& graph, const Collections& collections,
                                           const Lms2Options& options, bool with_swaps) {
  if (with_swaps) TIDELINE_RETURN_IF_ERROR(validate(options));
  TIDELINE_TRY(const auto prepared, lms2::Prepared::make(graph, collections, options));
  if (prepared->already_edited()) {
    return fail(Code::kUnsupported,
                "the compatible model does not know the swaps of an edited graph; expected the "
                "original graph, or {{model}} faithful");
  }
  TIDELINE_TRY(const lms2::PlayGraph play,
               lms2::build_play_graph(prepared->context(), prepared->candidates(),
                                      prepared->variables().trainable));
  lms2::Player player(play);
  CompatibleSimulation result;
  result.before = player.timeline({kNoSwaps, 1, 0, 0});
  if (with_swaps) {
    result.after = player.timeline({options.swapout_threshold, options.swapin_ahead,
                                    options.swapin_groupby, options.sync_mode});
  }
  return result;
}

}  // namespace tideline
