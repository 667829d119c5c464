// The traced step that an open graph is compared with. Tested by
// unit/session/graph_document_test.cc.
#include <filesystem>
#include <utility>

#include "app/engine/measure.h"
#include "app/session/graph_document.h"

namespace tideline::app {

void GraphDocument::measure(events::TraceChoice choice) {
  if (!snapshot_) return;
  jobs_.replace(job_for(
      JobKind::kMeasure, "Measuring " + file_name(choice.path),
      [this, choice, file = snapshot_->graph->file](Progress& progress) -> Finish {
        auto run = app::measure(*file->source, choice, progress);
        if (!run) return [this, error = run.error()] { journal_.report(error); };
        return
            [this, file, choice, found = *std::move(run)] { take_measured(file, found, choice); };
      }));
  journal_.touch();
}

void GraphDocument::take_measured(const std::shared_ptr<const GraphFile>& file, MeasuredRunPtr run,
                                  const events::TraceChoice& choice) {
  if (!snapshot_ || snapshot_->graph->file != file) return;  // read again meanwhile
  measured_ = std::move(run);
  trace_ = choice;
  replan();
}

void GraphDocument::stop_measuring() {
  jobs_.drop(JobKind::kMeasure);
  trace_ = events::TraceChoice{};
  if (!measured_) return;
  measured_.reset();
  replan();
}

events::TraceChoice GraphDocument::trace() const {
  if (!measured_) return {};
  if (trace_) return *trace_;
  // The run that the graph is from, unless the choice of the graph names it already.
  const io::Document& document = snapshot_->graph->document();
  return {measured_->path, request_.graph.run.empty() ? document.run : std::string(), {}};
}

// Telling the two apart requires reading, so a job does it. A log is opened: it brings its
// traced step with it.
void GraphDocument::take_dropped(OpenRequest request) {
  std::error_code error;
  const std::string& path = request.graph.path;
  if (!snapshot_ || !std::filesystem::is_regular_file(path, error)) {
    refused_drop_ = std::move(request);
    return;
  }
  jobs_.replace(job_for(
      JobKind::kMeasure, "Reading " + file_name(path),
      [this, request, file = snapshot_->graph->file](Progress& progress) -> Finish {
        const events::TraceChoice choice{request.graph.path, {}, {}};
        auto run = app::measure(*file->source, choice, progress);
        if (run && (*run)->place.empty()) {
          return
              [this, file, choice, found = *std::move(run)] { take_measured(file, found, choice); };
        }
        if (!run && run.error().code == Code::kCancelled) {
          return [this, error = run.error()] { journal_.report(error); };
        }
        return [this, request] { refused_drop_ = request; };
      }));
  journal_.touch();
}

std::optional<OpenRequest> GraphDocument::take_refused_drop() {
  return std::exchange(refused_drop_, std::nullopt);
}

}  // namespace tideline::app
