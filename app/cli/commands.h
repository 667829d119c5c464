// The verbs of the command line. Each adds itself to the parser and returns what to run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/tensor_options.h"

#include "core/events/open_graph.h"

namespace tideline::cli {

/// Set by the verb that was chosen; returns the exit code.
using Action = std::function<int()>;

void add_inspect(CLI::App& app, Action& action);
void add_levels(CLI::App& app, Action& action);
void add_convert(CLI::App& app, Action& action);
void add_rewrite(CLI::App& app, Action& action);
void add_diff(CLI::App& app, Action& action);
void add_why(CLI::App& app, Action& action);
void add_simulate(CLI::App& app, Action& action);
void add_tune(CLI::App& app, Action& action);
void add_probe(CLI::App& app, Action& action);
void add_render(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_script(CLI::App& app, Action& action);

/// A completion script for bash, made from the parser itself so that it is never out of date.
[[nodiscard]] std::string bash_completion(const CLI::App& app);

/// Runs a command line; returns the exit code.
int run(int argc, char** argv);

/// Options of a graph argument that every verb has.
struct GraphArgument {
  events::GraphChoice graph;
  std::optional<std::int64_t> batch_size;
  std::vector<std::string> shapes;  ///< of --shape, each one checked

  /// What both say about sizes.
  [[nodiscard]] TensorOptions tensor_options() const;
};
void add_graph(CLI::App& command, GraphArgument& graph);
/// The part of them that chooses among several graphs; `diff` has it for both of its files.
void add_graph_choice(CLI::App& command, events::GraphChoice& choice);

/// Accepts decimal numbers of at most nine digits from `least` on; "010" and "0x10" mean different
/// things to different people and are refused.
[[nodiscard]] CLI::Validator whole_number(std::int64_t least);

}  // namespace tideline::cli
