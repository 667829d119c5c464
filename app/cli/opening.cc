// Tested by the golden case damaged_logs.
#include "app/cli/opening.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "app/cli/terminal.h"
#include "app/engine/apply_plan.h"
#include "core/graph/fed_shapes.h"

namespace tideline::cli {

Result<app::ReadGraphPtr> open_input(const events::GraphChoice& choice, Progress& progress,
                                     Notices notices, io::Cycles cycles) {
  TIDELINE_TRY(app::ReadGraphPtr source, app::read_graph(choice, progress, {cycles, Pipes::kRead}));
  if (notices == Notices::kWarn) warn(choice.path, source->diagnostics);
  return source;
}

std::optional<int> refuse_plan(const GraphArgument& graph, const std::string& run_metadata) {
  if (graph.plan.empty() || run_metadata.empty()) return std::nullopt;
  return report_usage({Code::kInvalidArgument,
                       "--run-metadata: is of the graph as it is; expected no --plan with it"});
}

namespace {

// What the runs of a cycle are fed is as large as in the original.
void add_fed_shapes(const app::ReadGraphPtr& original, app::SizedGraph& opened) {
  app::SizedGraph plain = opened;
  plain.source = original;
  const auto tensors = plain.tensors(SizeModel::kFaithful);
  if (!tensors) return;  // given shapes may be of what the plan adds
  for (GivenShape& fed : fed_shapes(original->document.graph, *tensors, *opened.cycle)) {
    const auto is_fed = [&](const GivenShape& given) { return given.name == fed.name; };
    if (std::none_of(opened.shapes.begin(), opened.shapes.end(), is_fed)) {
      opened.shapes.push_back(std::move(fed));
    }
  }
}

}  // namespace

Result<app::SizedGraph> open_sized_graph(const GraphArgument& graph,
                                         const std::string& run_metadata, RunModel run,
                                         Progress& progress, Notices of_run) {
  if (graph.graph.inlines && !graph.plan.empty()) {
    return fail(Code::kInvalidArgument,
                "--inline: a plan says itself what is inlined; expected no --plan with it");
  }
  TIDELINE_TRY(app::SizedGraph opened, app::read_with_trace(graph.graph, run_metadata, progress));
  const app::ReadGraphPtr original = opened.source;
  if (!graph.plan.empty()) {
    TIDELINE_TRY(auto planned, app::open_planned(opened.document(), graph.plan, progress));
    opened.cycle = std::move(planned.cycle);
    if (planned.document) {
      SourceLines lines = original->lines.in(planned.document->graph, original->document.graph);
      opened.source = std::make_shared<const app::ReadGraph>(
          graph.graph, *std::move(planned.document), nullptr, std::move(lines));
    }
  }
  const TensorOptions sizes = graph.tensor_options();
  opened.batch_size = sizes.batch_size;
  opened.shapes = sizes.shapes;
  opened.rounds = sizes.rounds;
  opened.run = std::move(run);
  if (opened.cycle) add_fed_shapes(original, opened);
  if (Status status = opened.check_names(); !status) {
    return tl::unexpected(with_context(std::move(status).error(), graph.graph.path));
  }
  warn(graph.graph.path, opened.source->diagnostics);
  if (opened.measured && of_run == Notices::kWarn) {
    warn(run_metadata, opened.measured->diagnostics);
  }
  return opened;
}

void warn(const std::vector<Warning>& warnings) {
  for (const Warning& warning : warnings) {
    complain("tideline: warning: {}\n", printable(warning_text(warning, Naming::kOption), 2000));
  }
}

void warn(const std::string& path, const Diagnostics& noticed) {
  for (const std::string& sentence : app::notices(path, noticed)) {
    complain("tideline: warning: {}\n", with_parameter_names(sentence, Naming::kOption));
  }
}

}  // namespace tideline::cli
