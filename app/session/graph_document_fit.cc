// Whether a step of the document fits its device. Tested by unit/session/fit_document_test.cc.
#include <utility>

#include "app/engine/shown_fit.h"
#include "app/session/graph_document.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::app {

Result<FitQuestion> GraphDocument::fit_asked() const {
  if (!snapshot_) return fail(Code::kInvalidArgument, "no graph is open; expected one to fit");
  return fit_question(snapshot_->graph->file->source, measured_, trace(), wish());
}

ui::FitState GraphDocument::fit() const {
  ui::FitState state;
  if (!snapshot_) return state;
  const auto question = fit_asked();
  state.card = fit_card_;
  state.is_stale = fit_card_ != nullptr && (!question || !(fit_of_ == *question));
  state.is_running = waits_to_fit_ || jobs_.has(JobKind::kFit);
  if (!question) {
    state.problem =
        "Which device is meant? Fill in the device budget, or choose a device that has a memory, "
        "such "
        "as v100.";
  } else if (fit_tried_ == *question) {
    state.problem = fit_problem_;
  }
  return state;
}

void GraphDocument::want_fit() {
  if (!snapshot_ || is_planning_ || waits_to_fit_) return;
  const auto question = fit_asked();
  if (!question || fit_of_ == *question || fit_tried_ == *question) return;
  (void)find_fit();
}

Status GraphDocument::find_fit() {
  TIDELINE_TRY(FitQuestion question, fit_asked());
  journal_.touch();
  waits_to_fit_ = is_planning_;  // then about what it gives
  if (waits_to_fit_) return {};
  fit_tried_ = question;
  fit_problem_.clear();
  jobs_.replace(job_for(JobKind::kFit, "Finding what fits",
                        [this, question = std::move(question)](Progress& progress) -> Finish {
                          auto found = app::fit(question.graph(), question.request(), progress);
                          if (!found) {
                            return [this, error = found.error()] { take_no_fit(error); };
                          }
                          auto card =
                              std::make_shared<const ui::FitCard>(shown_fit(*std::move(found)));
                          return [this, question, card = std::move(card)] {
                            fit_card_ = card;
                            fit_of_ = question;
                            journal_.touch();
                          };
                        }));
  return {};
}

void GraphDocument::take_no_fit(const Error& error) {
  fit_problem_ = with_parameter_names(error.message, Naming::kField);
  journal_.report(error);
}

void GraphDocument::drop_fit() {
  if (jobs_.has(JobKind::kFit)) fit_tried_.reset();
  jobs_.drop(JobKind::kFit);
}

}  // namespace tideline::app
