#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "app/cli/commands.h"
#include "app/cli/file_swaps.h"
#include "app/cli/line_json.h"
#include "app/cli/opening.h"
#include "app/cli/structure_report.h"
#include "app/cli/terminal.h"
#include "core/analysis/loop_lists.h"
#include "core/analysis/structure/loop_rounds.h"
#include "core/analysis/structure/while_frames.h"
#include "core/analysis/summary.h"
#include "core/base/text.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"
#include "core/io/functions.h"
#include "core/io/graph_format.h"
#include "core/rewrite/inline/inlining_json.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::cli {
namespace {

// The table of tensors that `inspect --tensors` prints.

enum class TensorFormat { kText, kCsv, kJson };

template <typename Print>
void for_each_tensor(const Graph& graph, const TensorTable& tensors, const Print& print) {
  for (const OpId op : graph.ops()) {
    for (std::uint32_t slot = 0; slot < tensors.output_count(op); ++slot) {
      print(TensorId{op, slot});
    }
  }
}

void print_json(const Graph& graph, const TensorTable& tensors, const SourceLines& lines) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for_each_tensor(graph, tensors, [&](TensorId tensor) {
    const Shape& shape = tensors.shape(tensor);
    list.push_back({{"tensor", graph.tensor_name(tensor)},
                    {"op_type", graph.type(tensor.op)},
                    {"dtype", data_type_name(tensors.type(tensor))},
                    {"shape", shape.has_rank ? nlohmann::ordered_json(shape.dims) : nullptr},
                    {"bytes", tensors.bytes(tensor)},
                    {"is_unknown_size", tensors.is_unknown(tensor)}});
    add_line(lines.of(tensor.op), list.back());
  });
  say_json(list);
}

// Prints one line for each tensor, in file order: name, op type, element type, shape, bytes. The
// shape is "[?,28]", "?" for an unknown rank; bytes are counted as by LMS.
void print_tensors(const Graph& graph, const TensorTable& tensors, const SourceLines& lines,
                   TensorFormat format) {
  if (format == TensorFormat::kJson) return print_json(graph, tensors, lines);
  const bool is_csv = format == TensorFormat::kCsv;
  if (is_csv) say("tensor,op_type,dtype,shape,bytes\n");
  const auto field = [&](std::string_view text) {
    return is_csv ? csv_field(text) : std::string(text);
  };
  const char separator = is_csv ? ',' : '\t';
  for_each_tensor(graph, tensors, [&](TensorId tensor) {
    say("{1}{0}{2}{0}{3}{0}{4}{0}{5}\n", separator, field(graph.tensor_name(tensor)),
        field(graph.type(tensor.op)), data_type_name(tensors.type(tensor)),
        field(to_string(tensors.shape(tensor))), tensors.bytes(tensor));
  });
}

struct InspectOptions {
  GraphArgument graph;
  bool json = false;
  bool tensors = false;
  bool csv = false;
  bool structure = false;
  bool check_shapes = false;
};

// What is printed.
struct Report {
  const io::Document& document;
  const app::InlinedGraph* inlined;  // null: the graph is that of the file
  const Diagnostics& diagnostics;
  const Summary& summary;
  std::optional<std::int64_t> contradicted_shapes;  // nullopt: nobody asked
  std::vector<io::FunctionInfo> functions;
  std::optional<Structure> structure;
  SwapCopies copies;
  const TensorTable* tensors;
  const SourceLines* lines;
  LoopLists lists = {};
};

nlohmann::ordered_json loop_lists_json(const Graph& graph, const LoopLists& lists) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const LoopList& list : lists.all()) {
    nlohmann::ordered_json entry = {{"tensor", graph.tensor_name(list.tensor)},
                                    {"bytes", list.bytes},
                                    {"element_bytes", nullptr},
                                    {"elements", nullptr},
                                    {"readers", nlohmann::ordered_json::array()}};
    if (list.element_bytes) entry["element_bytes"] = *list.element_bytes;
    if (list.elements) entry["elements"] = *list.elements;
    for (const OpId reader : list.readers) entry["readers"].push_back(graph.name(reader));
    all.push_back(std::move(entry));
  }
  return all;
}

// The files of the lines that ops have, by name.
std::vector<std::string> files_of(const SourceLines& lines) {
  std::set<std::string> files;
  for (const SourceLine& line : lines.lines()) files.insert(line.file);
  return {files.begin(), files.end()};
}

void print_json(const Report& what) {
  const auto& [document, inlined, diagnostics, summary, contradicted, functions, structure, copies,
               tensors, lines, lists] = what;
  nlohmann::ordered_json json;
  json["file"] = document.path;
  json["format"] = io::format_name(document.format);
  json["encoding"] = document.encoding->word;
  json["place"] = document.place;
  json["function"] = document.function;
  json["vertices"] = summary.vertices;
  json["edges"] = summary.edges.data;
  json["control_edges"] = summary.edges.control;
  json["levels"] = summary.levels;
  json["levels_complete"] = summary.levels_complete;
  json["learning_parameter_bytes"] = summary.learning_parameter_bytes;
  json["trainable_variables"] = summary.trainable_variables;
  json["captured_variables"] = summary.captured.variables;
  json["captured_bytes"] = summary.captured.bytes;
  json["captured_unknown_size"] = summary.captured.unknown;
  json["captured_without_tensor"] = nlohmann::ordered_json::array();
  for (const CapturedHandle& handle : summary.captured.bare) {
    json["captured_without_tensor"].push_back(
        {{"name", document.graph.name(handle.op)}, {"used_by", handle.used_by}});
  }
  json["largest_operation"] = nullptr;
  if (summary.largest_operation.valid()) {
    json["largest_operation"] = {{"name", document.graph.name(summary.largest_operation)},
                                 {"bytes", summary.largest_operation_bytes}};
    add_line(lines->of(summary.largest_operation), json["largest_operation"]);
  }
  json["tensors"] = summary.tensors;
  json["unknown_size_tensors"] = summary.unknown_size_tensors;
  json["inferred_tensors"] = summary.inferred_tensors;
  json["contradicted_shapes"] = nullptr;
  if (contradicted) json["contradicted_shapes"] = *contradicted;
  json["collections"] = nlohmann::ordered_json::object();
  for (const auto& [key, entry] : document.collections.entries) {
    json["collections"][key] = entry.count;
  }
  if (!lines->empty()) {
    json["lines"] = {{"ops", lines->op_count()}, {"files", files_of(*lines)}};
  }
  json["functions"] = nlohmann::ordered_json::array();
  for (const io::FunctionInfo& function : functions) {
    json["functions"].push_back({{"name", function.name},
                                 {"ops", function.ops},
                                 {"arguments", function.arguments},
                                 {"results", function.results}});
  }
  if (inlined != nullptr) json["inlining"] = inlining_json(inlined->made);
  if (!copies.empty()) json["file_swaps"] = file_swaps_json(document.graph, *tensors, copies);
  if (!lists.empty()) json["loop_lists"] = loop_lists_json(document.graph, lists);
  if (structure) json["structure"] = structure_json(document.graph, *structure);
  json["diagnostics"] = nlohmann::ordered_json::array();
  for (const Diagnostic& entry : diagnostics.entries()) {
    json["diagnostics"].push_back(
        {{"severity", severity_name(entry.severity)},
         {"kind", entry.kind},
         {"count", entry.count},
         {"example", with_parameter_names(entry.example, Naming::kOption)}});
  }
  say_json(json);
}

void print_functions(std::vector<io::FunctionInfo> functions) {
  if (functions.empty()) return;
  std::stable_sort(functions.begin(), functions.end(),
                   [](const auto& a, const auto& b) { return a.ops > b.ops; });
  say("  {} functions (--function NAME opens one), the largest:\n", functions.size());
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < functions.size() && i < kShown; ++i) {
    const io::FunctionInfo& function = functions[i];
    say("    {}: {} ops, {} arguments, {} results\n", printable(function.name, 200), function.ops,
        function.arguments, function.results);
  }
}

void print_text(const Report& what) {
  const auto& [document, inlined, diagnostics, summary, contradicted, functions, structure, copies,
               tensors, lines, lists] = what;
  say("{}: {} ({}), {}\n", document.path, io::format_name(document.format), document.encoding->word,
      format_bytes(static_cast<Bytes>(document.source->bytes().size())));
  if (!document.place.empty()) say("  {}\n", printable(document.place, 500));
  if (!document.function.empty()) {
    say("  body of function {}\n", printable(document.function, 200));
  }
  if (inlined != nullptr) {
    for (const std::string& line : inlining_lines(inlined->made)) say("  {}\n", line);
  }
  say("  {} vertices, {} edges, {} control edges\n", summary.vertices, summary.edges.data,
      summary.edges.control);
  say("  {:.2f} MiB of learning parameters in {} trainable variables\n",
      static_cast<double>(summary.learning_parameter_bytes) / kBytesPerMiB,
      summary.trainable_variables);
  if (summary.captured.variables > 0) {
    say("  {:.2f} MiB in {} captured variables",
        static_cast<double>(summary.captured.bytes) / kBytesPerMiB, summary.captured.variables);
    if (summary.captured.unknown > 0) say(" ({} of unknown size)", summary.captured.unknown);
    say("\n");
  }
  if (summary.largest_operation.valid()) {
    const SourceLine* line = lines->of(summary.largest_operation);
    say("  largest operation {} with {:.2f} GiB{}\n",
        document.graph.name(summary.largest_operation),
        static_cast<double>(summary.largest_operation_bytes) / kBytesPerGiB,
        line == nullptr ? "" : ", made at " + line_in_function(*line));
  }
  if (!lines->empty()) {
    std::vector<std::string> files = files_of(*lines);
    for (std::string& file : files) file = printable(file);
    constexpr std::size_t kShown = 4;
    const std::size_t more = files.size() - std::min(files.size(), kShown);
    files.resize(files.size() - more);
    say("  lines of code for {} of {} ops, in {}{}\n", lines->op_count(), document.graph.op_count(),
        fmt::format("{}", fmt::join(files, ", ")),
        more == 0 ? "" : fmt::format(" and {} more files", more));
  }
  say("  {} levels", summary.levels);
  if (summary.without_level > 0) {
    say(" ({} ops have none; {} levels with loop bodies)", summary.without_level,
        summary.levels_complete);
  }
  say("\n  {} of {} tensors have an unknown size\n", summary.unknown_size_tensors, summary.tensors);
  if (summary.inferred_tensors > 0) {
    say("  {} shapes are inferred, not recorded\n", summary.inferred_tensors);
  }
  if (contradicted.value_or(0) > 0) {
    say("  {} recorded shapes contradict those of TensorFlow 2.15, which count in "
        "simulations\n",
        *contradicted);
  }
  if (!copies.empty()) say("  {}\n", copies_in_file_text(copies));
  for (const std::string& line : loop_lists_text(document.graph, lists)) {
    say("  {}\n", printable(line, 2000));
  }
  print_functions(functions);
  if (structure) say("{}", Lines{structure_text(document.graph, *structure)});
  for (const Diagnostic& entry : diagnostics.entries()) {
    say("  {}: {} x {}, first: {}\n", severity_name(entry.severity), entry.count, entry.kind,
        printable(with_parameter_names(entry.example, Naming::kOption)));
  }
}

// Whether the loops exist whose rounds are given.
Status check_rounds(const GraphFacts& facts, const TensorTable& tensors) {
  TIDELINE_TRY(
      const WhileFrames frames,
      find_while_frames(facts.graph(), facts.ops(), facts.stacks(), facts.passes().phases()));
  TIDELINE_TRY(const auto loops, count_loops(facts.graph(), facts.ops(), frames, tensors));
  static_cast<void>(loops);
  return {};
}

int inspect(const InspectOptions& options) {
  TerminalProgress progress(false);
  const auto source = open_input(options.graph.graph, progress,
                                 options.tensors ? Notices::kWarn : Notices::kInReport);
  if (!source) return report(source.error());
  const io::Document& document = (*source)->document;
  const TensorOptions sizes = options.graph.tensor_options();
  const app::SizedGraph opened{*source, sizes.batch_size, sizes.shapes, sizes.rounds};
  const auto tensors = opened.tensors(SizeModel::kCompatible);
  if (!tensors) return report(with_context(tensors.error(), options.graph.graph.path));
  if (options.tensors) {
    print_tensors(document.graph, *tensors, (*source)->lines,
                  options.json  ? TensorFormat::kJson
                  : options.csv ? TensorFormat::kCsv
                                : TensorFormat::kText);
    return kExitDone;
  }
  const auto summary = summarize((*source)->facts, document.collections, *tensors);
  if (!summary) return report(with_context(summary.error(), options.graph.graph.path));
  Diagnostics diagnostics = (*source)->diagnostics;
  add_oddities(document.graph, *tensors, *summary, diagnostics);
  Report what{document,     (*source)->inlined.get(),
              diagnostics,  *summary,
              std::nullopt, io::list_functions(document),
              std::nullopt, find_swap_copies(document.graph),
              &*tensors,    &(*source)->lines};
  // Inferring all shapes takes as long as reading the graph.
  std::optional<TensorTable> inferred;
  const bool has_lists = may_have_loop_lists(document.graph);
  const bool gives_rounds = !opened.rounds.empty();
  if (options.check_shapes || has_lists || gives_rounds || (options.json && !what.copies.empty())) {
    auto all = opened.tensors(SizeModel::kFaithful);
    if (!all) return report(with_context(all.error(), options.graph.graph.path));
    what.tensors = &inferred.emplace(*std::move(all));
    if (gives_rounds) {
      const Status known = check_rounds((*source)->facts, *inferred);
      if (!known) return report(with_context(known.error(), options.graph.graph.path));
    }
    if (has_lists) what.lists = LoopLists::find((*source)->facts, *inferred);
  }
  if (options.check_shapes) {
    note_contradicted_shapes(*inferred, diagnostics);
    what.contradicted_shapes = inferred->difference_count();
  }
  if (options.structure) {
    auto found = find_structure(document.graph, &(*source)->functions);
    if (!found) return report(with_context(found.error(), options.graph.graph.path));
    what.structure = *std::move(found);
    what.structure->facts.add_unknown_types(diagnostics);
    note_unsettled(document.graph, what.structure->flow, diagnostics);
  }
  if (options.json) {
    print_json(what);
  } else {
    print_text(what);
  }
  return kExitDone;
}

}  // namespace

void add_inspect(const Command& app, Action& action) {
  auto options = std::make_shared<InspectOptions>();
  const Command command = app.add_subcommand(
      "inspect", "Vertices, edges, learning parameters, largest operation, levels");
  add_graph(command, options->graph);
  add_inline(command, options->graph.graph);
  add_rounds(command, options->graph);
  const Option json = command.add_flag("--json", options->json, "Print JSON");
  const Option tensors =
      command.add_flag("--tensors", options->tensors,
                       "Print type, shape and bytes of every tensor instead, one per line");
  command.add_flag("--csv", options->csv, "Print CSV").excludes(json).needs(tensors);
  command
      .add_flag("--check-shapes", options->check_shapes,
                "Also compare the recorded shapes with what the ops compute, as simulations do")
      .excludes(tensors);
  command
      .add_flag("--structure", options->structure,
                "Also print phases of training, loops, conditionals, variables, scopes, series")
      .excludes(tensors);
  command.callback([options, &action] { action = [options] { return inspect(*options); }; });
}

}  // namespace tideline::cli
