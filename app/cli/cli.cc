#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <new>
#include <string_view>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/made_of_parser.h"
#include "app/cli/self_check.h"
#include "app/cli/streams.h"
#include "app/cli/terminal.h"
#include "app/cli/window.h"
#include "core/base/name_pattern.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/io/graph_format.h"
#include "core/rewrite/rewriter.h"

namespace tideline::cli {
namespace {

constexpr const char* kAbout =
    "Large-model support for TensorFlow graphs: see where the memory of a training step goes, and "
    "write the graph that fits.";

constexpr const char* kFooter =
    "\nGRAPH is {}, a SavedModel (folder or file), an event file or a log folder; the type is "
    "found from the content.\nExit codes: 0 success, 1 an error in the data or the request, "
    "2 wrong usage, 3 a check failed, 130 interrupted.\nExample: tideline inspect "
    "assets/samples/tutorial_mnist.meta";

// Making the options of all verbs takes longer than a small verb runs: when the first word is a
// verb, only its own are made.
void add_verbs(const Command& app, std::string_view first_word, const SplitWords& words,
               const Front& front, Action& action) {
  const std::array<std::pair<std::string_view, std::function<void()>>, 23> verbs = {{
      {"inspect", [&] { add_inspect(app, action); }},
      {"levels", [&] { add_levels(app, action); }},
      {"convert", [&] { add_convert(app, action); }},
      {"rewrite", [&] { add_rewrite(app, words.links, front, action); }},
      {"diff", [&] { add_diff(app, action); }},
      {"rewriters", [&] { add_rewriters(app, action); }},
      {"why", [&] { add_why(app, action); }},
      {"simulate", [&] { add_simulate(app, front, action); }},
      {"tune", [&] { add_tune(app, front, action); }},
      {"sweep", [&] { add_sweep(app, front, action); }},
      {"report", [&] { add_report(app, action); }},
      {"fit", [&] { add_fit(app, front, action); }},
      {"probe", [&] { add_probe(app, action); }},
      {"render", [&] { add_render(app, front, action); }},
      {"run", [&] { add_run(app, action); }},
      {"optimize", [&] { add_optimize(app, action); }},
      {"compare", [&] { add_compare(app, action); }},
      {"script", [&] { add_script(app, front, action); }},
      {"lesson", [&] { add_lesson(app, front, action); }},
      {"serve", [&] { add_serve(app, action); }},
      {"cluster", [&] { add_cluster(app, action); }},
      {"checkpoint", [&] { add_checkpoint(app, action); }},
      {"log", [&] { add_log(app, action); }},
  }};
  const auto asked = std::find_if(verbs.begin(), verbs.end(),
                                  [&](const auto& verb) { return verb.first == first_word; });
  if (asked != verbs.end()) return asked->second();
  for (const auto& [name, add] : verbs) add();
}

int parse_and_run(int argc, char** argv, const Front& front) {
  const CommandLine line("tideline", kAbout, fmt::format(kFooter, io::readable_graphs()),
                         fmt::format("tideline {}", kVersion));
  const Command app = line.root();
  bool wants_sample = false;
  app.add_flag("--sample", wants_sample, "Open the sample in the window");
  MadeOfParser made;
  made.add_to(app);
  SelfCheck self_check;
  self_check.add_to(app);
  Action action;
  SplitWords words = split_links(argc, argv);
  add_verbs(app, argc > 1 ? argv[1] : "", words, front, action);
  if (const auto first = window_actions(argc, argv, app)) {
    return *first ? run_window(**first, front) : report_usage(first->error());
  }
  if (const auto ended = line.parse(static_cast<int>(words.first.size()), words.first.data())) {
    if (ended->message.empty()) return ended->exit_code;
    complain("tideline: {}\nRun with --help for usage.\n", ended->message);
    return ended->exit_code;
  }
  if (const auto code = made.make(app)) return *code;
  if (const auto code = self_check.make(front)) return *code;
  if (!action && wants_sample) return run_window({{"file.open-sample", {}}}, front);
  if (!action) {
    std::vector<std::string> verbs;
    for (const Command& verb : app.subcommands()) verbs.push_back(verb.name());
    complain("tideline: a verb is missing; expected one of {}.\nRun with --help for usage.\n",
             fmt::format("{}", fmt::join(verbs, ", ")));
    return kExitUsage;
  }
  return action();
}

}  // namespace

Check whole_number(std::int64_t least) {
  return [least](const std::string& text) {
    const bool negative = text.starts_with('-');
    const std::string_view digits = std::string_view(text).substr(negative ? 1 : 0);
    const bool decimal = !digits.empty() && digits.size() <= 9 &&
                         digits.find_first_not_of("0123456789") == std::string_view::npos &&
                         (digits.size() == 1 || digits.front() != '0');
    if (decimal && std::stoll(text) >= least) return std::string();
    return least > 0 ? fmt::format("expected a number from {} to 999999999, not {}", least, text)
                     : fmt::format("expected an integer, not {}", text);
  };
}

void add_graph_choice(const Command& command, events::GraphChoice& choice) {
  const Check pattern = accepted_by<NamePattern::compile>;
  command.add_option("--function", choice.function, "Open the body of this function as the graph")
      .type_name("NAME");
  command.add_option("--run", choice.run, "Run of a log folder (regular expression)")
      .type_name("RE")
      .check(pattern);
  command
      .add_option(
          "--tag", choice.tag,
          "Tag of a graph in a log (regular expression), or the tags of a SavedModel's graph")
      .type_name("RE")
      .check(pattern);
  command
      .add_option_function(
          "--meta-graph",
          [&choice](const std::string& text) { choice.meta_graph = std::stoll(text); },
          "Graph of a SavedModel by its number, where several have the same tags (default: the "
          "first)")
      .type_name("N")
      .check(whole_number(1));
}

void add_graph(const Command& command, GraphArgument& graph) {
  command.add_option("GRAPH", graph.graph.path, "Graph file, SavedModel or event log")
      .not_empty()
      .required();
  add_graph_choice(command, graph.graph);
  command
      .add_option("--debug-info", graph.graph.debug_info,
                  "GraphDebugInfo of the graph (default: that of the SavedModel, or "
                  "GRAPH.debug_info.pb): the lines of code that made its ops are shown")
      .not_empty()
      .type_name("FILE");
  command
      .add_option("--batch-size", graph.batch_size,
                  "Value of an unknown first dimension when sizes are computed")
      .type_name("N")
      .check(whole_number(1));
  command
      .add_option(
          "--shape", graph.shapes,
          "Shape of an op or tensor that the file does not record: x=1x28x?, x=scalar; may be "
          "repeated")
      .type_name("NAME=DIMS")
      .one_value()
      .check(accepted_by<parse_given_shape>);
}

void add_inline(const Command& command, events::GraphChoice& choice) {
  command.add_flag("--inline", choice.inlines,
                   "First replace calls of functions by the ops of the functions; plan and written "
                   "graph have that in");
}

void add_plan(const Command& command, GraphArgument& graph) {
  command
      .add_option("--plan", graph.plan,
                  "Plan of a rewriter (--plan-json), applied first; of sections, every run of the "
                  "cycle is simulated and the largest shown")
      .not_empty()
      .type_name("FILE");
}

void add_rounds(const Command& command, GraphArgument& graph) {
  command
      .add_option("--rounds", graph.rounds,
                  "Rounds of a loop, for the memory that it keeps (comma list, or repeated); "
                  "loops with constant bounds need none")
      .type_name("LOOP=N,...")
      .one_value()
      .check([](const std::string& text) {
        for (const std::string& entry : split_list(text, ',')) {
          if (const auto given = parse_given_rounds(entry); !given) return given.error().message;
        }
        return std::string();
      });
}

void add_run_model(const Command& command, GraphArgument& graph) {
  command
      .add_option_function(
          "--as-run",
          [&graph](const std::string& how) {
            graph.as_run = how == "off"     ? AsRun::kOff
                           : how == "exact" ? AsRun::kExact
                                            : AsRun::kModelled;
          },
          "modelled (default): the step as TensorFlow runs it, folded by Grappler, one branch of "
          "each conditional, in the executor's order; exact: on the graph that Grappler of "
          "an installed TensorFlow gives, but for plans, which are modelled; off: as in the file, "
          "by level")
      .one_of({"off", "modelled", "exact"})
      .type_name("HOW");
  command
      .add_option_function(
          "--executor",
          [&graph](const std::string& whose) {
            graph.executor = whose == "cpu" ? Executor::kCpu : Executor::kGpu;
          },
          "Whose order that is: of a CPU with one thread, or of a GPU (default: gpu if the graph "
          "or the profile names one or tensors are swapped, else cpu)")
      .one_of({"cpu", "gpu"})
      .type_name("KIND");
  command
      .add_option("--branch", graph.branches,
                  "Branch that a conditional takes, by the name of its scope or its predicate "
                  "(comma list, or repeated; default: the one that makes more bytes)")
      .type_name("NAME=true|false,...")
      .one_value()
      .check([](const std::string& text) {
        for (const std::string& entry : split_list(text, ',')) {
          if (const auto given = parse_given_branch(entry); !given) return given.error().message;
        }
        return std::string();
      });
}

std::optional<int> check_run_model(const GraphArgument& graph, bool is_faithful) {
  const bool has_branches = !graph.branches.empty();
  if (!is_faithful &&
      (graph.as_run.value_or(AsRun::kOff) != AsRun::kOff || graph.executor || has_branches)) {
    return report_usage({Code::kInvalidArgument,
                         fmt::format("{}: the compatible model counts the graph of the file; "
                                     "expected --model faithful",
                                     graph.executor ? "--executor"
                                     : has_branches ? "--branch"
                                                    : "--as-run")});
  }
  if (graph.as_run == AsRun::kOff && has_branches) {
    return report_usage({Code::kInvalidArgument,
                         "--branch: both branches count in a step as in the file; expected "
                         "--as-run modelled"});
  }
  if (graph.as_run == AsRun::kOff && graph.executor) {
    return report_usage({Code::kInvalidArgument,
                         "--executor: a step as in the file runs by level; expected --as-run "
                         "modelled"});
  }
  return std::nullopt;
}

RunModel GraphArgument::run() const {
  RunModel run = {as_run.value_or(RunModel().as_run), executor.value_or(Executor::kByDevices)};
  for (const std::string& text : branches) {
    for (const std::string& entry : split_list(text, ',')) {
      if (auto given = parse_given_branch(entry)) run.branches.push_back(*std::move(given));
    }
  }
  return run;
}

TensorOptions GraphArgument::tensor_options() const {
  TensorOptions options;
  options.batch_size = batch_size;
  for (const std::string& text : shapes) {
    if (auto given = parse_given_shape(text)) options.shapes.push_back(*std::move(given));
  }
  for (const std::string& text : rounds) {
    for (const std::string& entry : split_list(text, ',')) {
      if (auto given = parse_given_rounds(entry)) options.rounds.push_back(*std::move(given));
    }
  }
  return options;
}

namespace {

int run_guarded(int argc, char** argv, const Front& front) {
  try {
    return parse_and_run(argc, argv, front);
  } catch (const std::bad_alloc&) {
    return report(Error{Code::kIo, "out of memory"});
  } catch (const std::exception& error) {
    return report(Error{Code::kInternal, fmt::format("internal error: {}", error.what())});
  }
}

}  // namespace

int run(int argc, char** argv, const Front& front) {
  install_streams();
  install_signal_handlers();
  return finish_streams(run_guarded(argc, argv, front));
}

}  // namespace tideline::cli
