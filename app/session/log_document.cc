// Tested by unit/session/session_test.cc.
#include "app/session/log_document.h"

#include <utility>

#include "app/session/read_log.h"
#include "core/events/logged_graphs.h"
#include "core/events/logged_trace.h"

namespace tideline::session {
namespace {

Result<std::shared_ptr<const ui::LogContents>> read_contents(const std::string& path,
                                                             Progress& progress) {
  TIDELINE_TRY(const events::EventLog log, read_log(path, events::AtDamage::kStop, progress));
  auto contents = std::make_shared<ui::LogContents>();
  contents->path = path;
  contents->diagnostics = log.diagnostics();
  for (const events::LoggedGraph& graph : events::list_graphs(log, contents->diagnostics)) {
    const std::string tag = graph.part.empty() ? graph.tag : graph.tag + ":" + graph.part;
    contents->graphs.push_back({graph.run, tag, events::graph_source_name(graph.source),
                                static_cast<Bytes>(graph.bytes->bytes().size())});
  }
  Diagnostics counted;  // with the graphs
  for (const events::LoggedTrace& trace : events::list_traces(log, counted)) {
    contents->traces.push_back({trace.run, trace.tag, trace.step});
  }
  return contents;
}

}  // namespace

LogDocument::LogDocument(DocumentPlace place, OpenRequest request)
    : journal_(place.journal), request_(std::move(request)), jobs_(std::move(place.wake)) {
  const auto failed = [this](const Error& error) -> Finish {
    return [this, error] { journal_.report(error); };
  };
  const std::string& path = request_.graph.path;
  jobs_.start({JobKind::kOpen, "Reading " + file_name(path),
               [this, path, failed](Progress& progress) -> Finish {
                 auto contents = read_contents(path, progress);
                 if (!contents) return failed(contents.error());
                 return [this, found = *std::move(contents)] {
                   contents_ = found;
                   journal_.touch();
                 };
               },
               failed});
}

void LogDocument::show_in(ui::UiModel& model) const {
  model.log = contents_;
}

void LogDocument::close() {
  jobs_.drop(JobKind::kOpen);
  contents_.reset();
  journal_.touch();
}

}  // namespace tideline::session
