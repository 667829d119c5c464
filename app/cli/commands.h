// The verbs of the command line. Each adds itself to the parser and returns what to run.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/chain.h"
#include "app/cli/command_line.h"
#include "app/cli/front.h"
#include "core/events/open_graph.h"
#include "core/graph/tensor_options.h"

namespace tideline::cli {

/// The work of the chosen verb; returns the exit code.
using Action = std::function<int()>;

void add_inspect(const Command& app, Action& action);
void add_levels(const Command& app, Action& action);
void add_convert(const Command& app, Action& action);
/// `links`: what stands behind --then; they must outlive the action.
void add_rewrite(const Command& app, const std::vector<LinkWords>& links, const Front& front,
                 Action& action);
void add_diff(const Command& app, Action& action);
void add_rewriters(const Command& app, Action& action);
void add_why(const Command& app, Action& action);
void add_simulate(const Command& app, const Front& front, Action& action);
void add_tune(const Command& app, const Front& front, Action& action);
void add_sweep(const Command& app, const Front& front, Action& action);
void add_report(const Command& app, Action& action);
void add_fit(const Command& app, const Front& front, Action& action);
void add_probe(const Command& app, Action& action);
/// `front` must outlive the action.
void add_render(const Command& app, const Front& front, Action& action);
void add_run(const Command& app, Action& action);
void add_optimize(const Command& app, Action& action);
void add_compare(const Command& app, Action& action);
void add_serve(const Command& app, Action& action);
void add_cluster(const Command& app, Action& action);
void add_lesson(const Command& app, const Front& front, Action& action);
void add_script(const Command& app, const Front& front, Action& action);
void add_checkpoint(const Command& app, Action& action);
void add_log(const Command& app, Action& action);

/// Runs a command line, or the window when there is none; returns the exit code.
int run(int argc, char** argv, const Front& front = {});

/// The graph argument of a verb, with the options that all verbs share.
struct GraphArgument {
  events::GraphChoice graph;
  std::optional<std::int64_t> batch_size;
  std::vector<std::string> shapes;    ///< of --shape, each one checked
  std::vector<std::string> rounds;    ///< of --rounds, each one checked
  std::optional<AsRun> as_run;        ///< of --as-run; nullopt: not given
  std::optional<Executor> executor;   ///< of --executor
  std::vector<std::string> branches;  ///< of --branch, each one checked
  std::string plan;                   ///< of --plan: a file; empty: the graph is taken as it is

  /// The batch size, shapes and rounds as options of a TensorTable.
  [[nodiscard]] TensorOptions tensor_options() const;
  /// How the steps of the faithful model are simulated.
  [[nodiscard]] RunModel run() const;
};
void add_graph(const Command& command, GraphArgument& graph);
/// Adds --rounds, for verbs that simulate a step.
void add_rounds(const Command& command, GraphArgument& graph);
/// Adds --as-run, --executor and --branch, for the same; exact.h helps with --as-run exact.
void add_run_model(const Command& command, GraphArgument& graph);
/// Prints what is wrong with these, if anything, and returns the exit code. A step of the
/// compatible model is as in the file.
[[nodiscard]] std::optional<int> check_run_model(const GraphArgument& graph,
                                                 bool is_faithful = true);
/// Adds --plan, for verbs that look at the graph that a plan gives.
void add_plan(const Command& command, GraphArgument& graph);
/// Adds --inline, for verbs that plan or look at a graph.
void add_inline(const Command& command, events::GraphChoice& choice);
/// Adds only the options that choose among several graphs; `diff` has them for both of its files.
void add_graph_choice(const Command& command, events::GraphChoice& choice);

/// Accepts decimal integers of at most nine digits, at least `least`. "010" and "0x10" are refused
/// as ambiguous.
[[nodiscard]] Check whole_number(std::int64_t least);
/// A Check: that `kParse` accepts the text, or what is wrong with it.
template <auto kParse>
[[nodiscard]] std::string accepted_by(const std::string& text) {
  const auto parsed = kParse(text);
  return parsed ? std::string() : parsed.error().message;
}

}  // namespace tideline::cli
