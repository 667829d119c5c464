// Problem: the memory of a training step peaks where the backward pass begins, when the activations
// of all layers are still there.
// Idea: keep only the tensors at the borders of sections, on the host, and run the backward pass of
// one section at a time, which computes its activations again. cut.h says how it stays exact.
// Source: partialflow (rules only), of which this corrects: updates that all sections share run
// once, sections without variables work, placeholders are fed in every run, control edges do not
// cross borders, random numbers are drawn once. Tested by unit/rewrite/sections_test.cc and
// integration/sections_test.py.
#include "core/rewrite/sections/sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/scope_name.h"
#include "core/memory/step_graph.h"
#include "core/rewrite/plan/named_outputs.h"
#include "core/rewrite/sections/borders.h"
#include "core/rewrite/sections/compat.h"
#include "core/rewrite/sections/emit.h"
#include "core/rewrite/sections/peaks_as_run.h"

namespace tideline {
namespace {

using sections::StepFacts;

Result<sections::StepRoots> find_roots(const Graph& graph, const Collections& collections,
                                       const SectionsOptions& options) {
  sections::StepRoots roots;
  if (!options.train_op.empty()) {
    TIDELINE_TRY(const TensorId named, find_named(graph, "{train-op}", options.train_op));
    roots.train_op = named.op;
  } else {
    TIDELINE_TRY(const Fetches fetches, find_fetches(graph, collections, {}));
    // Files may name the same op more than once.
    const bool is_one = std::all_of(fetches.ops.begin(), fetches.ops.end(),
                                    [&](OpId op) { return op == fetches.ops.front(); });
    if (fetches.rule != FetchRule::kNamed || !is_one) {
      return fail(Code::kInvalidArgument,
                  "the file does not name its train op; expected {{train-op}}");
    }
    roots.train_op = fetches.ops.front();
  }
  TIDELINE_TRY(roots.loss, find_named(graph, "{loss}", options.loss));
  for (const std::string& name : options.update_ops) {
    TIDELINE_TRY(const TensorId named, find_named(graph, "{update-ops}", name));
    roots.updates.push_back(named.op);
  }
  roots.gradient_scope = without_slash(options.gradient_scope);
  return roots;
}

// Peaks mean nothing where sizes depend on a batch of unknown size.
Status check_sizes(const StepFacts& facts, const TensorOptions& sizes) {
  if (sizes.batch_size || sizes.measured != nullptr) return {};
  for (const OpId op : facts.graph().ops()) {
    const bool is_input = facts.is_placeholder(op) || facts.kind(op) == OpKind::kInput ||
                          facts.kind(op) == OpKind::kQueue;
    if (!is_input || !facts.in_step(op)) continue;
    for (std::uint32_t slot = 0; slot < facts.tensors().output_count(op); ++slot) {
      const Shape& shape = facts.tensors().shape({op, slot});
      if (shape.rank() < 1 || shape.dims.front() != kUnknownDim) continue;
      return fail(
          Code::kInvalidArgument,
          "the memory of runs depends on the batch size, which '{}' (shape {}) leaves open; "
          "expected {{batch-size}}",
          facts.graph().tensor_name({op, slot}), to_string(shape));
    }
  }
  return {};
}

// The sections of forward ops, and a name for each.
struct Division {
  std::vector<int> section;
  std::vector<std::string> labels;
  std::vector<std::int32_t> borders;
};

StepOptions step_options_of(const TensorOptions& sizes, const SectionsOptions& options) {
  StepOptions step;
  if (!options.train_op.empty()) step.fetches = {options.train_op};
  step.functions = sizes.functions;
  step.measured = sizes.measured;
  return step;
}

// The step of the original as it stands in the file, by which borders are compared.
Result<StepGraph> original_step(const GraphFacts& known, const Collections& collections,
                                const TensorOptions& sizes, const SectionsOptions& options) {
  TensorOptions faithful = sizes;
  faithful.model = SizeModel::kFaithful;
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(known.graph(), faithful));
  StepOptions step = step_options_of(sizes, options);
  step.facts = &known;
  return build_step_graph(known.graph(), tensors, collections, step);
}

Result<Division> divide_by_levels(const StepFacts& facts, std::vector<std::int32_t> borders) {
  Division division;
  TIDELINE_TRY(division.section, sections::sections_by_level(facts, borders));
  std::int32_t begin = 0;
  for (const std::int32_t border : borders) {
    division.labels.push_back(fmt::format("levels {} to {}", begin, border - 1));
    begin = border;
  }
  division.labels.push_back(fmt::format("levels from {}", begin));
  division.borders = std::move(borders);
  return division;
}

Result<Division> divide_by_scopes(const StepFacts& facts, const std::vector<std::string>& scopes) {
  Division division;
  division.labels = scopes;
  TIDELINE_TRY(division.section, sections::sections_by_scope(facts, scopes));
  return division;
}

// Sections that are not in the order of the forward pass keep more than they need to.
void note_order(const StepFacts& facts, const Division& division,
                std::vector<std::string>& notices) {
  const Graph& graph = facts.graph();
  for (const OpId op : graph.ops()) {
    const int section = division.section[op.index()];
    if (section == sections::kNoSection || !facts.is_forward(op)) continue;
    for (const TensorId input : graph.inputs(op)) {
      const int from = division.section[input.op.index()];
      if (from <= section || facts.runs_once(input.op)) continue;
      notices.push_back(fmt::format(
          "{{scopes}}: op '{}' of section {} ({}) reads '{}' of section {} ({}); scopes in the "
          "order "
          "in which they run need less memory",
          graph.name(op), section, division.labels[static_cast<std::size_t>(section)],
          graph.tensor_name(input), from, division.labels[static_cast<std::size_t>(from)]));
      return;
    }
  }
}

// Of the runs as in the file.
void find_peaks(const sections::CycleMemory& memory, const sections::Cut& cut,
                const sections::EmittedSections& emitted, SectionsReport& report) {
  report.plain = memory.plain();
  report.forward = memory.forward(cut);
  for (SectionPhase& phase : report.phases) {
    const auto k = static_cast<std::size_t>(phase.section);
    phase.peak = memory.phase(cut.phases[k], emitted.control[k]);
  }
}

Bytes largest_peak(const SectionsReport& report) {
  Bytes largest = report.forward->peak;
  for (const SectionPhase& phase : report.phases) largest = std::max(largest, phase.peak->peak);
  return largest;
}

Status check_peaks(const SectionsReport& report, Bytes limit) {
  const Bytes largest = largest_peak(report);
  if (largest <= limit) return {};
  return fail(
      Code::kOverBudget,
      "the largest peak of a run is {}, but at most {} may be used; expected other borders, "
      "or a larger {{device-memory}}",
      format_bytes(largest), format_bytes(limit));
}

// What plans of one graph have in common.
struct Planning {
  const GraphFacts& known;
  const Collections& collections;
  const TensorOptions& sizes;
  const SectionsOptions& options;
  const StepFacts& facts;
  const sections::VariableUses& uses;
  const StepGraph* step;  ///< null where no peaks are predicted

  Result<SectionsPlan> plan(Division division) const {
    std::vector<std::string> notices;
    if (!options.scopes.empty()) note_order(facts, division, notices);
    const int count = static_cast<int>(division.labels.size());
    TIDELINE_TRY(sections::Cut cut,
                 sections::cut_step(facts, uses,
                                    sections::complete(facts, std::move(division.section), count)));
    TIDELINE_TRY(auto emitted, sections::emit(facts, uses, cut, division.labels));
    emitted.report.borders = std::move(division.borders);
    emitted.report.notices = std::move(notices);
    if (step != nullptr) TIDELINE_RETURN_IF_ERROR(add_peaks(cut, emitted));
    return SectionsPlan{std::move(emitted.edit), std::move(emitted.report)};
  }
  // Borders are compared in the step as it stands in the file. As TensorFlow runs them, the runs
  // may need more; then others are looked for that need as much less.
  Result<SectionsPlan> plan_within(Bytes limit, Progress& progress) const {
    constexpr int kMostTries = 4;
    std::optional<SectionsPlan> made;
    Bytes within = limit;
    for (int i = 0; i < kMostTries; ++i) {
      auto found = find_borders_within(facts, uses, *step, within, progress);
      const bool is_over = !found && found.error().code == Code::kOverBudget;
      if (is_over && made) break;  // which is then told to be too large
      if (!found) return tl::unexpected(std::move(found).error());
      const Bytes peak_in_file = found->largest;
      TIDELINE_TRY(Division division, divide_by_levels(facts, std::move(found->borders)));
      TIDELINE_TRY(made, plan(std::move(division)));
      const Bytes largest = largest_peak(made->report);
      if (largest <= limit) break;
      const double share = static_cast<double>(limit) / static_cast<double>(largest);
      within =
          std::min(peak_in_file - 1, static_cast<Bytes>(share * static_cast<double>(peak_in_file)));
    }
    return *std::move(made);
  }

 private:
  Status add_peaks(const sections::Cut& cut, sections::EmittedSections& emitted) const {
    const sections::CycleMemory memory(facts, *step);
    emitted.report.kept_bytes = memory.kept_bytes(cut);
    if (options.run.as_run == AsRun::kOff) {
      find_peaks(memory, cut, emitted, emitted.report);
      return {};
    }
    StepOptions as_run = step_options_of(sizes, options);
    as_run.run = options.run;
    return sections::find_peaks_as_run(known, collections, sizes, std::move(as_run), emitted.edit,
                                       emitted.report);
  }
};

}  // namespace

namespace {

Status validate_scopes(const std::vector<std::string>& scopes) {
  for (auto scope = scopes.begin(); scope != scopes.end(); ++scope) {
    const bool is_known = std::any_of(scopes.begin(), scope, [&](const std::string& other) {
      return without_slash(other) == without_slash(*scope);
    });
    if (is_known) return fail(Code::kInvalidArgument, "{{scopes}}: '{}' is given twice", *scope);
  }
  return {};
}

Status validate_compat(const SectionsOptions& options, bool has_budget) {
  if (!options.compat || options.scopes.empty() || options.train_ops.empty()) {
    return fail(
        Code::kInvalidArgument,
        "{{compat}} computes the sets of the reference for {{scopes}} and {{train-ops}}; expected "
        "all three or none");
  }
  if (!options.levels.empty() || options.count >= 0 || has_budget) {
    return fail(Code::kInvalidArgument,
                "{{compat}} takes the sections of the reference from {{scopes}}; expected neither "
                "{{levels}} nor {{sections}} nor {{device-memory}} beside it");
  }
  if (options.scopes.size() != options.train_ops.size()) {
    return fail(Code::kInvalidArgument,
                "{{train-ops}} names {} ops for {} sections; expected one for each of {{scopes}}",
                options.train_ops.size(), options.scopes.size());
  }
  return {};
}

}  // namespace

Status validate(const SectionsOptions& options, bool has_budget) {
  TIDELINE_RETURN_IF_ERROR(validate_scopes(options.scopes));
  if (!options.compat && !options.fetches.empty()) {
    return fail(Code::kInvalidArgument,
                "{{fetches}} asks what the reference does; expected {{compat}} beside it");
  }
  if (options.compat || !options.train_ops.empty()) return validate_compat(options, has_budget);
  const int ways = (options.scopes.empty() ? 0 : 1) + (options.levels.empty() ? 0 : 1) +
                   (options.count < 0 ? 0 : 1);
  if (ways > 1 || (ways == 0 && !has_budget)) {
    return fail(Code::kInvalidArgument,
                "sections are given by {{scopes}}, {{levels}} or {{sections}}, or found by "
                "{{device-memory}}; expected one of these");
  }
  if (options.count >= 0 && options.count < 2) {
    return fail(Code::kInvalidArgument, "{{sections}} is {}; expected an integer of at least 2",
                options.count);
  }
  if (options.loss.empty()) {
    return fail(Code::kInvalidArgument, "{{loss}} is missing; expected the tensor of the loss");
  }
  if (!options.levels.empty()) TIDELINE_RETURN_IF_ERROR(sections::parse_borders(options.levels));
  return {};
}

Result<SectionsPlan> plan_sections(const GraphFacts& known, const Collections& collections,
                                   const TensorOptions& sizes, const SectionsOptions& options,
                                   std::optional<Bytes> limit, Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(validate(options, limit.has_value()));
  const Graph& graph = known.graph();
  if (options.compat) {
    std::vector<std::string> scopes;
    for (const std::string& scope : options.scopes) scopes.emplace_back(without_slash(scope));
    TIDELINE_TRY(SectionsReport report,
                 sections::reference_sets(graph, scopes, options.train_ops, options.fetches));
    return SectionsPlan{{}, std::move(report)};
  }
  TIDELINE_TRY(const auto roots, find_roots(graph, collections, options));
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(graph, sizes));
  TIDELINE_RETURN_IF_ERROR(check_output(graph, tensors, "{loss}", roots.loss));
  TIDELINE_TRY(const StepFacts facts, StepFacts::find(known, roots, tensors));
  const sections::VariableUses uses(facts);
  if (!progress.report("cutting", 0, 1)) return cancelled();
  const bool is_found = options.scopes.empty() && options.levels.empty();
  const bool needs_peaks = is_found || limit;
  if (needs_peaks) TIDELINE_RETURN_IF_ERROR(check_sizes(facts, sizes));
  std::optional<StepGraph> step;
  if (needs_peaks || sizes.batch_size || sizes.measured != nullptr) {
    TIDELINE_TRY(step, original_step(known, collections, sizes, options));
  }
  const Planning planning{known, collections, sizes, options, facts, uses, step ? &*step : nullptr};
  SectionsPlan made;
  if (!options.scopes.empty()) {
    TIDELINE_TRY(Division division, divide_by_scopes(facts, options.scopes));
    TIDELINE_TRY(made, planning.plan(std::move(division)));
  } else if (!options.levels.empty()) {
    TIDELINE_TRY(std::vector<std::int32_t> borders, sections::parse_borders(options.levels));
    auto given = divide_by_levels(facts, std::move(borders));
    if (!given) return tl::unexpected(with_context(std::move(given).error(), "{levels}"));
    TIDELINE_TRY(made, planning.plan(*std::move(given)));
  } else if (options.count > 0) {
    TIDELINE_TRY(auto found, find_borders(facts, uses, *step, options.count, progress));
    TIDELINE_TRY(Division division, divide_by_levels(facts, std::move(found.borders)));
    TIDELINE_TRY(made, planning.plan(std::move(division)));
  } else {
    TIDELINE_TRY(made, planning.plan_within(*limit, progress));
  }
  if (limit) TIDELINE_RETURN_IF_ERROR(check_peaks(made.report, *limit));
  return made;
}

}  // namespace tideline
