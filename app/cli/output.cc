#include "app/cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "app/cli/terminal.h"
#include "core/base/output_file.h"
#include "core/base/output_folder.h"
#include "core/events/graph_log.h"
#include "core/io/saved_model.h"
#include "core/io/write_document.h"

namespace tideline::cli {

namespace {

// The file that a path means, whether it exists or not, however it is spelled.
std::filesystem::path place_of(const std::string& path) {
  std::error_code error;
  auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  if (error) return path;
  return place.has_filename() ? place : place.parent_path();  // "folder/" is "folder"
}

// Whether `path` names a place in the folder `folder`.
bool is_inside(const std::string& path, const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) return false;
  const std::filesystem::path relative = place_of(path).lexically_relative(place_of(folder));
  return !relative.empty() && relative != "." && *relative.begin() != "..";
}

std::optional<int> refuse_log(const OutputOptions& output, const std::string& input) {
  if (output.log_path.empty()) return std::nullopt;
  std::vector<std::filesystem::path> taken = {place_of(input), place_of(output.path)};
  if (!output.plan_path.empty()) taken.push_back(place_of(output.plan_path));
  std::vector<std::string> ours = events::GraphLog::paths(output.log_path);
  ours.push_back(output.log_path);
  for (const std::string& path : ours) {
    if (std::find(taken.begin(), taken.end(), place_of(path)) == taken.end()) continue;
    return report_usage({Code::kInvalidArgument,
                         fmt::format("{}: expected a folder for the log that is neither the graph "
                                     "nor another output",
                                     path)});
  }
  if (Status status = events::GraphLog::check(output.log_path, output.force); !status) {
    return report(status.error());
  }
  return std::nullopt;
}

}  // namespace

void add_output(CLI::App& command, OutputOptions& output) {
  command
      .add_option("-o,--output", output.path,
                  "File to write (.pb, .pbtxt, .meta) or folder (SavedModel)")
      ->required()
      ->type_name("OUT");
  command.add_flag("--force", output.force, "Replace files that exist");
  command.add_flag("--quiet", output.quiet, "Print errors only");
}

std::optional<int> refuse_output(const OutputOptions& output, const std::string& input) {
  if (auto format = io::output_format_of(output.path, {}); !format) {
    return report_usage(format.error());
  }
  if (!output.plan_path.empty() && place_of(output.plan_path) == place_of(output.path)) {
    return report_usage(
        {Code::kInvalidArgument,
         fmt::format("{}: expected different files for graph and plan", output.plan_path)});
  }
  if (!output.plan_path.empty() && place_of(output.plan_path) == place_of(input)) {
    return report_usage(
        {Code::kInvalidArgument,
         fmt::format("{}: expected a plan file that is not the graph itself", output.plan_path)});
  }
  const bool is_folder = io::is_folder_name(output.path);
  if (is_folder && is_inside(output.path, input)) {
    return report_usage(
        {Code::kInvalidArgument,
         fmt::format("{}: lies inside {}; expected another place", output.path, input)});
  }
  Status status = is_folder ? check_output_folder(output.path, output.force, io::is_saved_model)
                            : check_output_path(output.path, output.force);
  if (status && !output.plan_path.empty()) {
    status = check_output_path(output.plan_path, output.force);
  }
  if (!status) return report(status.error());
  return refuse_log(output, input);
}

Status write_output(const OutputOptions& output, const io::Document& document, const Graph& graph,
                    const std::string& plan, Progress& progress) {
  TIDELINE_TRY(const io::OutputFormat format, io::output_format_of(output.path, document));
  std::optional<OutputFile> file;
  std::optional<OutputFolder> folder;
  std::vector<PendingOutput*> outputs;
  Status written;
  if (format.is_folder) {
    if (!document.folder.empty() && is_inside(output.path, document.folder)) {
      return fail(Code::kInvalidArgument, "{}: lies inside {}; expected another place", output.path,
                  document.folder);
    }
    TIDELINE_TRY(OutputFolder made,
                 OutputFolder::create(output.path, output.force, io::is_saved_model));
    folder.emplace(std::move(made));
    written = io::write_saved_model(document, graph, format, *folder, progress);
    outputs.push_back(&*folder);
  } else {
    TIDELINE_TRY(OutputFile made, OutputFile::create(output.path, output.force));
    file.emplace(std::move(made));
    written = io::write_document(document, graph, format, *file, progress);
    outputs.push_back(&*file);
  }
  if (!written && written.error().code == Code::kUnsupported) {
    return tl::unexpected(with_context(std::move(written).error(), output.path));
  }
  TIDELINE_RETURN_IF_ERROR(written);
  std::optional<OutputFile> plan_file;
  if (!output.plan_path.empty()) {
    TIDELINE_TRY(OutputFile made, OutputFile::create(output.plan_path, output.force));
    plan_file.emplace(std::move(made));
    TIDELINE_RETURN_IF_ERROR(plan_file->append(plan));
    outputs.push_back(&*plan_file);
  }
  std::optional<events::GraphLog> log;
  if (!output.log_path.empty()) {
    TIDELINE_TRY(log,
                 events::GraphLog::write(output.log_path, output.force, document, graph, progress));
    for (OutputFile& run : log->files()) outputs.push_back(&run);
  }
  TIDELINE_RETURN_IF_ERROR(commit_together(outputs));
  if (!output.quiet) {
    for (const std::string& loss : io::losses(document, format)) {
      fmt::print(stderr, "tideline: note: {}\n", loss);
    }
  }
  return {};
}

}  // namespace tideline::cli
