#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/structure_report.h"
#include "app/cli/terminal.h"
#include "core/analysis/summary.h"
#include "core/base/text.h"
#include "core/io/document.h"

namespace tideline::cli {
namespace {

struct InspectOptions {
  GraphArgument graph;
  bool json = false;
  bool structure = false;
};

void print_json(const io::Document& document, const Summary& summary,
                const std::optional<Structure>& structure) {
  nlohmann::ordered_json json;
  json["file"] = document.path;
  json["format"] = io::format_name(document.format);
  json["encoding"] = document.encoding == io::Encoding::kText ? "text" : "binary";
  json["vertices"] = summary.vertices;
  json["edges"] = summary.edges.data;
  json["control_edges"] = summary.edges.control;
  json["levels"] = summary.levels;
  json["levels_complete"] = summary.levels_complete;
  json["learning_parameter_bytes"] = summary.learning_parameter_bytes;
  json["trainable_variables"] = summary.trainable_variables;
  json["largest_operation"] = nullptr;
  if (summary.largest_operation.valid()) {
    json["largest_operation"] = {{"name", document.graph.name(summary.largest_operation)},
                                 {"bytes", summary.largest_operation_bytes}};
  }
  json["tensors"] = summary.tensors;
  json["unknown_size_tensors"] = summary.unknown_size_tensors;
  json["collections"] = nlohmann::ordered_json::object();
  for (const auto& [key, entry] : document.collections.entries) {
    json["collections"][key] = entry.count;
  }
  if (structure) json["structure"] = structure_json(document.graph, *structure);
  json["diagnostics"] = nlohmann::ordered_json::array();
  for (const Diagnostic& entry : document.diagnostics.entries()) {
    json["diagnostics"].push_back({{"severity", severity_name(entry.severity)},
                                   {"kind", entry.kind},
                                   {"count", entry.count},
                                   {"example", entry.example}});
  }
  fmt::print("{}\n", json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_text(const io::Document& document, const Summary& summary,
                const std::optional<Structure>& structure) {
  fmt::print("{}: {} ({}), {}\n", document.path, io::format_name(document.format),
             document.encoding == io::Encoding::kText ? "text" : "binary",
             format_bytes(static_cast<Bytes>(document.source->bytes().size())));
  fmt::print("  {} vertices, {} edges, {} control edges\n", summary.vertices, summary.edges.data,
             summary.edges.control);
  fmt::print("  {:.2f} MiB of learning parameters in {} trainable variables\n",
             static_cast<double>(summary.learning_parameter_bytes) / kBytesPerMiB,
             summary.trainable_variables);
  if (summary.largest_operation.valid()) {
    fmt::print("  largest operation {} with {:.2f} GiB\n",
               document.graph.name(summary.largest_operation),
               static_cast<double>(summary.largest_operation_bytes) / kBytesPerGiB);
  }
  fmt::print("  {} levels", summary.levels);
  if (summary.without_level > 0) {
    fmt::print(" ({} ops have none; {} levels with loop bodies)", summary.without_level,
               summary.levels_complete);
  }
  fmt::print("\n  {} of {} tensors have an unknown size\n", summary.unknown_size_tensors,
             summary.tensors);
  if (structure) fmt::print("{}", structure_text(document.graph, *structure));
  for (const Diagnostic& entry : document.diagnostics.entries()) {
    fmt::print("  {}: {} x {}, first: {}\n", severity_name(entry.severity), entry.count, entry.kind,
               printable(entry.example));
  }
}

int inspect(const InspectOptions& options) {
  TerminalProgress progress(false);
  auto document = io::read_document(options.graph.path, progress);
  if (!document) return report(document.error());
  auto tensors = TensorTable::build(document->graph, options.graph.batch_size);
  if (!tensors) return report(with_context(tensors.error(), options.graph.path));
  auto summary = summarize(document->graph, document->collections, *tensors);
  if (!summary) return report(with_context(summary.error(), options.graph.path));
  add_oddities(document->graph, *tensors, *summary, document->diagnostics);
  std::optional<Structure> structure;
  if (options.structure) {
    auto found = find_structure(document->graph);
    if (!found) return report(with_context(found.error(), options.graph.path));
    structure = *std::move(found);
    structure->facts.add_unknown_types(document->diagnostics);
  }
  if (options.json) {
    print_json(*document, *summary, structure);
  } else {
    print_text(*document, *summary, structure);
  }
  return kExitDone;
}

}  // namespace

void add_inspect(CLI::App& app, Action& action) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand(
      "inspect", "Vertices, edges, learning parameters, largest operation, levels");
  add_graph(*command, options->graph);
  command->add_flag("--json", options->json, "Print JSON");
  command->add_flag("--structure", options->structure,
                    "Also phases of training, loops, conditionals, variables, scopes, series");
  command->callback([options, &action] { action = [options] { return inspect(*options); }; });
}

}  // namespace tideline::cli
