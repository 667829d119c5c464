#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/exact.h"
#include "app/cli/opening.h"
#include "app/cli/output.h"
#include "app/cli/policy_options.h"
#include "app/cli/run_metadata.h"
#include "app/cli/terminal.h"
#include "app/engine/replanner.h"
#include "core/analysis/unmeasured.h"
#include "core/base/check.h"
#include "core/base/text.h"
#include "core/graph/graph_edit.h"
#include "core/memory/step_ops.h"
#include "core/rewrite/plan/plan_json.h"
#include "core/rewrite/plan/value_json.h"

namespace tideline::cli {
namespace {

struct TuneOptions {
  GraphArgument graph;
  PolicyArguments policy;
  std::string run_metadata;
  bool json = false;
  OutputOptions output;
};

using Parameters = std::span<const Parameter* const>;

Parameters searched_parameters(const Policy& policy) {
  return policy.chosen()->search->parameters;
}

nlohmann::ordered_json parameters_json(Parameters parameters, const Values& values) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const Parameter* parameter : parameters) {
    json[json_key(*parameter)] = value_json(values.get(*parameter));
  }
  return json;
}

// What needs measured sizes before the numbers can be trusted.
nlohmann::ordered_json unmeasured_json(const Graph& graph, const TensorTable& tensors,
                                       const Unmeasured& unmeasured) {
  nlohmann::ordered_json loops = nlohmann::ordered_json::array();
  for (const UnmeasuredLoop& loop : unmeasured.loops) {
    loops.push_back({{"name", loop.name}, {"first_op", graph.name(loop.first)}, {"ops", loop.ops}});
  }
  nlohmann::ordered_json unknown = nlohmann::ordered_json::array();
  for (const TensorId tensor : unmeasured.tensors) {
    unknown.push_back({{"tensor", graph.tensor_name(tensor)},
                       {"dtype", data_type_name(tensors.type(tensor))},
                       {"shape", to_string(tensors.shape(tensor))},
                       {"bytes", tensors.bytes(tensor)}});
  }
  return {{"loops", std::move(loops)}, {"unknown_sizes", std::move(unknown)}};
}

// As keys of JSON are written.
std::string key_of(std::string_view name) {
  std::string key(name);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

nlohmann::ordered_json result_json(const Policy& policy, const SearchResult& result) {
  const Parameters parameters = searched_parameters(policy);
  nlohmann::ordered_json json;
  const MemoryBudget& budget = *policy.budget;
  json["already_edited"] = result.already_edited;
  json["found"] = result.found;
  json["necessary"] = result.necessary;
  json.update(parameters_json(parameters, result.values));
  for (const auto& [name, is_on] : result.switches) json[key_of(name)] = is_on;
  json["swap_outs"] = result.prediction.swapped_out_tensors;
  json["swap_ins"] = result.prediction.swap_ins;
  // Nothing fits: the least that would be needed.
  json["device_peak_bytes"] = result.found ? result.prediction.device_peak : result.least_peak;
  json["host_peak_bytes"] = result.prediction.host_peak;
  json["bytes_out"] = result.prediction.bytes_out;
  json["bytes_in"] = result.prediction.bytes_in;
  json["keep_tensors"] = result.kept;
  if (policy.search.is_faithful) {
    json["step_ns"] = result.prediction.step_ns;
    json["step_ns_without_swaps"] = result.without.step_ns;
    json["held_without_waiting_bytes"] = result.prediction.held_without_waiting;
    json["profile"] = policy.search.profile.name;
  }
  json["device_memory_bytes"] = budget.device;
  json["memory_ratio"] = memory_ratio(budget, policy.search);
  json["trainable_bytes"] = result.trainable_bytes;
  json["budget_bytes"] = static_cast<Bytes>(result.device_budget);
  json["smallest_feasible_bytes"] = result.smallest_feasible_bytes;
  json["lower_bound_bytes"] = result.lower_bound_bytes;
  json["missed_by_bytes"] = result.found ? 0 : result.smallest_feasible_bytes - budget.device;
  json["error"] = nullptr;
  if (!result.found) json["error"] = result.failure;
  json["trials"] = nlohmann::ordered_json::array();
  for (const SearchTrial& trial : result.trials) {
    nlohmann::ordered_json entry = {{"stage", trial.stage}};
    entry.update(parameters_json(parameters, trial.values));
    entry["device_peak_bytes"] = trial.device_peak;
    entry["host_peak_bytes"] = trial.host_peak;
    if (policy.search.is_faithful) entry["step_ns"] = trial.step_ns;
    entry["fits"] = trial.fits;
    json["trials"].push_back(std::move(entry));
  }
  json["notices"] = nlohmann::ordered_json::array();
  for (const Warning& warning : result.warnings) {
    json["notices"].push_back(warning_text(warning, Naming::kOption));
  }
  json["warnings"] = warnings_json(result.warnings);
  return json;
}

// An error comes without numbers, but with what stands in their way.
void print_json(const TuneOptions& options, const RunModel& run, const Result<SearchResult>& result,
                const std::optional<ExactResult>& exactly,
                const nlohmann::ordered_json& unmeasured) {
  nlohmann::ordered_json json;
  json["file"] = options.graph.graph.path;
  json["model"] = options.policy.policy.search.is_faithful ? "faithful" : "compatible";
  for (const auto& [key, value] : run_members(run)) json[key] = value;
  if (result) {
    json.update(result_json(options.policy.policy, *result));
  } else {
    json["found"] = false;
    json["error"] = with_parameter_names(result.error().message, Naming::kOption);
  }
  if (exactly) {
    json["exact_device_peak_bytes"] = exactly->peak.device_peak;
    json["tensorflow"] = exactly->tensorflow;
  }
  json.update(unmeasured);
  say_json(json);
}

void print_unmeasured(const Graph& graph, const TensorTable& tensors,
                      const Unmeasured& unmeasured) {
  constexpr std::size_t kShown = 10;
  if (!unmeasured.loops.empty()) {
    say("measured sizes are needed for {} loops:\n", unmeasured.loops.size());
  }
  for (std::size_t i = 0; i < std::min(kShown, unmeasured.loops.size()); ++i) {
    const UnmeasuredLoop& loop = unmeasured.loops[i];
    say("  {} ({} ops, the first is {})\n", printable(loop.name, 200), loop.ops,
        graph.name(loop.first));
  }
  if (unmeasured.tensors.empty()) return;
  say("measured sizes are needed for {} tensors of unknown size, by op:\n",
      unmeasured.tensors.size());
  std::size_t shown = 0;
  const auto end = unmeasured.tensors.end();
  for (auto first = unmeasured.tensors.begin(); first != end && shown < kShown; ++shown) {
    const OpId op = first->op;
    const auto next = std::find_if(first, end, [&](TensorId tensor) { return tensor.op != op; });
    const auto more = next - first - 1;
    say("  {}{} ({} {})\n", graph.tensor_name(*first),
        more > 0 ? fmt::format(" and {} more", more) : "", data_type_name(tensors.type(*first)),
        to_string(tensors.shape(*first)));
    first = next;
  }
  if (shown == kShown) say("  ... (--json lists all)\n");
}

// "threshold 100, ahead 5".
std::string values_text(Parameters parameters, const Values& values) {
  std::string text;
  for (const Parameter* parameter : parameters) {
    const std::string label =
        parameter->quantity.empty() ? json_key(*parameter) : std::string(parameter->quantity);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", label,
                        value_text(values.get(*parameter), parameter->kind));
  }
  return text;
}

// All that the reference would try; of the many of the faithful search those that led to the
// result.
void print_trials(Parameters parameters, const Policy& policy, const SearchResult& result) {
  const bool is_faithful = policy.search.is_faithful;
  for (const SearchTrial& trial : result.trials) {
    const bool is_first = &trial == &result.trials.front();
    if (is_faithful && !is_first && !(trial.is_best && result.necessary)) continue;
    say("  {:17} {}: peak {}{} {}\n", trial.stage, values_text(parameters, trial.values),
        format_bytes(trial.device_peak),
        is_faithful ? fmt::format(", step {},", format_time(trial.step_ns)) : "",
        trial.fits ? "fits" : "does not fit");
  }
  if (is_faithful && result.trials.size() > 1) {
    say("  {} parameter sets simulated\n", result.trials.size());
  }
}

// Only the faithful model has times.
void print_time(const Policy& policy, const SearchResult& result) {
  if (!policy.search.is_faithful) return;
  const std::int64_t step = result.prediction.step_ns;
  const std::int64_t without = result.without.step_ns;
  say("step {}", format_time(step));
  if (result.necessary && without > 0) {
    say(", {} without swaps ({:.2f} x)", format_time(without),
        static_cast<double>(step) / static_cast<double>(without));
  }
  say(" (profile {})\n", printable(policy.search.profile.name, 200));
}

void print_text(const Policy& policy, const SearchResult& result) {
  const Parameters parameters = searched_parameters(policy);
  for (const std::string& line : result.log) say("[LMS] {}\n", line);
  if (result.already_edited) return;
  print_trials(parameters, policy, result);
  if (!result.found) return;
  if (result.necessary) {
    for (const Parameter* parameter : parameters) {
      say("{}: {}\n", json_key(*parameter),
          value_text(result.values.get(*parameter), parameter->kind));
    }
    for (const auto& [name, is_on] : result.switches) {
      if (is_on) say("{}: on\n", key_of(name));
    }
    if (!result.kept.empty()) {
      say("keep_tensors: {}\n", printable(fmt::format("{}", fmt::join(result.kept, ",")), 4000));
    }
    say("{} swap-outs ({}) and {} swap-ins ({})\n", result.prediction.swapped_out_tensors,
        format_bytes(result.prediction.bytes_out), result.prediction.swap_ins,
        format_bytes(result.prediction.bytes_in));
  }
  const SearchPrediction& found = result.prediction;
  say("device peak {} of {}, host peak {}\n", format_bytes(found.device_peak),
      format_bytes(static_cast<Bytes>(result.device_budget)), format_bytes(found.host_peak));
  if (found.held_without_waiting > found.device_peak) {
    say("without waiting the step would hold {}\n", format_bytes(found.held_without_waiting));
  }
  print_time(policy, result);
  say("smallest device memory for this search: {} ({} bytes); the largest op alone: {}\n",
      format_bytes(result.smallest_feasible_bytes), result.smallest_feasible_bytes,
      format_bytes(result.lower_bound_bytes));
}

// The ops whose sizes count.
Result<std::vector<bool>> ops_of_step(const Policy& policy, const app::SizedGraph& opened,
                                      const TensorTable& tensors) {
  const Graph& graph = opened.graph();
  const Collections& collections = opened.document().collections;
  TIDELINE_TRY(const Fetches fetches, find_fetches(graph, collections, policy.search.fetches));
  std::vector<bool> of_step = step_ops(graph, fetches);
  if (!policy.search.is_faithful || unknown_sizes(graph, tensors, of_step) == 0) return of_step;
  TIDELINE_TRY(const StepGraph step, build_step_graph(graph, tensors, collections,
                                                      step_options(policy, policy.search.fetches,
                                                                   &opened.source->functions)));
  return computed_of(std::move(of_step), step, simulate_step(step).timeline.schedule);
}

// The graph with what was found.
struct TunedGraph {
  Policy used;
  Graph graph;
};
Result<TunedGraph> tuned_graph(const TuneOptions& options, const app::SizedGraph& opened,
                               Progress& progress) {
  TIDELINE_TRY(const Outcome made,
               app::Replanner(opened).plan(options.policy.policy, false, progress));
  TIDELINE_TRY(Graph graph, apply(opened.graph(), made.plan.edit));
  return TunedGraph{made.used, std::move(graph)};
}

// Nothing if nothing was found. Errors: those of exact_result.
Result<std::optional<ExactResult>> ask_exactly(const TuneOptions& options,
                                               const app::SizedGraph& opened,
                                               const Result<SearchResult>& result,
                                               Progress& progress) {
  if (options.graph.as_run != AsRun::kExact || !result || !result->found || result->already_edited)
    return std::nullopt;
  TIDELINE_TRY(const TunedGraph tuned, tuned_graph(options, opened, progress));
  Policy used = tuned.used;
  used.budget = options.policy.policy.budget;
  return exact_result(options.graph, options.policy,
                      {opened, tuned.graph, used, result->prediction.device_peak}, progress);
}

// Prints what was found, or what stands in the way. Errors: those of the search.
Result<SearchResult> tune_graph(const TuneOptions& options, const app::SizedGraph& opened,
                                Progress& progress) {
  const Graph& graph = opened.graph();
  const bool is_faithful = options.policy.policy.search.is_faithful;
  TIDELINE_TRY(const TensorTable tensors,
               opened.tensors(is_faithful ? SizeModel::kFaithful : SizeModel::kCompatible));
  TIDELINE_TRY(const std::vector<bool> of_step,
               ops_of_step(options.policy.policy, opened, tensors));
  TIDELINE_TRY(Unmeasured unmeasured, find_unmeasured(graph, tensors, of_step));
  // The faithful model counts loops, and warns of rounds that it does not know.
  if (opened.measured || is_faithful) unmeasured.loops.clear();
  const RunModel run_model =
      is_faithful ? with_executor(opened.run, opened.source->facts) : kAsInFile;
  auto result = app::Replanner(opened).tune(options.policy.policy, progress);
  if (!result && result.error().code == Code::kCancelled) return result;
  TIDELINE_TRY(const auto exactly, ask_exactly(options, opened, result, progress));
  if (options.json) {
    print_json(options, run_model, result, exactly, unmeasured_json(graph, tensors, unmeasured));
    warn_exact(exactly);
    return result;
  }
  if (result) print_text(options.policy.policy, *result);
  if (run_model.as_run != AsRun::kOff) {
    say("the step is simulated {}\n", run_text(run_model));
  }
  say_exact(exactly);
  warn_exact(exactly);
  if (const app::MeasuredRunPtr& run = opened.measured) {
    say("sizes of {} tensors are measured{}{}\n", run->sizes.sizes.size(),
        run->place.empty() ? "" : ": ", run->place);
  }
  if (!result || !result->already_edited) print_unmeasured(graph, tensors, unmeasured);
  return result;
}

// With what was found, and without.
Status write_log(const TuneOptions& options, const app::SizedGraph& opened, Progress& progress) {
  if (options.output.log_path.empty()) return {};
  TIDELINE_TRY(const TunedGraph tuned, tuned_graph(options, opened, progress));
  const Graph& after = tuned.graph;
  TIDELINE_TRY(
      const app::StepLogs logs,
      step_logs_for(options.output, opened, after, options.policy.profile, &tuned.used, progress));
  OutputOptions output = options.output;
  output.inputs = {options.run_metadata, options.policy.profile_name};
  return write_output(output, opened.document(), after, "", progress, logs);
}

int tune(TuneOptions& options) {
  if (const auto refused = refuse_search(options.policy)) return *refused;
  if (const auto refused = refuse_log_output(options.output, options.graph.graph.path)) {
    return *refused;
  }
  const SearchModel& search = options.policy.policy.search;
  if (!search.is_faithful && !search.fetches.empty()) {
    return report_usage({Code::kInvalidArgument,
                         "--fetch: the compatible model counts the whole graph; expected --model "
                         "faithful"});
  }
  if (const auto refused = check_run_model(options.graph, search.is_faithful)) return *refused;
  if (const auto refused = refuse_exact_trace(options.graph, options.run_metadata)) return *refused;
  TerminalProgress progress(false);
  const auto opened = open_sized_graph(options.graph, options.run_metadata,
                                       planned_run(options.graph, options.policy), progress);
  if (!opened) return report(opened.error());
  const auto result = tune_graph(options, *opened, progress);
  std::fflush(stdout);  // what is wrong comes last on a terminal and in a file alike
  if (!result) {
    if (result.error().code == Code::kCancelled) return report(result.error());
    return report(with_context(result.error(), options.graph.graph.path));
  }
  warn(result->warnings);
  if (result->found) {
    const Status written = write_log(options, *opened, progress);
    return written ? kExitDone : report(written.error());
  }
  return report(
      with_context({Code::kOverBudget, missed_budget(*result, *options.policy.policy.budget)},
                   options.graph.graph.path));
}

// The first rewriter with a search.
const Rewriter& searched() {
  const auto found = std::find_if(rewriters().begin(), rewriters().end(),
                                  [](const Rewriter* entry) { return entry->can_tune(); });
  TIDELINE_CHECK(found != rewriters().end());
  return **found;
}

}  // namespace

void add_tune(const Command& app, const Front& front, Action& action) {
  auto options = std::make_shared<TuneOptions>();
  options->output.draw_png = front.draw_png;
  const Command command = app.add_subcommand(
      "tune", fmt::format("Find the parameters of {} with which a step fits the device memory",
                          searched().title));
  add_graph(command, options->graph);
  add_inline(command, options->graph.graph);
  add_rounds(command, options->graph);
  add_run_model(command, options->graph);
  options->policy.policy.rewriter = searched().id;
  add_rewriter_options(command, searched(), options->policy);
  add_search_options(command, options->policy.policy.search);
  add_run_metadata(command, options->run_metadata);
  command.add_flag("--json", options->json, "Print JSON");
  add_only_log_output(command, options->output);
  command.callback([options, &action] { action = [options] { return tune(*options); }; });
}

}  // namespace tideline::cli
