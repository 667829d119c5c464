// How a graph document writes what it shows. Tested by unit/session/graph_document_test.cc.
#include <utility>

#include "app/session/graph_document.h"
#include "core/base/text.h"

namespace tideline::app {

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

void GraphDocument::write_waiting() {
  if (is_planning_ || jobs_.has(JobKind::kConfirm)) return;
  for (const WriteRequest& request : std::exchange(waiting_writes_, {})) {
    if (Status status = write(request); !status) journal_.report(status.error());
  }
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
                  if (request.kind == WriteKind::kGraph) written_ = wish;
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
