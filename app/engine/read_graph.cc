// Tested by unit/engine/read_graph_test.cc.
#include "app/engine/read_graph.h"

#include <fmt/format.h>
#include <filesystem>

#include "core/base/text.h"
#include "core/io/functions.h"

namespace tideline::app {

ReadGraph::ReadGraph(events::GraphChoice graph_choice, io::Document opened)
    : choice(std::move(graph_choice)),
      document(std::move(opened)),
      diagnostics(document.diagnostics),
      functions(io::read_functions(document, diagnostics)),
      facts(document.graph, &functions) {}

ReadGraphPtr with_graph(const ReadGraph& source, Graph graph) {
  io::Document document = source.document;
  document.graph = std::move(graph);
  return std::make_shared<const ReadGraph>(source.choice, std::move(document));
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
  return std::make_shared<const ReadGraph>(choice, std::move(document));
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
