// What waits for a plan: writing it, and asking TensorFlow about it. Tested by
// unit/session/graph_document_test.cc and unit/session/exact_document_test.cc.
#include <chrono>
#include <thread>
#include <utility>

#include "app/engine/exact_step.h"
#include "app/session/graph_document.h"
#include "core/base/text.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::app {
namespace {

// TensorFlow takes seconds to load: it is not asked about each place of a slider.
Result<ui::ExactPeaks> rest(Progress& progress) {
  constexpr std::chrono::milliseconds kRest{300}, kStep{10};
  for (auto waited = kStep * 0; waited < kRest; waited += kStep) {
    if (!progress.report("", 0, 0)) return cancelled();
    std::this_thread::sleep_for(kStep);
  }
  return ui::ExactPeaks();
}

}  // namespace

Status GraphDocument::write(const WriteRequest& request) {
  if (!snapshot_) return fail(Code::kInvalidArgument, "no graph is open; expected one to write");
  if (is_planning_ || jobs_.has(JobKind::kConfirm)) {
    waiting_writes_.push_back(request);
    return {};
  }
  if (policy_error_) {
    return fail(Code::kInvalidArgument,
                "{} is not written, because there is no plan for the policy: {}",
                printable(request.path, 2000), policy_error_->message);
  }
  start_write(request);
  return {};
}

void GraphDocument::note_written(Wish wish) {
  written_ = std::move(wish);
  journal_.touch();
}

void GraphDocument::ask_exactly() {
  if (!snapshot_ || !shown_wish_.is_exact()) return;
  exact_.emplace();
  journal_.touch();
  if (is_planning_) return;  // then about the plan
  jobs_.replace(
      job_for(JobKind::kExact, "Asking TensorFlow",
              [this, snapshot = snapshot_, ask = optimizer_](Progress& progress) -> Finish {
                auto found = rest(progress);
                if (found) found = exact_peaks(*snapshot, ask, progress);
                return [this, found = std::move(found)] { take_exact(found); };
              }));
}

void GraphDocument::take_exact(const Result<ui::ExactPeaks>& found) {
  if (found) {
    exact_ = *found;
    exact_problem_.clear();
  } else {
    exact_->problem = with_parameter_names(found.error().message, Naming::kField);
    say_problem(found.error());
  }
  journal_.touch();
}

// What was said for one plan holds for the next. Without TensorFlow, or with a traced step, the
// modelled answer stays, and that is no failure.
void GraphDocument::say_problem(const Error& error) {
  const bool is_known = exact_->problem == std::exchange(exact_problem_, exact_->problem);
  if (error.code == Code::kUnsupported || (is_known && error.code != Code::kCancelled)) return;
  if (error.code != Code::kNotFound) return journal_.report(error);
  journal_.say(ui::MessageKind::kWarning, "the step is not known exactly: " + exact_->problem);
}

void GraphDocument::write_waiting() {
  if (exact_ && exact_->is_asking() && !is_planning_ && !jobs_.has(JobKind::kExact)) ask_exactly();
  if (waits_to_fit_ && !is_planning_) {
    if (Status status = find_fit(); !status) take_no_fit(status.error());
  }
  if (std::exchange(waits_to_compare_, waits_to_compare_ && is_planning_)) want_changes();
  if (is_planning_ || jobs_.has(JobKind::kConfirm)) return;
  for (const WriteRequest& request : std::exchange(waiting_writes_, {})) {
    if (Status status = write(request); !status) journal_.report(status.error());
  }
}

// Whoever asks what was changed then sees what is in the file.
void GraphDocument::compare_with_written(const std::string& path) {
  if (compared_.before == path || compared_.after == path) ++diff_turn_;  // there is another file
  if (!(compared_ == Compared{}) && !compares_written_) return;
  compared_.after = path;
  compares_written_ = true;
  ++diff_turn_;
}

// Precondition: the snapshot is of the wish.
void GraphDocument::start_write(const WriteRequest& request) {
  const std::string title = "Writing " + file_name(request.path);
  if (request.kind == WriteKind::kLog) return start_log(request, title);
  jobs_.start(
      job_for(JobKind::kWrite, title,
              [this, request, snapshot = snapshot_, wish = wish()](Progress& progress) -> Finish {
                auto written = app::write(snapshot, request, progress);
                if (!written) return [this, error = written.error()] { journal_.report(error); };
                return [this, request, wish, done = *std::move(written)] {
                  if (request.kind == WriteKind::kGraph) {
                    written_ = wish;
                    compare_with_written(request.path);
                  }
                  say_written(done);
                };
              }));
}

// Pictures are drawn between two jobs, because only the session's thread can draw.
void GraphDocument::start_log(const WriteRequest& request, const std::string& title) {
  jobs_.start(job_for(
      JobKind::kWrite, title,
      [this, request, title, snapshot = snapshot_](Progress& progress) -> Finish {
        auto prepared = prepare_log(snapshot, request, progress);
        if (!prepared) return [this, error = prepared.error()] { journal_.report(error); };
        return [this, request, title, log = std::make_shared<PreparedLog>(*std::move(prepared))] {
          add_pictures(request.draw_png, log->steps);
          jobs_.start(
              job_for(JobKind::kWrite, title, [this, request, log](Progress& inner) -> Finish {
                auto written = write_log(*log, request, inner);
                if (!written) return [this, error = written.error()] { journal_.report(error); };
                return [this, done = *std::move(written)] { say_written(done); };
              }));
        };
      }));
}

void GraphDocument::say_written(const Written& written) {
  journal_.say(ui::MessageKind::kInfo, written.text);
  for (const std::string& note : written.notes) journal_.say(ui::MessageKind::kWarning, note);
}

}  // namespace tideline::app
