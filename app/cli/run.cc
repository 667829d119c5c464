#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/run_options.h"
#include "app/cli/run_peaks.h"
#include "app/cli/run_place.h"
#include "app/cli/saved_feeds.h"
#include "app/cli/terminal.h"
#include "app/engine/apply_plan.h"
#include "app/engine/captured_for_run.h"
#include "app/engine/input_readers.h"
#include "core/base/error.h"
#include "core/base/output_folder.h"
#include "core/base/progress.h"
#include "core/base/strictest.h"
#include "core/checkpoint/data_files.h"
#include "core/checkpoint/find_checkpoint.h"
#include "core/events/run_log.h"
#include "core/runtime/feeds.h"
#include "core/runtime/find_tensorflow.h"
#include "core/runtime/on_servers.h"
#include "core/runtime/run_checkpoint.h"

namespace tideline::cli {
namespace {

using Json = nlohmann::ordered_json;

struct TrainOptions {
  GraphArgument graph;
  RunOptions run;
  std::string plan_path;     ///< empty: the graph is run as it is
  std::string feed_folder;   ///< empty: feeds are not kept
  std::string trace_folder;  ///< empty: nothing is traced
  std::string save;          ///< prefix of a checkpoint; empty: variables are not kept
  std::optional<std::int64_t> save_every;  ///< steps; nullopt: only after the last one
  bool resume = false;
};

struct TrainedStep {
  runtime::TensorValue loss;
  double wall_time_s = 0;
};

struct TrainReport {
  std::string tensorflow;
  std::int64_t first_step = 0;  ///< not 0: of a run that is resumed
  std::vector<TrainedStep> steps;
  double seconds = 0;  ///< of the steps alone
  std::int64_t variables = 0;
  std::int64_t captured = 0;  ///< of these, captured ones
  std::int64_t made_up = 0;   ///< captured ones that begin with made-up numbers
  std::int64_t unseeded = 0;
  std::int64_t first_not_finite = -1;
  std::int64_t traced_step = -1;
  std::vector<std::string> run_metadata;  ///< of the traced step: by run of a cycle
  std::vector<MeasuredRunPeak> peaks;     ///< of a cycle
  std::vector<SavedFeeds::Entry> saved;
};

double seconds_since_epoch() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

bool is_finite(const runtime::TensorValue& loss) {
  for (std::int64_t i = 0; i < loss.element_count(); ++i) {
    const auto number = runtime::element_number(loss, i);
    if (number && !std::isfinite(*number)) return false;
  }
  return true;
}

Status train(const TrainOptions& options, runtime::Trainer& trainer,
             const runtime::BoundFeeds& feeds, std::int64_t steps, TrainReport& report,
             Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(trainer.initialise(progress));
  const auto started = std::chrono::steady_clock::now();
  for (std::int64_t step = report.first_step; step < steps; ++step) {
    if (!progress.report("training", step, steps)) return cancelled();
    // The last step: by then everything that is made once has been made.
    const bool is_traced = !options.trace_folder.empty() || trainer.training().cycle;
    const bool trace = is_traced && step + 1 == steps;
    TIDELINE_TRY(runtime::StepResult result, trainer.step(step, feeds, trace, progress));
    if (report.first_not_finite < 0 && !is_finite(result.loss)) report.first_not_finite = step;
    if (!options.run.json) {
      say("step {}: loss {}\n", step, loss_text(result.loss));
      std::fflush(stdout);  // whoever watches a pipe wants to see it now
    }
    if (trace) {
      report.traced_step = step;
      report.run_metadata = std::move(result.run_metadata);
    }
    report.steps.push_back({std::move(result.loss), seconds_since_epoch()});
    const bool is_due = options.save_every && (step + 1) % *options.save_every == 0;
    if (!options.save.empty() && (is_due || step + 1 == steps)) {
      TIDELINE_RETURN_IF_ERROR(runtime::save_run(trainer, options.save, step + 1, progress));
    }
  }
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return {};
}

std::string tag_part(std::string run) {
  std::replace(run.begin(), run.end(), ' ', '_');
  return run;
}

// The readers of the inputs other than the graph, whose readers count in any case.
Readers readers_of_training(const TrainOptions& options, const OpenedFeeds& feeds) {
  std::vector<std::string> inputs = {options.plan_path};
  for (const runtime::Feed& feed : feeds.feeds) inputs.push_back(feed.path());
  Readers readers = app::readers_of_inputs(inputs);
  if (options.run.from.empty()) return readers;
  const auto start = checkpoint::open_checkpoint(options.run.from);
  return start ? strictest(readers, checkpoint::source_readers(*start)) : readers;
}

Result<events::RunLog> write_trace(const TrainOptions& options, const io::Document& document,
                                   const Readers& readers, TrainReport& report,
                                   Progress& progress) {
  events::RunRecord record;
  record.traced_step = report.traced_step;
  for (std::size_t i = 0; i < report.run_metadata.size(); ++i) {
    std::string tag = fmt::format("step_{}", report.traced_step);
    if (i < report.peaks.size()) tag += "_" + tag_part(report.peaks[i].run);
    record.traces.push_back({std::move(tag), std::move(report.run_metadata[i])});
  }
  for (const TrainedStep& step : report.steps) {
    record.losses.push_back({step.wall_time_s, step.loss.element_count() == 1
                                                   ? runtime::element_number(step.loss, 0)
                                                   : std::nullopt});
  }
  return events::RunLog::write(options.trace_folder, document, record, progress, readers);
}

// Files are put in their places at the end, all or none.
Status write_outputs(const TrainOptions& options, const io::Document& document,
                     const OpenedFeeds& feeds, TrainReport& report, Progress& progress) {
  std::vector<PendingOutput*> outputs;
  const Readers readers = readers_of_training(options, feeds);
  std::optional<events::RunLog> log;
  if (!options.trace_folder.empty()) {
    TIDELINE_TRY(events::RunLog written, write_trace(options, document, readers, report, progress));
    log.emplace(std::move(written));
    outputs.push_back(&log->file());
  }
  std::optional<SavedFeeds> saved;
  if (!options.feed_folder.empty()) {
    TIDELINE_TRY(SavedFeeds written,
                 SavedFeeds::write(options.feed_folder, feeds.feeds, feeds.steps,
                                   strictest(document.source->readers(), readers), progress));
    saved.emplace(std::move(written));
    report.saved = saved->entries();
    outputs.push_back(&saved->folder());
  }
  return commit_together(outputs);
}

// What a run in one piece would have done otherwise.
void say_resumed(const TrainOptions& options, std::int64_t random_ops, const TrainReport& report) {
  if (report.first_step == 0) return;
  if (!options.run.json) say("resumed behind step {}\n", report.first_step - 1);
  if (random_ops == 0) return;
  complain(
      "note: {} random ops begin their numbers anew, so that the losses are not those of a run in "
      "one piece\n",
      random_ops);
}

// Before hours of training, not after them.
Status check_prefix(const std::string& prefix) {
  const std::filesystem::path folder = std::filesystem::path(prefix).parent_path();
  std::error_code ignored;
  if (folder.empty() || std::filesystem::is_directory(folder, ignored)) return {};
  return fail(Code::kIo, "--save: {}: no such folder", printable(folder.native()));
}

Result<TrainReport> train_graph(const TrainOptions& options, Progress& progress) {
  if (!options.trace_folder.empty()) {
    TIDELINE_RETURN_IF_ERROR(events::RunLog::check(options.trace_folder));
  }
  if (!options.save.empty()) TIDELINE_RETURN_IF_ERROR(check_prefix(options.save));
  if (!options.feed_folder.empty()) {
    TIDELINE_RETURN_IF_ERROR(SavedFeeds::check(options.feed_folder));
  }
  TIDELINE_TRY(const app::ReadGraphPtr source, open_input(options.graph.graph, progress));
  app::PlannedDocument planned;
  if (!options.plan_path.empty()) {
    TIDELINE_TRY(planned, app::open_planned(source->document, options.plan_path, progress));
  }
  const io::Document& document = planned.document ? *planned.document : source->document;
  TIDELINE_TRY(const OpenedFeeds feeds, open_feeds(options.run));
  runtime::TrainingRequest request = options.run.request();
  TrainReport report;
  if (options.resume) {
    TIDELINE_TRY(const auto next_step, runtime::saved_step(options.save));
    report.first_step = next_step.value_or(0);
    if (next_step) request.from = options.save;
  }
  request.cycle = planned.cycle;
  TIDELINE_TRY(request.captured, app::captured_for_run(document));
  request.captured_from = app::checkpoint_of_model(source->document);
  TIDELINE_TRY(runtime::Training training, runtime::prepare_training(document, request, progress));
  runtime::BoundFeeds bound{&feeds.feeds, {}};
  TIDELINE_TRY(bound.names, runtime::match_feeds(document, request, feeds.feeds));
  TIDELINE_RETURN_IF_ERROR(check_effects(options.run, document, training, bound.names));
  report.variables = static_cast<std::int64_t>(training.variables.size());
  report.captured = static_cast<std::int64_t>(training.captured.size());
  report.made_up = training.made_up();
  report.unseeded = training.unseeded;
  const std::int64_t random_ops = runtime::random_ops_of_step(document, training);
  TIDELINE_TRY(const RunPlace place, find_place(options.run));
  TIDELINE_RETURN_IF_ERROR(check_devices(place, document));
  TIDELINE_TRY(const std::string library, runtime::find_tensorflow(progress));
  const auto begin = [&]() -> Status {
    const bool is_first = report.tensorflow.empty();
    TIDELINE_TRY(
        runtime::Trainer trainer,
        runtime::Trainer::start(
            document.path, place.target.empty() ? std::move(training) : runtime::Training(training),
            library, options.run.worker(place), progress));
    report.tensorflow = trainer.tensorflow_version();
    if (is_first) {
      note_start(trainer);
      if (!options.run.json) say("TensorFlow {}\n", report.tensorflow);
      say_resumed(options, random_ops, report);
    }
    return train(options, trainer, bound, feeds.steps, report, progress);
  };
  if (place.target.empty()) {
    TIDELINE_RETURN_IF_ERROR(begin());
  } else {
    TIDELINE_RETURN_IF_ERROR(runtime::train_on_servers(
        place.cluster, library, begin, [&] { return !report.steps.empty(); }, progress));
  }
  if (request.cycle) {
    TIDELINE_TRY(report.peaks,
                 measured_run_peaks(document.graph, *request.cycle, report.run_metadata));
  }
  TIDELINE_RETURN_IF_ERROR(write_outputs(options, document, feeds, report, progress));
  return report;
}

double steps_per_second(const TrainReport& report) {
  return report.seconds > 0 ? static_cast<double>(report.steps.size()) / report.seconds : 0;
}

void print_json(const TrainOptions& options, const TrainReport& report) {
  Json json;
  json["tensorflow"] = report.tensorflow;
  json["graph"] = options.graph.graph.path;
  json["variables"] = report.variables;
  json["captured_variables"] = report.captured;
  json["made_up_variables"] = report.made_up;
  json["unseeded_random_ops"] = report.unseeded;
  json["steps"] = Json::array();
  std::int64_t number = report.first_step;
  for (const TrainedStep& step : report.steps) {
    Json entry;
    entry["step"] = number++;
    const auto loss =
        step.loss.element_count() == 1 ? runtime::element_number(step.loss, 0) : std::nullopt;
    entry["loss"] = loss ? Json(*loss) : Json(nullptr);
    entry["text"] = loss_text(step.loss);
    entry["bits"] = loss_bits(step.loss);
    json["steps"].push_back(std::move(entry));
  }
  json["first_step_not_finite"] =
      report.first_not_finite < 0 ? Json(nullptr) : Json(report.first_not_finite);
  json["seconds"] = report.seconds;
  json["steps_per_second"] = steps_per_second(report);
  if (!report.peaks.empty()) json["runs"] = run_peaks_json(report.peaks);
  if (!options.save.empty()) {
    json["checkpoint"] = {{"prefix", options.save}, {"first_step", report.first_step}};
  }
  json["saved_feeds"] = Json::object();
  for (const auto& [name, file] : report.saved) json["saved_feeds"][name] = file;
  if (!options.trace_folder.empty() && report.traced_step >= 0) {
    json["trace"] = {{"folder", options.trace_folder}, {"step", report.traced_step}};
  }
  say_json(json);
}

void print_text(const TrainOptions& options, const TrainReport& report) {
  say("{} steps in {:.2f} s, {:.1f} steps per second\n", report.steps.size(), report.seconds,
      steps_per_second(report));
  for (const auto& [name, file] : report.saved) say("saved --feed {}={}\n", name, file);
  print_run_peaks(report.peaks);
  if (!options.trace_folder.empty() && report.traced_step >= 0) {
    say("wrote {}: losses, the graph, and the trace of step {}\n", options.trace_folder,
        report.traced_step);
  }
}

int run_graph(const TrainOptions& options) {
  if (const auto refused = refuse_place(options.run)) return *refused;
  RunProgress progress(options.run.json);
  const auto trained = train_graph(options, progress);
  if (!trained) return report(trained.error());
  if (options.run.json) {
    print_json(options, *trained);
  } else {
    print_text(options, *trained);
  }
  if (trained->unseeded > 0 && !options.run.json) {
    complain(
        "note: {} random ops have no seed and draw other numbers in each run; --seed N "
        "makes the run reproducible\n",
        trained->unseeded);
  }
  if (trained->first_not_finite >= 0) {
    complain("warning: the loss is not finite from step {} on\n", trained->first_not_finite);
  }
  return kExitDone;
}

}  // namespace

void add_run(const Command& app, Action& action) {
  auto options = std::make_shared<TrainOptions>();
  const Command command =
      app.add_subcommand("run", "Train the graph on an installed TensorFlow and print the losses");
  add_graph(command, options->graph);
  add_run_options(command, options->run);
  command
      .add_option("--plan", options->plan_path,
                  "Plan of a rewriter (--plan-json) for the graph or for the one that it gives; of "
                  "sections, each step runs their cycle")
      .not_empty()
      .type_name("FILE");
  command
      .add_option("--save-feeds", options->feed_folder,
                  "New folder for the fed values, one .npy file per feed")
      .not_empty()
      .type_name("DIR");
  command
      .add_option("--trace", options->trace_folder,
                  "Folder for a TensorBoard log: losses, the graph, and a trace of the last step")
      .not_empty()
      .type_name("DIR");
  const Option save =
      command
          .add_option("--save", options->save,
                      "Write the variables after the last step as this TensorFlow checkpoint")
          .not_empty()
          .type_name("PREFIX");
  command
      .add_option("--save-every", options->save_every,
                  "Write it every N steps, too; the one before is kept until the new one is whole")
      .type_name("N")
      .check(whole_number(1))
      .needs(save);
  command
      .add_flag(
          "--resume", options->resume,
          "Go on behind the step that --save has written last; from the beginning if there is "
          "no such checkpoint. --steps counts from the beginning")
      .needs(save)
      .excludes(command.option("--from"));
  command.callback([options, &action] { action = [options] { return run_graph(*options); }; });
}

}  // namespace tideline::cli
