#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/output.h"
#include "app/cli/run_options.h"
#include "app/cli/terminal.h"
#include "app/engine/device_profile.h"
#include "app/engine/optimize.h"
#include "core/base/text.h"
#include "core/io/graph_format.h"
#include "core/memory/step_ops.h"
#include "core/rewrite/policy.h"
#include "core/runtime/find_tensorflow.h"

namespace tideline::cli {
namespace {

using Json = nlohmann::ordered_json;

struct OptimizeOptions {
  events::GraphChoice graph;
  OutputOptions output;
  std::string fetch;
  std::string profile_name;
  bool json = false;
};

struct OptimizeReport {
  runtime::OptimizeRequest request;
  std::string tensorflow;
  std::string lost;
  std::int64_t before = 0, needed = 0, after = 0;
  app::OptimizedOps ops;
};

struct Row {
  const char* key;
  const char* text;
  std::int64_t count;
};
std::vector<Row> rows_of(const app::OptimizedOps& ops) {
  return {{"same", "as they were", ops.same},
          {"other_inputs", "read or wait for others", ops.other_inputs},
          {"constants", "have become constants", ops.constants},
          {"other_type", "have another type, as fused ones have", ops.other_type},
          {"added", "added", ops.added},
          {"left_out", "left out, that the step ran", ops.left_out},
          {"not_needed", "left out, that the step did without", ops.not_needed}};
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  const std::vector<std::string> first(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kShown)));
  const std::string more =
      names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : std::string();
  return fmt::format("{}{}", fmt::join(first, ", "), more);
}

void print_text(const OptimizeOptions& options, const OptimizeReport& report) {
  const std::size_t gpus = report.request.gpus.size();
  say("{}: TensorFlow {} optimized the step of {} for {}\n", options.graph.path, report.tensorflow,
      some_of(report.request.fetches),
      gpus == 0   ? std::string("a CPU")
      : gpus == 1 ? std::string("a GPU")
                  : fmt::format("{} GPUs", gpus));
  say("  {} ops, of which the step needs {}; {} ops after\n", report.before, report.needed,
      report.after);
  for (const Row& row : rows_of(report.ops)) say("  {:>8} {}\n", row.count, row.text);
  say("wrote {}: {} ops\n", options.output.path, report.after);
}

void print_json(const OptimizeOptions& options, const OptimizeReport& report) {
  Json json;
  json["file"] = options.graph.path;
  json["tensorflow"] = report.tensorflow;
  json["fetches"] = report.request.fetches;
  json["gpus"] = report.request.gpus.size();
  json["ops_before"] = report.before;
  json["ops_needed"] = report.needed;
  json["ops_after"] = report.after;
  for (const Row& row : rows_of(report.ops)) json["ops"][row.key] = row.count;
  json["output"] = options.output.path;
  json["lost_collections"] = split_list(report.lost, ',');
  say_json(json);
}

// A MetaGraph stays one where its name says so.
Result<io::Format> format_for(const std::string& path, const io::Document& document) {
  TIDELINE_TRY(const io::OutputFormat asked, io::output_format_of(path, {}));
  return document.format == io::Format::kGraph ? io::Format::kGraph : asked.format;
}

tl::unexpected<Error> about(const io::Document& document, Error error) {
  if (error.code == Code::kCancelled) return tl::unexpected(std::move(error));
  return tl::unexpected(with_context(std::move(error), document.path));
}

Result<OptimizeReport> optimize_file(const OptimizeOptions& options,
                                     const std::optional<DeviceProfile>& profile,
                                     Progress& progress) {
  TIDELINE_TRY(const app::ReadGraphPtr source, open_input(options.graph, progress));
  const io::Document& document = source->document;
  TIDELINE_TRY(const io::Format format, format_for(options.output.path, document));
  OptimizeReport report;
  const RunModel run = profile ? with_executor({}, Policy(), *profile) : RunModel();
  const Executor executor = with_executor(run, source->facts).executor;
  auto request =
      app::optimize_request(document, split_list(options.fetch, ','), executor, profile, format);
  if (!request) return about(document, std::move(request).error());
  report.request = *std::move(request);
  const auto python = runtime::find_tensorflow_python(progress);
  if (!python && python.error().code == Code::kNotFound) {
    return fail(Code::kNotFound, "{}; 'simulate' models without TensorFlow what it does",
                python.error().message);
  }
  if (!python) return tl::unexpected(python.error());
  auto made = runtime::optimize(document, report.request, *python, progress);
  if (!made) return about(document, std::move(made).error());
  const Graph& after = made->document.graph;
  TIDELINE_TRY(const Fetches fetches, find_fetches(document.graph, {}, report.request.fetches));
  const std::vector<bool> needed = step_ops(document.graph, fetches);
  report.tensorflow = std::move(made->tensorflow);
  report.lost = std::move(made->lost);
  report.before = document.graph.op_count();
  report.needed = std::count(needed.begin(), needed.end(), true);
  report.after = after.op_count();
  report.ops = app::compare_ops(document.graph, needed, after);
  OutputOptions output = options.output;
  output.inputs = {options.profile_name};
  TIDELINE_RETURN_IF_ERROR(write_output(output, made->document, after, "", progress));
  return report;
}

int optimize(const OptimizeOptions& options) {
  if (const auto refused = refuse_output(options.output, options.graph.path)) return *refused;
  if (io::is_folder_name(options.output.path)) {
    return report_usage({Code::kInvalidArgument,
                         fmt::format("{}: would be a SavedModel without its variables; expected a "
                                     "file ({})",
                                     options.output.path, fmt::join(io::written_endings(), ", "))});
  }
  std::optional<DeviceProfile> profile;
  if (!options.profile_name.empty()) {
    auto read = app::read_device_profile(options.profile_name, Pipes::kRead);
    if (!read) return report(read.error());
    profile = *std::move(read);
  }
  RunProgress progress(options.json || options.output.quiet);
  const auto done = optimize_file(options, profile, progress);
  if (!done) return report(done.error());
  if (options.json) {
    print_json(options, *done);
  } else if (!options.output.quiet) {
    print_text(options, *done);
  }
  if (!done->lost.empty() && !options.output.quiet) {
    complain("tideline: note: collections that named ops which are gone lost these: {}\n",
             printable(done->lost, 2000));
  }
  return kExitDone;
}

}  // namespace

void add_optimize(const Command& app, Action& action) {
  auto options = std::make_shared<OptimizeOptions>();
  const Command command = app.add_subcommand("optimize",
                                             "Write the graph as the graph optimizer (Grappler) of "
                                             "an installed TensorFlow makes it before "
                                             "the first step");
  command.add_option("GRAPH", options->graph.path, "Graph file, SavedModel or event log")
      .not_empty()
      .required();
  add_graph_choice(command, options->graph);
  add_output(command, options->output);
  command
      .add_option("--fetch", options->fetch,
                  "Ops that the step is run for; they stay (comma list; default: the collection "
                  "train_op, else all Apply ops)")
      .type_name("OP,...");
  command
      .add_option(
          "--device-profile", options->profile_name,
          fmt::format("The GPU to optimize for, which need not be there: {}, or a JSON file "
                      "(without it: GPUs if the graph names some, else a CPU)",
                      fmt::join(built_in_profile_names(), ", ")))
      .not_empty()
      .type_name("NAME|FILE");
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([options, &action] { action = [options] { return optimize(*options); }; });
}

}  // namespace tideline::cli
