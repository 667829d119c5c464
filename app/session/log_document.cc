// Tested by unit/session/session_test.cc.
#include "app/session/log_document.h"

#include <filesystem>
#include <utility>

#include "core/base/input_file.h"
#include "core/events/log_walk.h"
#include "core/events/logged_graphs.h"
#include "core/events/logged_trace.h"

namespace tideline::session {
namespace {

Result<std::shared_ptr<const ui::LogContents>> read_log(const std::string& path,
                                                        Progress& progress) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error) && !events::is_log_file(path)) {
    TIDELINE_RETURN_IF_ERROR(InputFile::open(path));
    return fail(Code::kInvalidArgument, "{}: is no event log; expected an event file or a folder",
                path);
  }
  auto contents = std::make_shared<ui::LogContents>();
  contents->path = path;
  TIDELINE_TRY(const auto graphs, events::list_graphs(path, contents->diagnostics, progress));
  for (const events::LoggedGraph& graph : graphs) {
    const std::string tag = graph.part.empty() ? graph.tag : graph.tag + ":" + graph.part;
    contents->graphs.push_back({graph.run, tag, events::graph_source_name(graph.source),
                                static_cast<Bytes>(graph.bytes->bytes().size())});
  }
  // Damage was already counted with the graphs.
  Diagnostics counted;
  TIDELINE_TRY(const auto traces, events::list_traces(path, counted, progress));
  for (const events::LoggedTrace& trace : traces) {
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
                 auto contents = read_log(path, progress);
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
