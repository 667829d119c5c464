#include "core/runtime/compare.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/run_options.h"
#include "app/cli/run_peaks.h"
#include "app/cli/run_place.h"
#include "app/cli/terminal.h"
#include "app/engine/apply_plan.h"
#include "app/engine/captured_for_run.h"
#include "core/runtime/find_tensorflow.h"
#include "core/runtime/on_servers.h"

namespace tideline::cli {
namespace {

using Json = nlohmann::ordered_json;

// The same in both graphs, so that their random ops draw the same numbers.
constexpr std::int64_t kDefaultSeed = 7;

struct CompareOptions {
  GraphArgument original;
  std::string rewritten;
  std::string plan_path;  ///< empty: a step of the rewritten graph is one run
  RunOptions run;
};

// With a plan of sections: the measured peak of the original's step, and of each run.
struct Measured {
  MeasuredRunPeak original;
  std::vector<MeasuredRunPeak> runs;
};

std::string when(std::int64_t step) {
  return step < 0 ? "before the first step" : fmt::format("step {}", step);
}

std::string element_name(const runtime::Difference& difference) {
  std::string index;
  for (const std::int64_t i : difference.index)
    index += fmt::format("{}{}", index.empty() ? "" : ",", i);
  return index.empty() ? difference.tensor : fmt::format("{}[{}]", difference.tensor, index);
}

void print_difference(const runtime::Difference& difference) {
  if (!difference.what.empty()) {
    say("different: {}: {}: {}\n", when(difference.step), difference.tensor, difference.what);
    return;
  }
  say("different: {}: {}: original {} ({}), rewritten {} ({}){}\n", when(difference.step),
      element_name(difference), difference.original, difference.original_bits, difference.rewritten,
      difference.rewritten_bits,
      difference.ulps ? fmt::format(", {} ulp apart", *difference.ulps) : std::string());
  say("  {} of {} elements of '{}' differ\n", difference.different_elements, difference.elements,
      difference.tensor);
}

Json json_of(const runtime::Difference& difference) {
  Json json;
  json["step"] = difference.step;
  json["tensor"] = difference.tensor;
  if (!difference.what.empty()) {
    json["what"] = difference.what;
    return json;
  }
  json["index"] = difference.index;
  json["original"] = difference.original;
  json["rewritten"] = difference.rewritten;
  json["original_bits"] = difference.original_bits;
  json["rewritten_bits"] = difference.rewritten_bits;
  json["ulps"] = difference.ulps ? Json(*difference.ulps) : Json(nullptr);
  json["different_elements"] = difference.different_elements;
  json["elements"] = difference.elements;
  return json;
}

void print_json(const runtime::Comparison& result, const std::string& version,
                const Measured& measured, bool good) {
  Json json;
  json["identical"] = !result.difference;
  json["sound"] = good;
  json["tensorflow"] = version;
  json["steps"] = result.steps;
  json["variables"] = result.variables;
  json["uninitialised_variables"] = result.uninitialised;
  json["copied_variables"] = result.copied;
  json["first_step_not_finite"] =
      result.first_not_finite < 0 ? Json(nullptr) : Json(result.first_not_finite);
  json["difference"] = result.difference ? json_of(*result.difference) : Json(nullptr);
  if (!measured.runs.empty()) {
    json["original_measured_peak_bytes"] = measured.original.peak;
    json["original_measured_tensors_bytes"] = measured.original.of_tensors;
    json["runs"] = run_peaks_json(measured.runs);
  }
  json["losses"] = Json::array();
  for (const runtime::TensorValue& loss : result.losses) {
    json["losses"].push_back({{"loss", loss_text(loss)}, {"bits", loss_bits(loss)}});
  }
  say_json(json);
}

void print_text(const runtime::Comparison& result) {
  if (result.copied > 0) {
    say("{} variables had other initial values and were set to the original's\n", result.copied);
  }
  if (result.uninitialised > 0) {
    say("{} variables have no value in either graph\n", result.uninitialised);
  }
  if (result.difference) {
    print_difference(*result.difference);
    return;
  }
  say("identical: {} steps, the loss and {} variables, bit for bit\n", result.steps,
      result.variables);
  if (result.first_not_finite >= 0) {
    say("but the loss is not finite from step {} on, so the comparison is inconclusive\n",
        result.first_not_finite);
  }
}

// One of the two, ready to train.
struct Side {
  runtime::TrainingRequest request;
  runtime::BoundFeeds feeds;
  runtime::Training training;
};

Result<Side> prepare(const io::Document& document, const CompareOptions& options,
                     const std::vector<runtime::Feed>& feeds, const Side* original,
                     std::optional<Cycle> cycle, Progress& progress) {
  Side side;
  side.request = options.run.request();
  side.request.seed = options.run.seed.value_or(kDefaultSeed);
  side.request.cycle = std::move(cycle);
  side.request.captured_from = app::checkpoint_of_model(document);
  if (original == nullptr) {
    TIDELINE_TRY(side.request.captured, app::captured_for_run(document));
  } else {
    TIDELINE_TRY(side.request.captured, app::captured_like(document, original->request.captured));
    side.request.captured_from = original->request.captured_from;
    side.request.seed_order = original->training.random_ops;
    // The original's initialisers, those that were found as well as those that were named.
    side.request.inits = original->training.initialisers;
  }
  TIDELINE_TRY(side.training, runtime::prepare_training(document, side.request, progress));
  side.feeds.feeds = &feeds;
  TIDELINE_TRY(side.feeds.names, runtime::match_feeds(document, side.request, feeds));
  TIDELINE_RETURN_IF_ERROR(check_effects(options.run, document, side.training, side.feeds.names));
  return side;
}

Result<Measured> measure_both(const io::Document& before, const io::Document& after,
                              const std::optional<Cycle>& cycle,
                              const runtime::Comparison& comparison) {
  Measured measured;
  if (!cycle || comparison.original_traces.empty()) return measured;
  TIDELINE_TRY(measured.original,
               measured_peak(before.graph, "original", comparison.original_traces.front()));
  TIDELINE_TRY(measured.runs, measured_run_peaks(after.graph, *cycle, comparison.rewritten_traces));
  return measured;
}

Result<runtime::Comparison> train_both(const CompareOptions& options, std::string& version,
                                       Measured& measured, Progress& progress) {
  TIDELINE_TRY(const app::ReadGraphPtr first_file, open_input(options.original.graph, progress));
  events::GraphChoice changed = options.original.graph;
  changed.path = options.rewritten;
  TIDELINE_TRY(const app::ReadGraphPtr second_file, open_input(changed, progress));
  const io::Document& before = first_file->document;
  app::PlannedDocument planned;
  if (!options.plan_path.empty()) {
    TIDELINE_TRY(planned, app::open_planned(second_file->document, options.plan_path, progress));
  }
  const io::Document& after = planned.document ? *planned.document : second_file->document;
  TIDELINE_TRY(const OpenedFeeds feeds, open_feeds(options.run));
  TIDELINE_TRY(Side original, prepare(before, options, feeds.feeds, nullptr, {}, progress));
  TIDELINE_TRY(Side rewritten,
               prepare(after, options, feeds.feeds, &original, planned.cycle, progress));
  TIDELINE_TRY(const std::string library, runtime::find_tensorflow(progress));
  TIDELINE_TRY(const RunPlace place, find_place(options.run));
  TIDELINE_RETURN_IF_ERROR(check_devices(place, after));
  // A graph that names no job was made for one machine, and is compared as it runs there.
  const RunPlace place_before = names_a_job(before.graph) ? place : RunPlace{};
  TIDELINE_RETURN_IF_ERROR(check_devices(place_before, before));
  const auto copy_if_served = [&](runtime::Training& training) {
    return place.target.empty() ? std::move(training) : runtime::Training(training);
  };
  runtime::Comparison comparison;
  const auto begin = [&]() -> Status {
    TIDELINE_TRY(runtime::Trainer first,
                 runtime::Trainer::start(before.path, copy_if_served(original.training), library,
                                         options.run.worker(place_before), progress));
    TIDELINE_TRY(runtime::Trainer second,
                 runtime::Trainer::start(after.path, copy_if_served(rewritten.training), library,
                                         options.run.worker(place), progress));
    if (version.empty()) {
      note_start(first);
      note_start(second);
    }
    version = first.tensorflow_version();
    TIDELINE_TRY(comparison,
                 runtime::compare_training(first, original.feeds, second, rewritten.feeds,
                                           feeds.steps, planned.cycle.has_value(), progress));
    return {};
  };
  if (place.target.empty()) {
    TIDELINE_RETURN_IF_ERROR(begin());
  } else {
    // Nothing of a comparison that breaks off is kept, so that it may begin again at any step.
    TIDELINE_RETURN_IF_ERROR(runtime::train_on_servers(
        place.cluster, library, begin, [] { return false; }, progress));
  }
  TIDELINE_TRY(measured, measure_both(before, after, planned.cycle, comparison));
  return comparison;
}

int compare(const CompareOptions& options) {
  if (const auto refused = refuse_place(options.run)) return *refused;
  RunProgress progress(options.run.json);
  std::string version;
  Measured measured;
  const auto result = train_both(options, version, measured, progress);
  if (!result) return report(result.error());
  const bool good = !result->difference && result->first_not_finite < 0;
  if (options.run.json) {
    print_json(*result, version, measured, good);
  } else {
    print_text(*result);
    if (!measured.runs.empty()) {
      print_run_peaks({measured.original});
      print_run_peaks(measured.runs);
    }
  }
  return good ? kExitDone : kExitCheck;
}

}  // namespace

void add_compare(const Command& app, Action& action) {
  auto options = std::make_shared<CompareOptions>();
  const Command command = app.add_subcommand(
      "compare",
      "Train two graphs on TensorFlow and compare losses and variables bit for bit (exit code 3 "
      "when they differ)");
  command.add_option("ORIGINAL", options->original.graph.path, "Graph before")
      .not_empty()
      .required();
  command.add_option("REWRITTEN", options->rewritten, "Graph after").not_empty().required();
  add_graph_choice(command, options->original.graph);
  add_run_options(command, options->run);
  command
      .add_option("--plan", options->plan_path,
                  "Plan that gave REWRITTEN; of sections, each of its steps runs their cycle")
      .not_empty()
      .type_name("FILE");
  command.callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace tideline::cli
