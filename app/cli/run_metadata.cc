#include "app/cli/run_metadata.h"

#include <array>
#include <utility>

#include "core/events/logged_trace.h"

namespace tideline::cli {
namespace {

// Which of --run and --tag are used; the second only with the first or when there is no first.
struct Use {
  bool run = true;
  bool tag = true;
};
constexpr std::array<Use, 3> kUses = {{{true, true}, {true, false}, {false, false}}};

bool is_about_choice(const Error& error) {
  return error.code == Code::kNotFound || error.code == Code::kInvalidArgument;
}

std::string used(bool is_used, const std::string& text) {
  return is_used ? text : std::string();
}

Result<io::Document> open_with(const events::GraphChoice& choice, Use use, Progress& progress) {
  events::GraphChoice chosen = choice;
  chosen.run = used(use.run, choice.run);
  chosen.tag = used(use.tag, choice.tag);
  return events::open_graph(chosen, progress);
}

}  // namespace

void add_run_metadata(const Command& command, std::string& path) {
  command
      .add_option("--run-metadata", path,
                  "A traced step of this graph: a RunMetadata file, or a log (--run, --tag choose "
                  "there too). Its sizes and times replace estimates")
      .type_name("FILE|LOGDIR");
}

Result<GraphAndRun> open_graph_and_run(const GraphArgument& graph, const std::string& path,
                                       Progress& progress) {
  const events::GraphChoice& choice = graph.graph;
  if (path.empty()) {
    TIDELINE_TRY(io::Document document, events::open_graph(choice, progress));
    return GraphAndRun{std::move(document), std::nullopt};
  }
  Use by_graph;
  auto document = open_with(choice, by_graph, progress);
  for (const Use use : kUses) {
    if (document || !is_about_choice(document.error())) break;
    auto again = open_with(choice, use, progress);
    if (!again) continue;
    document = std::move(again);
    by_graph = use;
  }
  if (!document) return tl::unexpected(std::move(document).error());
  // What chose nothing among graphs has to choose here.
  const bool is_choice = !document->place.empty() || document->format == io::Format::kSavedModel;
  if (!is_choice) by_graph = {false, false};
  Diagnostics diagnostics;
  const auto open = [&](Use use, Diagnostics& said) {
    return events::open_trace({path, used(use.run, choice.run), used(use.tag, choice.tag)}, said,
                              progress);
  };
  auto trace = open(kUses.front(), diagnostics);
  for (const Use use : kUses) {
    const bool may_leave_out = (use.run || by_graph.run) && (use.tag || by_graph.tag);
    if (trace || !is_about_choice(trace.error()) || !may_leave_out) continue;
    Diagnostics said;
    auto again = open(use, said);
    if (!again) continue;
    trace = std::move(again);
    diagnostics = std::move(said);
  }
  if (!trace) return tl::unexpected(std::move(trace).error());
  auto run = measure_run(document->graph, std::move(trace->trace), std::move(diagnostics));
  if (!run) return tl::unexpected(with_context(std::move(run).error(), path));
  run->path = path;
  run->place = std::move(trace->place);
  return GraphAndRun{*std::move(document), *std::move(run)};
}

Status compare_run(const io::Document& document, TensorOptions sizes, const StepOptions& step,
                   MeasuredRun& run) {
  sizes.model = SizeModel::kFaithful;
  sizes.measured = &run.sizes;
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(document.graph, sizes));
  TIDELINE_TRY(const StepGraph graph,
               build_step_graph(document.graph, tensors, document.collections, step));
  compare(document.graph, graph, step.functions, complete_levels(document.graph), run);
  return {};
}

}  // namespace tideline::cli
