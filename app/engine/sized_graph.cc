// Tested by unit/engine/read_graph_test.cc and the golden case measured.
#include "app/engine/sized_graph.h"

#include <array>
#include <utility>

#include "app/engine/measure.h"
#include "core/events/logged_trace.h"
#include "core/memory/step_graph.h"

namespace tideline::app {
namespace {

// Which of run and tag are used; the second only with the first or when there is no first.
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

Result<ReadGraphPtr> read_with(const events::GraphChoice& choice, Use use, Progress& progress) {
  events::GraphChoice chosen = choice;
  chosen.run = used(use.run, choice.run);
  chosen.tag = used(use.tag, choice.tag);
  return read_graph(chosen, progress, {.pipes = Pipes::kRead});
}

// Options that chose nothing among graphs, according to `by_graph`, have to choose here.
Result<MeasuredRunPtr> read_chosen_trace(const ReadGraph& source, const events::TraceChoice& choice,
                                         Use by_graph, Progress& progress) {
  Diagnostics diagnostics;
  const auto open = [&](Use use, Diagnostics& said) {
    return events::open_trace(
        {choice.path, used(use.run, choice.run), used(use.tag, choice.tag), Pipes::kRead}, said,
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
  return measure(source, *std::move(trace), choice.path, std::move(diagnostics));
}

}  // namespace

TensorOptions SizedGraph::options(SizeModel model) const {
  TensorOptions sizes;
  sizes.batch_size = batch_size;
  sizes.shapes = shapes;
  sizes.rounds = rounds;
  sizes.model = model;
  sizes.functions = &source->functions;
  if (measured) sizes.measured = &measured->sizes;
  sizes.known = known.get();
  return sizes;
}

Result<TensorTable> SizedGraph::tensors(SizeModel model) const {
  return TensorTable::build(graph(), options(model));
}

Status SizedGraph::check_names() const {
  if (rounds.empty() && run.branches.empty()) return {};
  TIDELINE_TRY(const TensorTable sizes, tensors(SizeModel::kFaithful));
  StepOptions step;
  step.functions = &source->functions;
  step.facts = &source->facts;
  step.run = run;
  TIDELINE_TRY(const StepGraph built,
               build_step_graph(graph(), sizes, document().collections, step));
  static_cast<void>(built);
  return {};
}

CostModel SizedGraph::costs(const DeviceProfile& profile) const {
  if (!measured) return CostModel(profile);
  return CostModel(profile, measured->sizes.op_ns, measured->sizes.span_ns);
}

Result<SizedGraph> read_with_trace(const events::GraphChoice& choice, const std::string& trace_path,
                                   Progress& progress) {
  if (trace_path.empty()) {
    TIDELINE_TRY(ReadGraphPtr source, read_graph(choice, progress, {.pipes = Pipes::kRead}));
    return SizedGraph{std::move(source)};
  }
  Use by_graph;
  auto source = read_with(choice, by_graph, progress);
  for (const Use use : kUses) {
    if (source || !is_about_choice(source.error())) break;
    auto again = read_with(choice, use, progress);
    if (!again) continue;
    source = std::move(again);
    by_graph = use;
  }
  if (!source) return tl::unexpected(std::move(source).error());
  const io::Document& document = (*source)->document;
  const bool is_choice = !document.place.empty() || document.format == io::Format::kSavedModel;
  if (!is_choice) by_graph = {false, false};
  TIDELINE_TRY(MeasuredRunPtr run, read_chosen_trace(**source, {trace_path, choice.run, choice.tag},
                                                     by_graph, progress));
  SizedGraph graph{*std::move(source)};
  graph.measured = std::move(run);
  return graph;
}

}  // namespace tideline::app
