#include "core/events/open_graph.h"

#include <filesystem>

#include "core/base/source_bytes.h"
#include "core/events/choose_graph.h"
#include "core/events/log_walk.h"
#include "core/events/logged_graphs.h"
#include "core/io/functions.h"
#include "core/io/saved_model.h"

namespace tideline::events {
namespace {

Result<std::optional<NamePattern>> pattern_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  TIDELINE_TRY(NamePattern pattern, NamePattern::compile(text));
  return pattern;
}

bool has_keras_layers(const Diagnostics& diagnostics) {
  const auto& entries = diagnostics.entries();
  return std::any_of(entries.begin(), entries.end(),
                     [](const Diagnostic& entry) { return entry.kind == kKerasLayers; });
}

Result<io::Document> open_logged(const GraphChoice& choice, const std::vector<LoggedGraph>& graphs,
                                 Diagnostics diagnostics, Progress& progress, io::Cycles cycles) {
  if (choice.meta_graph > 0) {
    return fail(Code::kInvalidArgument,
                "{}: is a log; expected {{run}} or {{tag}} and no {{meta-graph}}", choice.path);
  }
  GraphWish wish;
  TIDELINE_TRY(wish.run, pattern_of(choice.run));
  TIDELINE_TRY(wish.tag, pattern_of(choice.tag));
  if (graphs.empty() && has_keras_layers(diagnostics)) {
    return fail(
        Code::kNotFound,
        "{}: the only graph in this log is Keras's picture of layers ('graph_keras_model'), "
        "which has no ops; expected a graph of ops, as tf.summary.trace_on(graph=True) and "
        "trace_export write it, or a SavedModel (tf.saved_model.save, model.export)",
        choice.path);
  }
  auto graph = choose_graph(graphs, wish, diagnostics);
  if (!graph) {
    Error error = with_context(std::move(graph).error(), choice.path);
    for (const Diagnostic& entry : diagnostics.entries()) {
      if (entry.severity != Severity::kDataLoss) continue;
      error.message += fmt::format("; {}: {}", entry.kind, entry.example);
      break;
    }
    return tl::unexpected(std::move(error));
  }
  TIDELINE_TRY(io::Document document,
               io::read_document(graph->file, graph->bytes, progress, {cycles, {}}));
  document.place = describe(*graph);
  document.run = graph->run;
  for (const Diagnostic& entry : diagnostics.entries()) {
    document.diagnostics.add(entry.severity, entry.kind, entry.example, entry.count);
  }
  return document;
}

Result<io::Document> open_main_graph(const GraphChoice& choice, Progress& progress,
                                     io::Cycles cycles, Pipes pipes) {
  const io::ReadOptions options{cycles, choice.tag, pipes, choice.meta_graph};
  Diagnostics diagnostics;
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(choice.path, error);
  if (is_folder && !io::is_saved_model(choice.path)) {
    auto graphs = list_graphs(choice.path, diagnostics, progress);
    if (!graphs && graphs.error().code == Code::kNotFound) {
      return fail(Code::kNotFound,
                  "{}: is neither a SavedModel (no saved_model.pb) nor a log (no file with "
                  "'tfevents' in its name)",
                  choice.path);
    }
    if (!graphs) return tl::unexpected(std::move(graphs).error());
    return open_logged(choice, *graphs, std::move(diagnostics), progress, cycles);
  }
  if (is_folder && choice.run.empty()) return io::read_saved_model(choice.path, progress, options);
  if (!is_folder && is_log_file(choice.path)) {
    TIDELINE_TRY(std::vector<LoggedGraph> graphs, list_graphs(choice.path, diagnostics, progress));
    return open_logged(choice, graphs, std::move(diagnostics), progress, cycles);
  }
  if (!is_folder) {
    TIDELINE_TRY(SharedBytes bytes, open_bytes(choice.path, pipes));
    if (is_log(bytes->bytes())) {  // from a pipe
      TIDELINE_TRY(std::vector<LoggedGraph> graphs,
                   list_graphs({".", choice.path}, bytes, diagnostics, progress));
      return open_logged(choice, graphs, std::move(diagnostics), progress, cycles);
    }
    if (choice.run.empty()) {
      auto document = io::read_document(choice.path, std::move(bytes), progress, options);
      if (document && document->format == io::Format::kSavedModel) {
        document->folder = io::folder_around(choice.path);
      }
      return document;
    }
  }
  return fail(Code::kInvalidArgument, "{}: is not a log, so it has no runs; expected no {{run}}",
              choice.path);
}

}  // namespace

Result<io::Document> open_graph(const GraphChoice& choice, Progress& progress, io::Cycles cycles,
                                Pipes pipes) {
  auto document = open_main_graph(choice, progress, cycles, pipes);
  if (!document || choice.function.empty()) return document;
  return io::open_function(*document, choice.function, cycles);
}

}  // namespace tideline::events
