#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/picture_output.h"
#include "app/cli/policy_options.h"
#include "app/cli/run_metadata.h"
#include "app/cli/sweep_report.h"
#include "app/cli/terminal.h"
#include "app/engine/input_readers.h"
#include "app/engine/shown_sweep.h"
#include "core/base/output_file.h"
#include "core/base/strictest.h"
#include "core/base/text.h"

namespace tideline::cli {
namespace {

struct SweepOptions {
  GraphArgument graph;
  PolicyArguments policy;
  std::vector<std::string> vary;
  std::string model;  ///< empty: faithful
  std::string fetch;
  std::string run_metadata;
  [[nodiscard]] bool is_compatible() const { return model == "compatible"; }
  bool json = false;
  bool csv = false;
  PictureOptions picture;  ///< its path is empty without one
};

constexpr std::int64_t kNotGiven = -1;
constexpr std::string_view kDeviceMemory = "device-memory";

bool varies(const SweepOptions& options, std::string_view name) {
  return std::any_of(options.vary.begin(), options.vary.end(),
                     [&](const std::string& text) { return varied_name(text) == name; });
}

// The first with all that is varied, else the first.
const Rewriter& rewriter_for(const SweepOptions& options) {
  const std::vector<const Rewriter*> policies = policy_rewriters();
  const auto found = std::find_if(policies.begin(), policies.end(), [&](const Rewriter* rewriter) {
    std::size_t known = 0;
    for (const Parameter* parameter : variable_parameters(*rewriter)) {
      if (varies(options, parameter->name)) ++known;
    }
    return known >= options.vary.size() &&
           (!options.is_compatible() || rewriter->count_step != nullptr);
  });
  return found == policies.end() ? *policies.front() : **found;
}

// The option that gives a value to what is varied, if there is one.
bool is_fixed(const SweepOptions& options, std::string_view name) {
  if (name == "batch-size") return options.graph.batch_size.has_value();
  const std::string option = fmt::format("--{}", name);
  const auto is_given = [&](const Option& entry) {
    return entry.name() == option && entry.is_given();
  };
  const PolicyArguments& policy = options.policy;
  return std::any_of(policy.options.begin(), policy.options.end(),
                     [&](const ParameterOption& entry) { return is_given(entry.option); }) ||
         std::any_of(policy.budget_options.begin(), policy.budget_options.end(), is_given);
}

Result<std::vector<Varied>> parse_all(const SweepOptions& options, const Rewriter& rewriter) {
  std::vector<Varied> all;
  for (const std::string& text : options.vary) {
    const auto context = [&] { return fmt::format("--vary {}", printable(text, 200)); };
    auto varied = parse_varied(rewriter, text);
    if (!varied) return tl::unexpected(with_context(std::move(varied).error(), context()));
    const std::string_view name = varied->parameter->name;
    if (is_fixed(options, name)) {
      return fail(Code::kInvalidArgument, "{}: --{} gives it a value; expected only one of both",
                  context(), name);
    }
    all.push_back(*std::move(varied));
  }
  const auto count = count_combinations(all);
  if (!count) return tl::unexpected(with_context(count.error(), "--vary"));
  return all;
}

// What nobody gave and nothing is searched for.
std::vector<const Parameter*> missing_parameters(const SweepOptions& options,
                                                 const Policy& policy) {
  std::vector<const Parameter*> missing;
  for (const Parameter& parameter : policy.chosen()->parameters) {
    if (parameter.is_found && policy.values.get(parameter) == Value(kNotGiven) &&
        !varies(options, parameter.name)) {
      missing.push_back(&parameter);
    }
  }
  return missing;
}

void add_starting_values(Policy& policy, std::int32_t levels) {
  if (const auto add = policy.chosen()->add_starting_values) add(policy.values, levels);
}

// Before the graph is read. What starting values a graph has does not matter here.
Status check_combinations(const app::SweepRequest& request) {
  constexpr std::int32_t kSomeLevels = 100;
  app::SweepRequest started = request;
  add_starting_values(started.policy, kSomeLevels);
  TIDELINE_TRY(const std::size_t count, count_combinations(request.varied));
  for (std::size_t i = 0; i < count; ++i) {
    TIDELINE_RETURN_IF_ERROR(validate(app::policy_of(started, combination(request.varied, i))));
  }
  return {};
}

// Fills in `report`; prints what is wrong with the options, if anything, and returns the exit code.
std::optional<int> refuse_sweep(SweepOptions& options, SweepReport& report_to) {
  PolicyArguments& arguments = options.policy;
  if (arguments.rewriter == kPolicyOff) {
    return report_usage(
        {Code::kInvalidArgument,
         fmt::format("--policy off: has nothing to vary; expected {}", policy_ids(false))});
  }
  if (arguments.rewriter.empty() && varies(options, kDeviceMemory) &&
      arguments.device_memory.empty()) {
    arguments.device_memory = "1";  // any budget: the sizes come from what is varied
  }
  if (const auto refused = refuse_given(arguments)) return refused;
  Policy& policy = arguments.policy;
  if (policy.is_off()) policy.rewriter = rewriter_for(options).id;
  policy.search.is_faithful = !options.is_compatible();
  policy.search.fetches = split_list(options.fetch, ',');
  auto varied = parse_all(options, *policy.chosen());
  if (!varied) return report_usage(varied.error());
  report_to.request = {policy, *std::move(varied),
                       arguments.profile.value_or(*built_in_profile("pcie3")),
                       options.is_compatible()};
  report_to.started = missing_parameters(options, policy);
  const Status status = check_combinations(report_to.request);
  return status ? std::nullopt : std::optional(report_usage(status.error()));
}

// The sweep, and the warnings of its best plan.
Status make_plans(const app::SizedGraph& graph, SweepReport& report, Progress& progress) {
  add_starting_values(report.request.policy, graph.source->facts.levels().count());
  TIDELINE_TRY(report.found, app::sweep(graph, report.request, progress));
  if (report.found.best) {
    TIDELINE_TRY(
        report.warnings,
        app::warnings_of(graph, report.request, report.found.rows[*report.found.best], progress));
  }
  return {};
}

Status write_picture(const SweepOptions& options, const app::SizedGraph& graph,
                     const SweepReport& report, const Front& front) {
  if (options.picture.path.empty()) return {};
  const render::SweepGrid grid = app::shown_sweep(report.request, report.found);
  render::Picture picture;
  picture.sweep = &grid;
  picture.title = report.path.substr(report.path.find_last_of('/') + 1);
  picture.subtitle = best_text(report);
  TIDELINE_TRY(const std::string bytes, draw_picture(options.picture, std::move(picture), front));
  const Readers readers =
      strictest(app::readers_of_graph(graph.source->document, graph.measured),
                app::readers_of_inputs({options.policy.profile_name, options.run_metadata}));
  return write_file(options.picture.path, bytes, options.picture.force, readers);
}

// What the compatible model does not have.
std::optional<int> refuse_sweep_model(const SweepOptions& options, const Policy& policy) {
  if (!options.is_compatible()) return std::nullopt;
  const auto refuse = [](std::string text) {
    return report_usage({Code::kInvalidArgument, std::move(text)});
  };
  if (!options.fetch.empty()) {
    return refuse(
        "--fetch: the compatible model counts the whole graph; expected --model faithful");
  }
  if (!options.run_metadata.empty()) {
    return refuse("--run-metadata: the compatible model knows no time; expected --model faithful");
  }
  if (policy.chosen()->count_step == nullptr) {
    return refuse(fmt::format("--model compatible: does not cover {}; expected --model faithful",
                              policy.rewriter));
  }
  return std::nullopt;
}

// What of the picture's options cannot be done.
std::optional<int> refuse_sweep_picture(const SweepOptions& options, const Front& front) {
  if (options.picture.path.empty()) return std::nullopt;
  if (options.is_compatible()) {
    return report_usage(
        {Code::kInvalidArgument,
         fmt::format("-o {}: a picture shows times, which the compatible model does "
                     "not know; expected --model faithful",
                     printable(options.picture.path, 200))});
  }
  if (options.vary.size() > 2) {
    return report_usage({Code::kInvalidArgument,
                         fmt::format("-o {}: a picture has two axes; expected --vary once or twice",
                                     printable(options.picture.path, 200))});
  }
  return refuse_picture(options.picture, front);
}

int sweep(SweepOptions& options, const Front& front) {
  SweepReport found;
  found.path = options.graph.graph.path;
  if (const auto refused = refuse_sweep(options, found)) return *refused;
  if (const auto refused = refuse_sweep_model(options, found.request.policy)) return *refused;
  if (const auto refused = check_run_model(options.graph, !options.is_compatible())) {
    return *refused;
  }
  if (options.graph.as_run == AsRun::kExact) {
    return report_usage(
        {Code::kInvalidArgument,
         "--as-run exact: many plans are simulated, and TensorFlow would have to optimize the "
         "graph of each, which takes seconds; expected modelled or off, and then 'simulate "
         "--as-run exact' of the graph that 'rewrite' makes of one plan"});
  }
  if (const auto refused = refuse_sweep_picture(options, front)) return *refused;
  TerminalProgress progress(false);
  const auto graph = open_sized_graph(options.graph, options.run_metadata,
                                      run_of(options.graph, options.policy), progress);
  if (!graph) return report(graph.error());
  if (Status status = make_plans(*graph, found, progress); !status) {
    if (status.error().code == Code::kCancelled) return report(status.error());
    return report(with_context(std::move(status).error(), found.path));
  }
  if (Status status = write_picture(options, *graph, found, front); !status) {
    return report(status.error());
  }
  if (options.json) {
    print_sweep_json(found);
  } else if (options.csv) {
    print_sweep_csv(found);
  } else {
    print_sweep_table(found);
    if (!options.picture.path.empty()) say("wrote {}\n", options.picture.path);
  }
  std::fflush(stdout);  // what is to be doubted comes last on a terminal and in a file alike
  warn(found.warnings);
  if (found.found.best) return kExitDone;
  return report(with_context({Code::kOverBudget, best_text(found)}, found.path));
}

}  // namespace

void add_sweep(const Command& app, const Front& front, Action& action) {
  auto options = std::make_shared<SweepOptions>();
  const Command command = app.add_subcommand(
      "sweep", "Peak and time of a step for every combination of values of some parameters");
  add_graph(command, options->graph);
  add_inline(command, options->graph.graph);
  command
      .add_option("--vary", options->vary,
                  "A number of the policy, batch-size or device-memory, and the values that it "
                  "gets: NAME=FIRST:LAST, NAME=FIRST:LAST:STEP or NAME=A,B,C; may be repeated")
      .type_name("NAME=VALUES")
      .one_value()
      .required();
  add_rounds(command, options->graph);
  add_run_model(command, options->graph);
  command
      .add_option("--model", options->model,
                  "faithful (default): buffers shared and reused; compatible: as LMS v2 counts, "
                  "without times")
      .one_of({"faithful", "compatible"})
      .type_name("MODEL");
  command
      .add_option("--fetch", options->fetch,
                  "Ops that the step is run for (comma list; default: "
                  "the collection train_op, else all Apply ops)")
      .type_name("OP,...");
  add_run_metadata(command, options->run_metadata);
  const Option json = command.add_flag("--json", options->json, "Print JSON");
  command.add_flag("--csv", options->csv, "Print a line for each plan").excludes(json);
  command
      .add_option("-o,--output", options->picture.path,
                  "Draw peak and time over one or two parameters: .svg or .png")
      .not_empty()
      .type_name("FILE");
  add_picture_look(command, options->picture);
  command.add_flag("--force", options->picture.force, "Replace what exists");
  add_policy_options(command, options->policy);
  command.callback([options, &front, &action] {
    action = [options, &front] { return sweep(*options, front); };
  });
}

}  // namespace tideline::cli
