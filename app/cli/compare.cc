#include "core/runtime/compare.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/run_options.h"
#include "app/cli/terminal.h"
#include "core/runtime/find_tensorflow.h"

namespace tideline::cli {
namespace {

using Json = nlohmann::ordered_json;

// The same in both graphs, so that their random ops draw the same numbers.
constexpr std::int64_t kDefaultSeed = 7;

struct CompareOptions {
  GraphArgument original;
  std::string rewritten;
  RunOptions run;
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

void print_json(const runtime::Comparison& result, const std::string& version, bool good) {
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
                     Progress& progress) {
  Side side;
  side.request = options.run.request();
  side.request.seed = options.run.seed.value_or(kDefaultSeed);
  if (original != nullptr) {
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

Result<runtime::Comparison> train_both(const CompareOptions& options, std::string& version,
                                       Progress& progress) {
  TIDELINE_TRY(const session::ReadGraphPtr first_file,
               open_input(options.original.graph, progress));
  events::GraphChoice changed = options.original.graph;
  changed.path = options.rewritten;
  TIDELINE_TRY(const session::ReadGraphPtr second_file, open_input(changed, progress));
  const io::Document& before = first_file->document;
  const io::Document& after = second_file->document;
  TIDELINE_TRY(const OpenedFeeds feeds, open_feeds(options.run));
  TIDELINE_TRY(Side original, prepare(before, options, feeds.feeds, nullptr, progress));
  TIDELINE_TRY(Side rewritten, prepare(after, options, feeds.feeds, &original, progress));
  TIDELINE_TRY(const std::string library, runtime::find_tensorflow(progress));
  const runtime::WorkerOptions worker = options.run.worker();
  TIDELINE_TRY(runtime::Trainer first,
               runtime::Trainer::start(before.path, std::move(original.training), library, worker,
                                       progress));
  TIDELINE_TRY(runtime::Trainer second,
               runtime::Trainer::start(after.path, std::move(rewritten.training), library, worker,
                                       progress));
  version = first.tensorflow_version();
  note_start(first);
  note_start(second);
  return runtime::compare_training(first, original.feeds, second, rewritten.feeds, feeds.steps,
                                   progress);
}

int compare(const CompareOptions& options) {
  RunProgress progress(options.run.json);
  std::string version;
  const auto result = train_both(options, version, progress);
  if (!result) return report(result.error());
  const bool good = !result->difference && result->first_not_finite < 0;
  if (options.run.json) {
    print_json(*result, version, good);
  } else {
    print_text(*result);
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
  command.add_option("ORIGINAL", options->original.graph.path, "Graph before").required();
  command.add_option("REWRITTEN", options->rewritten, "Graph after").required();
  add_graph_choice(command, options->original.graph);
  add_run_options(command, options->run);
  command.callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace tideline::cli
