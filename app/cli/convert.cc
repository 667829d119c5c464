
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/output.h"
#include "app/cli/terminal.h"
#include "core/io/functions.h"

namespace tideline::cli {
namespace {

struct ConvertOptions {
  GraphArgument graph;
  OutputOptions output;
};

// A function's body as a graph of its own. (Writing the file back is for those who changed it.)
Result<io::Document> export_function(const io::Document& body, Progress& progress) {
  TIDELINE_TRY(std::string bytes, io::standalone_graph(body, body.graph, progress));
  return io::read_document(body.path, own_bytes(std::move(bytes), body.source->readers()),
                           progress);
}

Status convert_file(const ConvertOptions& options) {
  TerminalProgress progress(options.output.quiet);
  TIDELINE_TRY(const app::ReadGraphPtr source, open_input(options.graph.graph, progress));
  const io::Document* document = &source->document;
  io::Document exported;
  if (!document->function.empty()) {
    TIDELINE_TRY(exported, export_function(*document, progress));
    document = &exported;
  }
  TIDELINE_RETURN_IF_ERROR(write_output(options.output, *document, document->graph, "", progress));
  if (!options.output.quiet) {
    say("wrote {}: {} ops\n", options.output.path, document->graph.op_count());
  }
  return {};
}

int convert(const ConvertOptions& options) {
  if (const auto refused = refuse_output(options.output, options.graph.graph.path)) return *refused;
  if (const Status status = convert_file(options); !status) return report(status.error());
  return kExitDone;
}

}  // namespace

void add_convert(const Command& app, Action& action) {
  auto options = std::make_shared<ConvertOptions>();
  const Command command =
      app.add_subcommand("convert", "Write the graph in another format, otherwise unchanged");
  add_graph(command, options->graph);
  add_output(command, options->output);
  command.callback([options, &action] { action = [options] { return convert(*options); }; });
}

}  // namespace tideline::cli
