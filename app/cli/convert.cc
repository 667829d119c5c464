#include <fmt/format.h>

#include <memory>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/terminal.h"

namespace tideline::cli {
namespace {

struct ConvertOptions {
  GraphArgument graph;
  OutputOptions output;
};

int convert(const ConvertOptions& options) {
  if (const auto refused = refuse_output(options.output, options.graph.path)) return *refused;
  TerminalProgress progress(options.output.quiet);
  auto document = io::read_document(options.graph.path, progress);
  if (!document) return report(document.error());
  if (Status status = write_output(options.output, *document, document->graph, "", progress);
      !status) {
    return report(status.error());
  }
  if (!options.output.quiet) {
    fmt::print("wrote {}: {} ops\n", options.output.path, document->graph.op_count());
  }
  return kExitDone;
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command =
      app.add_subcommand("convert", "Write the graph in another format, nothing else changed");
  add_graph(*command, options->graph);
  add_output(*command, options->output);
  command->callback([options, &action] { action = [options] { return convert(*options); }; });
}

}  // namespace tideline::cli
