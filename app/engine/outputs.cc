// Tested by unit/engine/write_test.cc and the golden cases of `rewrite` and `convert`.
#include "app/engine/outputs.h"

#include <optional>

#include "core/base/output_file.h"
#include "core/base/output_folder.h"
#include "core/base/strictest.h"
#include "core/events/graph_log.h"
#include "core/io/model_files.h"
#include "core/io/saved_model.h"
#include "core/io/write_document.h"

namespace tideline::app {
namespace {

// The graph, written but not yet in its place.
struct PendingGraph {
  std::optional<OutputFile> file;
  std::optional<OutputFolder> folder;
};

Readers readers_for(const OutputPaths& paths, const io::Document& document) {
  return strictest(document.source->readers(), paths.readers);
}

// Who may enter the folder of a SavedModel.
Readers folder_readers(const OutputPaths& paths, const io::Document& document) {
  return document.folder.empty() ? as_folder(readers_for(paths, document))
                                 : strictest(readers_of(document.folder), as_folder(paths.readers));
}

// A graph without anything may become a file without anything, or one that says nothing of what it
// is. (One with ops has their names.)
Status check_readable(const std::string& path, const io::Document& document, const Graph& graph,
                      io::OutputFormat format, Progress& progress) {
  std::string bytes;
  TIDELINE_RETURN_IF_ERROR(
      io::write_document(document, graph, format, io::append_to(bytes), progress));
  if (io::read_document(path, own_bytes(std::move(bytes)), progress)) return {};
  return fail(
      Code::kInvalidArgument,
      "{}: {} has no ops, and in this format nothing would say that it is a graph; expected "
      "another format, or a graph with ops",
      path, document.path);
}

Status write_graph(const OutputPaths& paths, const io::Document& document, const Graph& graph,
                   io::OutputFormat format, Progress& progress, PendingGraph& pending) {
  Status written;
  if (format.is_folder) {
    if (!document.folder.empty() && is_inside(paths.graph, document.folder)) {
      return fail(Code::kInvalidArgument, "{}: is inside {}; expected a path outside of it",
                  paths.graph, document.folder);
    }
    TIDELINE_TRY(OutputFolder made,
                 OutputFolder::create(paths.graph, paths.force, io::replace_model(document.folder),
                                      folder_readers(paths, document)));
    pending.folder.emplace(std::move(made));
    written =
        io::write_saved_model(document, graph, format, *pending.folder, progress, paths.readers);
  } else {
    if (graph.op_count() == 0) {
      TIDELINE_RETURN_IF_ERROR(check_readable(paths.graph, document, graph, format, progress));
    }
    TIDELINE_TRY(OutputFile made,
                 OutputFile::create(paths.graph, paths.force, readers_for(paths, document)));
    pending.file.emplace(std::move(made));
    written = io::write_document(document, graph, format, *pending.file, progress);
  }
  if (!written && written.error().code == Code::kUnsupported) {
    return tl::unexpected(with_context(std::move(written).error(), paths.graph));
  }
  return written;
}

}  // namespace

std::filesystem::path place_of(const std::string& path) {
  std::error_code error;
  auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  if (error) return path;
  return place.has_filename() ? place : place.parent_path();  // "folder/" is "folder"
}

bool is_inside(const std::string& path, const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) return false;
  const std::filesystem::path relative = place_of(path).lexically_relative(place_of(folder));
  return !relative.empty() && relative != "." && *relative.begin() != "..";
}

Result<std::vector<std::string>> write_outputs(const OutputPaths& paths,
                                               const io::Document& document, const Graph& graph,
                                               const std::string& plan, Progress& progress,
                                               const events::GraphLogEvents& events) {
  std::vector<PendingOutput*> outputs;
  std::vector<std::string> notes;
  PendingGraph pending;
  if (!paths.graph.empty()) {
    TIDELINE_TRY(const io::OutputFormat format, io::output_format_of(paths.graph, document));
    TIDELINE_RETURN_IF_ERROR(write_graph(paths, document, graph, format, progress, pending));
    if (pending.folder) outputs.push_back(&*pending.folder);
    if (pending.file) outputs.push_back(&*pending.file);
    notes = io::losses(document, format);
  }
  std::optional<OutputFile> plan_file;
  if (!paths.plan.empty()) {
    TIDELINE_TRY(OutputFile made,
                 OutputFile::create(paths.plan, paths.force, readers_for(paths, document)));
    plan_file.emplace(std::move(made));
    TIDELINE_RETURN_IF_ERROR(plan_file->append(plan));
    outputs.push_back(&*plan_file);
  }
  std::optional<events::GraphLog> log;
  if (!paths.log.empty()) {
    TIDELINE_TRY(log, events::GraphLog::write(paths.log, paths.force, document, graph, progress,
                                              events, readers_for(paths, document)));
    for (OutputFile& run : log->files()) outputs.push_back(&run);
  }
  TIDELINE_RETURN_IF_ERROR(commit_together(outputs));
  return notes;
}

}  // namespace tideline::app
