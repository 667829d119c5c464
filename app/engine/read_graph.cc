// Tested by unit/engine/read_graph_test.cc.
#include "app/engine/read_graph.h"

#include <fmt/format.h>
#include <filesystem>
#include <utility>

#include "app/engine/read_lines.h"
#include "core/base/text.h"
#include "core/graph/graph_edit.h"
#include "core/io/declared.h"
#include "core/io/functions.h"
#include "core/rewrite/inline/inline_calls.h"

namespace tideline::app {

namespace {

// A line for each reason.
void note_kept(const Inlining& inlining, Diagnostics& diagnostics) {
  for (const KeptCall& call : inlining.kept) {
    diagnostics.add(Severity::kNotice, fmt::format("call that is not inlined: {}", call.reason),
                    fmt::format("'{}' of '{}'", printable(call.op), printable(call.function)));
  }
}

// `document` with the graph that inlining gives.
Result<ReadGraphPtr> inlined(const events::GraphChoice& choice, io::Document document) {
  // Its results, which are no ops of the file, would no longer be the last ones.
  if (!document.function.empty()) {
    return fail(Code::kUnsupported,
                "calls in the body of a function cannot be inlined; expected a graph, without a "
                "function");
  }
  Diagnostics of_functions;
  const FunctionLibrary library = io::read_functions(document, of_functions);
  InlinedGraph from;
  TIDELINE_TRY(from.made, inline_calls(document.graph, library));
  TIDELINE_TRY(Graph graph,
               apply(document.graph, from.made.plan, io::declared_signatures(document).get()));
  from.original = std::exchange(document.graph, std::move(graph));
  // As if the inlined graph had been written and read: added ops come before what follows all ops.
  for (io::GraphField& field : document.fields) {
    if (field.ops_before >= from.original.op_count()) field.ops_before = document.graph.op_count();
  }
  TIDELINE_TRY(SourceLines lines, read_lines(choice, document, &from.made, document.diagnostics));
  return std::make_shared<const ReadGraph>(choice, std::move(document),
                                           std::make_shared<const InlinedGraph>(std::move(from)),
                                           std::move(lines));
}

}  // namespace

ReadGraph::ReadGraph(events::GraphChoice graph_choice, io::Document opened,
                     std::shared_ptr<const InlinedGraph> from, SourceLines source_lines)
    : choice(std::move(graph_choice)),
      document(std::move(opened)),
      inlined(std::move(from)),
      diagnostics(document.diagnostics),
      functions(io::read_functions(document, diagnostics)),
      facts(document.graph, &functions),
      lines(std::move(source_lines)) {
  if (inlined) note_kept(inlined->made, diagnostics);
}

ReadGraphPtr with_graph(const ReadGraph& source, Graph graph) {
  SourceLines lines = source.lines.in(graph, source.document.graph);
  io::Document document = source.document;
  document.graph = std::move(graph);
  return std::make_shared<const ReadGraph>(source.choice, std::move(document), nullptr,
                                           std::move(lines));
}

events::GraphChoice choice_beside(const events::GraphChoice& choice, const std::string& path) {
  std::error_code error;
  events::GraphChoice beside = choice;
  beside.path = path;
  if (std::filesystem::is_directory(path, error)) return beside;
  return {.path = path, .function = choice.function};
}

Result<ReadGraphPtr> read_graph(const events::GraphChoice& choice, Progress& progress,
                                ReadWay way) {
  TIDELINE_TRY(io::Document document, events::open_graph(choice, progress, way.cycles, way.pipes));
  if (!choice.inlines) {
    TIDELINE_TRY(SourceLines lines, read_lines(choice, document, nullptr, document.diagnostics));
    return std::make_shared<const ReadGraph>(choice, std::move(document), nullptr,
                                             std::move(lines));
  }
  auto made = inlined(choice, std::move(document));
  if (!made) return tl::unexpected(with_context(std::move(made).error(), choice.path));
  return made;
}

std::vector<std::string> notices(const std::string& path, const Diagnostics& diagnostics) {
  std::vector<std::string> sentences;
  const std::string shown = printable(path, 2000) + ": ";
  for (const Diagnostic& entry : diagnostics.entries()) {
    if (entry.severity == Severity::kInfo) continue;
    // Examples about the opened file itself already begin with its path.
    std::string_view example = entry.example;
    if (example.starts_with(shown)) example.remove_prefix(shown.size());
    std::string sentence = fmt::format("{}{}: {}", shown, entry.kind, printable(example, 2000));
    if (entry.count > 1) sentence += fmt::format(" (and {} more)", entry.count - 1);
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace tideline::app
