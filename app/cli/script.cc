// The verb script: the app's actions without a display.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "app/session/script.h"
#include "core/base/mapped_file.h"
#ifdef TIDELINE_HAS_GUI
#include "app/gui/pictures.h"
#endif

namespace tideline::cli {
namespace {

struct ScriptOptions {
  GraphArgument graph;
  std::string script;
};

// The graph of the command line, before the first line of the script.
std::optional<int> open(session::App& app, const ScriptOptions& options) {
  session::Wish wish;
  const TensorOptions sizes = options.graph.tensor_options();
  wish.batch_size = sizes.batch_size;
  wish.shapes = sizes.shapes;
  app.session.open({.graph = options.graph.graph}, std::move(wish));
  while (app.session.is_busy()) {
    app.session.wait_for_one();
    session::poll(app);
  }
  if (const auto error = app.session.take_failure()) return report(*error);
  if (app.session.policy_error()) return report(*app.session.policy_error());
  return std::nullopt;
}

int run_script(const ScriptOptions& options) {
  const bool is_standard_input = options.script == "-";
  const auto text = open_bytes(is_standard_input ? "/dev/stdin" : options.script);
  if (!text) return report(text.error());
  session::App app;
#ifdef TIDELINE_HAS_GUI
  app.write_picture = gui::write_picture;
#endif
  if (const auto failed = open(app, options)) return *failed;
  const session::ScriptResult result = session::run_script(
      app, (*text)->bytes(), is_standard_input ? "standard input" : options.script,
      [](std::string_view printed) { fmt::print("{}", printed); });
  if (result.exit_code != kExitDone) {
    std::fflush(stdout);  // what went well comes first in a file, too
    fmt::print(stderr, "tideline: {}\n", result.message);
  }
  return result.exit_code;
}

}  // namespace

void add_script(const Command& app, Action& action) {
  auto options = std::make_shared<ScriptOptions>();
  const Command command =
      app.add_subcommand("script", "Run the desktop app's actions without a display");
  add_graph(command, options->graph);
  command
      .add_option("FILE", options->script,
                  "One action per line, as in file.open graph.pb; - is standard input")
      .required();
  command.callback([options, &action] { action = [options] { return run_script(*options); }; });
}

}  // namespace tideline::cli
