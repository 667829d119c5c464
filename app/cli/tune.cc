#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/lms2_options.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/io/functions.h"

namespace tideline::cli {
namespace {

struct TuneOptions {
  GraphArgument graph;
  Lms2Arguments policy;
  bool json = false;
};

nlohmann::ordered_json parameters_json(const SwapParameters& set) {
  return {{"swapout_threshold", set.swapout_threshold},
          {"swapin_ahead", set.swapin_ahead},
          {"swapin_groupby", set.swapin_groupby},
          {"sync_mode", set.sync_mode}};
}

void print_json(const TuneOptions& options, const TuneResult& result) {
  nlohmann::ordered_json json;
  json["file"] = options.graph.graph.path;
  json["model"] = "compatible";
  json["already_edited"] = result.already_edited;
  json["found"] = result.found;
  json["necessary"] = result.necessary;
  json.update(parameters_json(result.parameters));
  json["swap_outs"] = result.prediction.swapped_out_tensors;
  json["swap_ins"] = result.prediction.swap_ins;
  // Nothing fits: the least that would be needed.
  json["device_peak_bytes"] = result.found ? result.prediction.device_peak : result.least_peak;
  json["host_peak_bytes"] = result.prediction.host_peak;
  json["bytes_out"] = result.prediction.bytes_out;
  json["bytes_in"] = result.prediction.bytes_in;
  json["device_memory_bytes"] = options.policy.budget.device;
  json["memory_ratio"] = options.policy.budget.ratio;
  json["trainable_bytes"] = result.trainable_bytes;
  json["budget_bytes"] = static_cast<Bytes>(result.device_budget);
  json["smallest_feasible_bytes"] = result.smallest_feasible_bytes;
  json["lower_bound_bytes"] = result.lower_bound_bytes;
  json["missed_by_bytes"] =
      result.found ? 0 : result.smallest_feasible_bytes - options.policy.budget.device;
  json["error"] = nullptr;
  if (!result.found) json["error"] = result.failure;
  json["trials"] = nlohmann::ordered_json::array();
  for (const TuneTrial& trial : result.trials) {
    nlohmann::ordered_json entry = {{"stage", tune_stage_name(trial.stage)}};
    entry.update(parameters_json(trial.parameters));
    entry["device_peak_bytes"] = trial.device_peak;
    entry["host_peak_bytes"] = trial.host_peak;
    entry["fits"] = trial.fits;
    json["trials"].push_back(std::move(entry));
  }
  json["notices"] = result.notices;
  fmt::print("{}\n", json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_text(const TuneResult& result) {
  for (const std::string& line : result.log) fmt::print("[LMS] {}\n", line);
  if (result.already_edited) return;
  for (const TuneTrial& trial : result.trials) {
    const SwapParameters& set = trial.parameters;
    fmt::print("  {:17} threshold {}, ahead {}, groupby {}, sync_mode {}: peak {} {}\n",
               tune_stage_name(trial.stage), set.swapout_threshold, set.swapin_ahead,
               set.swapin_groupby, set.sync_mode, format_bytes(trial.device_peak),
               trial.fits ? "fits" : "does not fit");
  }
  if (!result.found) return;
  const SwapParameters& set = result.parameters;
  if (result.necessary) {
    fmt::print("swapout_threshold: {}\nswapin_ahead: {}\nswapin_groupby: {}\nsync_mode: {}\n",
               set.swapout_threshold, set.swapin_ahead, set.swapin_groupby, set.sync_mode);
    fmt::print("{} swap-outs ({}) and {} swap-ins ({})\n", result.prediction.swapped_out_tensors,
               format_bytes(result.prediction.bytes_out), result.prediction.swap_ins,
               format_bytes(result.prediction.bytes_in));
  }
  fmt::print("device peak {} of {}, host peak {}\n", format_bytes(result.prediction.device_peak),
             format_bytes(static_cast<Bytes>(result.device_budget)),
             format_bytes(result.prediction.host_peak));
  fmt::print("smallest device memory for this search: {} ({} bytes); the largest op alone: {}\n",
             format_bytes(result.smallest_feasible_bytes), result.smallest_feasible_bytes,
             format_bytes(result.lower_bound_bytes));
}

int tune(TuneOptions& options) {
  if (options.policy.device_memory.empty()) {
    return report_usage({Code::kInvalidArgument, "--device-memory is missing; expected a SIZE"});
  }
  // Everything given: nothing is left to find, but the question whether it fits stands.
  if (Status status = complete(options.policy, options.graph); !status) {
    return report_usage(status.error());
  }
  TerminalProgress progress(false);
  const auto document = events::open_graph(options.graph.graph, progress);
  if (!document) return report(document.error());
  Diagnostics unreadable;
  const FunctionLibrary library = io::read_functions(*document, unreadable);
  options.policy.lms.functions = &library;
  const auto result = tune_lms2(document->graph, document->collections, options.policy.lms,
                                options.policy.budget, progress);
  if (!result) {
    if (result.error().code == Code::kCancelled) return report(result.error());
    return report(with_context(result.error(), options.graph.graph.path));
  }
  if (options.json) {
    print_json(options, *result);
  } else {
    print_text(*result);
  }
  std::fflush(stdout);  // what is wrong comes last on a terminal and in a file alike
  for (const std::string& notice : result->notices) {
    fmt::print(stderr, "tideline: warning: {}\n", printable(notice, 2000));
  }
  if (result->found) return kExitDone;
  return report(with_context({Code::kOverBudget, missed_budget(*result, options.policy.budget)},
                             options.graph.graph.path));
}

}  // namespace

void add_tune(CLI::App& app, Action& action) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App* command = app.add_subcommand(
      "tune", "Find the parameters of LMS v2 with which a step fits the device memory");
  add_graph(*command, options->graph);
  add_lms2_options(*command, options->policy);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &action] { action = [options] { return tune(*options); }; });
}

}  // namespace tideline::cli
