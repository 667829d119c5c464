// Tested by golden/cases/log.txt, integration/event_log_test.py.
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/log_options.h"

namespace tideline::cli {
namespace {

using OptionsPtr = std::shared_ptr<LogOptions>;

// A mode of `log` that prints rows as text, CSV or JSON.
Command add_printer(const Command& log, const char* name, const char* help, LogNotices notices,
                    LogPrinter print, const OptionsPtr& options, Action& action) {
  const Command command = log.add_subcommand(name, help);
  add_log_options(command, *options);
  const Option json = command.add_flag("--json", options->json, "Print JSON");
  command.add_flag("--csv", options->csv, "Print CSV").excludes(json);
  command.callback([options, notices, print, &action] {
    action = [options, notices, print] { return print_log(*options, notices, print); };
  });
  return command;
}

void add_scalars(const Command& log, Action& action) {
  const auto options = std::make_shared<LogOptions>();
  const Command command =
      add_printer(log, "scalars", "Points of curves: run, tag, step, time, value",
                  LogNotices::kWarn, print_log_scalars, options, action);
  command
      .add_flag("--follow", options->follow,
                "Print points as they are written, until it is interrupted")
      .excludes(command.option("--json"));
  command.callback([options, &action] {
    action = [options] {
      return options->follow ? follow_log_scalars(*options)
                             : print_log(*options, LogNotices::kWarn, print_log_scalars);
    };
  });
}

void add_cat(const Command& log, Action& action) {
  const auto options = std::make_shared<LogOptions>();
  const Command command = log.add_subcommand("cat", "Every event as a line of JSON");
  add_log_options(command, *options);
  command.add_flag("--follow", options->follow,
                   "Print events as they are written, until it is interrupted");
  command.callback(
      [options, &action] { action = [options] { return print_log_events(*options); }; });
}

void add_export(const Command& log, Action& action) {
  const auto options = std::make_shared<LogOptions>();
  const Command command = log.add_subcommand(
      "export", "Write contents as files: CSV, PNG, WAV, npy, graphs and run metadata as pb");
  add_log_options(command, *options);
  command.add_option("-o,--output", options->output, "New folder")
      .not_empty()
      .type_name("DIR")
      .required();
  command.add_flag("--quiet", options->quiet, "Print errors only");
  command.callback([options, &action] { action = [options] { return export_log(*options); }; });
}

}  // namespace

void add_log(const Command& app, Action& action) {
  const Command log =
      app.add_subcommand("log", "What is in an event log: curves, histograms, images, graphs, ...");
  log.require_subcommand();
  const auto add = [&](const char* name, const char* help, LogPrinter print,
                       LogNotices notices = LogNotices::kWarn) {
    add_printer(log, name, help, notices, print, std::make_shared<LogOptions>(), action);
  };
  add("ls", "Runs and tags with the number of their points, and what is damaged", print_log_listing,
      LogNotices::kInReport);
  add_scalars(log, action);
  add("histograms", "Buckets of histograms: left, right, count", print_log_histograms);
  add("images", "Images with their sizes", print_log_images);
  add("text", "Texts", print_log_text);
  add("hparams", "Hyperparameters of runs and the last values of their metrics, as a table",
      print_log_hparams);
  add("graphs", "Graphs, also those inside of run metadata", print_log_graphs);
  add("run-metadata", "Run metadata: traced steps and graphs of functions", print_log_run_metadata);
  add_cat(log, action);
  add_export(log, action);
}

}  // namespace tideline::cli
