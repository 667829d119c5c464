#include <fmt/format.h>

#include <new>
#include <system_error>

#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/base/version.h"

namespace tideline::cli {
namespace {

constexpr const char* kAbout =
    "Large-model support for TensorFlow graphs: see where the memory of a training step goes, and "
    "write the graph that fits.";

constexpr const char* kFooter =
    "\nGRAPH is a GraphDef (.pb, .pbtxt) or a MetaGraphDef (.meta); the type is found from the "
    "content.\nExit codes: 0 done, 1 the data or a request about it is at fault, 2 wrong usage, 3 "
    "a "
    "check is not met, 130 interrupted.\nExample: tideline inspect "
    "assets/samples/tutorial_mnist.meta";

int parse_and_run(int argc, char** argv) {
  CLI::App app(kAbout, "tideline");
  app.footer(kFooter);
  app.set_version_flag("--version", fmt::format("tideline {}", kVersion));
  app.get_formatter()->column_width(38);
  bool wants_completion = false;
  app.add_flag("--bash-completion", wants_completion, "Print a completion script for bash");
  Action action;
  add_inspect(app, action);
  add_levels(app, action);
  add_convert(app, action);
  add_rewrite(app, action);
  add_diff(app, action);
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "tideline: {}\nRun with --help for usage.\n", error.what());
    return kExitUsage;
  }
  if (wants_completion) {
    fmt::print("{}", bash_completion(app));
    return kExitDone;
  }
  if (!action) {
    fmt::print(stderr,
               "tideline: a verb is missing; expected one of inspect, levels, convert, "
               "rewrite, diff.\nRun with --help for usage.\n");
    return kExitUsage;
  }
  return action();
}

}  // namespace

void add_graph(CLI::App& command, GraphArgument& graph) {
  command.add_option("GRAPH", graph.path, "Graph file: .pb, .pbtxt or .meta")->required();
  command
      .add_option("--batch-size", graph.batch_size,
                  "Value of an unknown first dimension when sizes are computed")
      ->type_name("N")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return text.empty() || text.find_first_not_of("0123456789") != std::string::npos ||
                           text.find_first_not_of('0') == std::string::npos
                       ? fmt::format("expected 1 or more, not {}", text)
                       : std::string();
          },
          "N"));
}

int run(int argc, char** argv) {
  install_signal_handlers();
  try {
    return finish_output(parse_and_run(argc, argv));
  } catch (const std::bad_alloc&) {
    return report(Error{Code::kIo, "out of memory"});
  } catch (const std::system_error& error) {
    return report(Error{Code::kIo, fmt::format("standard output: {}", error.what())});
  } catch (const std::exception& error) {
    return report(Error{Code::kInternal, fmt::format("internal error: {}", error.what())});
  }
}

}  // namespace tideline::cli
