// The verb script: the app's actions without a display.

#include <cstdio>
#include <memory>

#include "app/actions/script.h"
#include "app/cli/commands.h"
#include "app/cli/open_viewer.h"
#include "app/cli/opening.h"
#include "app/cli/terminal.h"
#include "core/base/source_bytes.h"

namespace tideline::cli {
namespace {

struct ScriptOptions {
  GraphArgument graph;
  std::string script;
};

// A log opens as a log, unless the options say something about one of its graphs: then the graph
// opens.
const app::DocumentKind& kind_of(const GraphArgument& graph) {
  const bool means_graph = !graph.graph.run.empty() || !graph.graph.tag.empty() ||
                           !graph.graph.function.empty() || graph.batch_size ||
                           !graph.shapes.empty() || !graph.rounds.empty() || graph.as_run ||
                           graph.executor || !graph.branches.empty();
  const app::DocumentKind& kind = app::kind_of_path(graph.graph.path);
  return kind.id == "log" && means_graph ? *app::find_document_kind("graph") : kind;
}

int run_script(const ScriptOptions& options, const Front& front) {
  if (const auto refused = check_run_model(options.graph)) return *refused;
  const bool is_standard_input = options.script == "-";
  const auto text = open_bytes(is_standard_input ? "/dev/stdin" : options.script, Pipes::kRead);
  if (!text) return report(text.error());
  app::Session opened;
  app::Viewer viewer(opened);
  viewer.write_picture = front.write_picture;
  viewer.draw_png = front.draw_png;
  viewer.decode_image = front.decode_image;
  const auto failed =
      open_in(viewer, kind_of(options.graph), options.graph, wish_of(options.graph));
  if (failed) return *failed;
  const app::ScriptResult result = app::run_script(
      viewer, (*text)->bytes(), is_standard_input ? "standard input" : options.script,
      {[](std::string_view printed) { say("{}", Lines{printed}); },
       [](const app::ReadGraph& source) { warn(source.choice.path, source.diagnostics); },
       [](const Warning& warning) { warn({warning}); }});
  if (result.exit_code != kExitDone) {
    std::fflush(stdout);  // what went well comes first in a file, too
    complain("tideline: {}\n", result.message);
  }
  return result.exit_code;
}

}  // namespace

void add_script(const Command& app, const Front& front, Action& action) {
  auto options = std::make_shared<ScriptOptions>();
  const Command command =
      app.add_subcommand("script", "Run the desktop app's actions without a display");
  add_graph(command, options->graph);
  add_inline(command, options->graph.graph);
  add_rounds(command, options->graph);
  add_run_model(command, options->graph);
  command
      .add_option("FILE", options->script,
                  "One action per line, as in file.open graph.pb; - is standard input")
      .not_empty()
      .required();
  command.callback([options, &front, &action] {
    action = [options, &front] { return run_script(*options, front); };
  });
}

}  // namespace tideline::cli
