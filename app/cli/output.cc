#include "app/cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "app/cli/terminal.h"
#include "app/engine/input_readers.h"
#include "app/engine/outputs.h"
#include "core/base/output_file.h"
#include "core/base/output_folder.h"
#include "core/events/graph_log.h"
#include "core/io/graph_format.h"
#include "core/io/model_files.h"
#include "core/io/saved_model.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::cli {

namespace {

using app::is_inside;
using app::place_of;

std::optional<int> refuse_log(const OutputOptions& output, const std::string& input) {
  if (output.log_path.empty()) return std::nullopt;
  std::vector<std::filesystem::path> taken = {place_of(input)};
  if (!output.path.empty()) taken.push_back(place_of(output.path));
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

// Checks the output of the graph as far as its name and what is there allow.
Status check_graph_output(const OutputOptions& output, const std::string& input) {
  if (output.path.empty()) return {};
  return io::is_folder_name(output.path)
             ? check_output_folder(
                   output.path, output.force,
                   io::replace_model(io::is_saved_model(input) ? input : io::folder_around(input)))
             : check_output_path(output.path, output.force);
}

}  // namespace

void add_output(const Command& command, OutputOptions& output, bool is_required) {
  const Option option = command
                            .add_option("-o,--output", output.path,
                                        fmt::format("File to write ({}) or folder (SavedModel)",
                                                    fmt::join(io::written_endings(), ", ")))
                            .not_empty()
                            .type_name("OUT");
  if (is_required) option.required();  // NOLINT(bugprone-unused-return-value)
  command.add_flag("--force", output.force, "Replace files that exist");
  command.add_flag("--quiet", output.quiet, "Print errors only");
}

void add_log_output(const Command& command, OutputOptions& output) {
  command
      .add_option(
          "--tb", output.log_path,
          "Also write a log for TensorBoard: the graph before and after as two runs, each with "
          "the memory and times of a simulated step")
      .not_empty()
      .type_name("DIR");
}

void add_only_log_output(const Command& command, OutputOptions& output) {
  add_log_output(command, output);
  command.add_flag("--force", output.force, "Replace a log that exists")
      .needs(command.option("--tb"));
}

std::optional<int> refuse_log_output(const OutputOptions& output, const std::string& input) {
  return refuse_log(output, input);
}

Result<app::StepLogs> step_logs_for(const OutputOptions& output, const app::SizedGraph& original,
                                    const Graph& rewritten,
                                    const std::optional<DeviceProfile>& profile, const Policy* used,
                                    Progress& progress, std::optional<Cycle> cycle) {
  if (output.log_path.empty()) return app::StepLogs();
  app::StepLogOptions options;
  options.request.batch_size = original.batch_size;
  options.request.shapes = original.shapes;
  options.request.rounds = original.rounds;
  options.request.run = original.run;
  options.measured = original.measured;
  options.profile = profile.value_or(*built_in_profile("pcie3"));
  options.cycle = std::move(cycle);
  if (used != nullptr) {
    options.request.fetches = used->search.fetches;
    options.parameters = app::hparams_of(*used);
  }
  TIDELINE_TRY(app::StepLogs logs, app::step_logs(original.source, rewritten, options, progress));
  app::add_pictures(output.draw_png, logs);
  return logs;
}

std::optional<int> refuse_output(const OutputOptions& output, const std::string& input) {
  if (output.path.empty() && output.plan_path.empty()) {
    return report_usage(
        {Code::kInvalidArgument, "--output is required, or --plan-json for the plan alone"});
  }
  if (auto format = io::output_format_of(output.path, {}); !format && !output.path.empty()) {
    return report_usage(format.error());
  }
  if (!output.plan_path.empty() && !output.path.empty() &&
      place_of(output.plan_path) == place_of(output.path)) {
    return report_usage(
        {Code::kInvalidArgument,
         fmt::format("{}: expected different files for graph and plan", output.plan_path)});
  }
  if (!output.plan_path.empty() && place_of(output.plan_path) == place_of(input)) {
    return report_usage(
        {Code::kInvalidArgument,
         fmt::format("{}: expected a plan file that is not the graph itself", output.plan_path)});
  }
  if (!output.path.empty() && io::is_folder_name(output.path) && is_inside(output.path, input)) {
    return report_usage(
        {Code::kInvalidArgument,
         fmt::format("{}: is inside {}; expected a path outside of it", output.path, input)});
  }
  Status status = check_graph_output(output, input);
  if (status && !output.plan_path.empty()) {
    status = check_output_path(output.plan_path, output.force);
  }
  if (!status) return report(status.error());
  return refuse_log(output, input);
}

Status write_output(const OutputOptions& output, const io::Document& document, const Graph& graph,
                    const std::string& plan, Progress& progress, const app::StepLogs& logs) {
  TIDELINE_TRY(auto notes, app::write_outputs({output.path, output.plan_path, output.log_path,
                                               output.force, app::readers_of_inputs(output.inputs)},
                                              document, graph, plan, progress, logs.runs));
  notes.insert(notes.end(), logs.notes.begin(), logs.notes.end());
  if (!output.quiet) {
    for (const std::string& note : notes)
      complain("tideline: note: {}\n", with_parameter_names(note, Naming::kOption));
  }
  return {};
}

}  // namespace tideline::cli
