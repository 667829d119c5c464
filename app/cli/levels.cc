
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/terminal.h"
#include "core/analysis/edges.h"
#include "core/analysis/levels.h"

namespace tideline::cli {
namespace {

struct LevelsOptions {
  GraphArgument graph;
  bool complete = false;
  bool histogram = false;
  bool json = false;
  bool csv = false;
};

void print_histogram(const LevelsOptions& options, const Graph& graph, const LevelMap& levels) {
  const auto histogram = distance_histogram(graph, levels);
  if (options.json) {
    nlohmann::ordered_json json;
    json["map"] = options.complete ? "complete" : "compatible";
    json["distance_histogram"] = nlohmann::ordered_json::object();
    for (const auto& [distance, count] : histogram) {
      json["distance_histogram"][std::to_string(distance)] = count;
    }
    say_json(json);
    return;
  }
  if (options.csv) say("distance,count\n");
  for (const auto& [distance, count] : histogram) {
    say("{}{}{}\n", distance, options.csv ? ',' : '\t', count);
  }
}

void print_json(const LevelsOptions& options, const Graph& graph, const LevelMap& levels) {
  nlohmann::ordered_json json;
  json["map"] = options.complete ? "complete" : "compatible";
  json["levels"] = levels.count();
  nlohmann::json level_of = nlohmann::json::object();
  for (const OpId op : graph.ops()) {
    const std::int32_t level = levels.level(op);
    level_of[std::string(graph.name(op))] =
        level == kNoLevel ? nlohmann::json(nullptr) : nlohmann::json(level);
  }
  json["level_of"] = level_of;
  say_json(json);
}

// By level, ops in file order; ops without a level last.
void print_lines(const LevelsOptions& options, const Graph& graph, const LevelMap& levels) {
  const char separator = options.csv ? ',' : '\t';
  if (options.csv) say("level,op\n");
  const auto name = [&](OpId op) {
    return options.csv ? csv_field(graph.name(op)) : std::string(graph.name(op));
  };
  for (std::int32_t level = 0; level < levels.count(); ++level) {
    for (const OpId op : levels.ops(level)) say("{}{}{}\n", level, separator, name(op));
  }
  for (const OpId op : graph.ops()) {
    if (levels.level(op) == kNoLevel) {
      say("{}{}{}\n", options.csv ? "" : "-", separator, name(op));
    }
  }
}

int print_levels(const LevelsOptions& options) {
  TerminalProgress progress(false);
  const auto source = open_input(options.graph.graph, progress);
  if (!source) return report(source.error());
  const Graph& graph = (*source)->document.graph;
  const LevelMap levels = options.complete ? complete_levels(graph) : compatible_levels(graph);
  if (options.histogram) {
    print_histogram(options, graph, levels);
  } else if (options.json) {
    print_json(options, graph, levels);
  } else {
    print_lines(options, graph, levels);
  }
  return kExitDone;
}

}  // namespace

void add_levels(const Command& app, Action& action) {
  auto options = std::make_shared<LevelsOptions>();
  const Command command =
      app.add_subcommand("levels", "Level of every op, as lines of level and name");
  add_graph(command, options->graph);
  add_inline(command, options->graph.graph);
  command.add_flag(
      "--complete", options->complete,
      "Also give loop bodies levels (as in the views; the default is the reference's map)");
  command.add_flag("--histogram", options->histogram,
                   "Print the level distances of data edges instead, with their counts");
  const Option json = command.add_flag("--json", options->json, "Print JSON");
  command.add_flag("--csv", options->csv, "Print CSV").excludes(json);
  command.callback([options, &action] { action = [options] { return print_levels(*options); }; });
}

}  // namespace tideline::cli
