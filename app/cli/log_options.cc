#include "app/cli/log_options.h"

#include <fmt/format.h>

#include "app/cli/opening.h"
#include "app/cli/terminal.h"
#include "app/engine/read_log.h"
#include "core/base/text.h"

namespace tideline::cli {

std::string LogOptions::title() const {
  return fmt::format("{}", fmt::join(paths, ", "));
}

Result<app::LogWish> LogOptions::wish() const {
  app::LogWish wish;
  if (!run.empty()) {
    TIDELINE_TRY(wish.run, NamePattern::compile(run));
  }
  if (!tag.empty()) {
    TIDELINE_TRY(wish.tag, NamePattern::compile(tag));
  }
  if (!steps.empty()) {
    TIDELINE_TRY(wish.steps, app::parse_steps(steps));
  }
  return wish;
}

void add_log_options(const Command& command, LogOptions& options) {
  const Check pattern = accepted_by<NamePattern::compile>;
  command
      .add_option(
          "LOGDIR", options.paths,
          "Log folder or event file; of several, the runs of the second and later ones have "
          "the names of their logs in front")
      .not_empty()
      .required();
  command.add_option("--run", options.run, "Only runs that match (regular expression)")
      .type_name("RE")
      .check(pattern);
  command.add_option("--tag", options.tag, "Only tags that match (regular expression)")
      .type_name("RE")
      .check(pattern);
  command.add_option("--steps", options.steps, "Only steps from A to B; either may be left out")
      .type_name("A:B")
      .check(accepted_by<app::parse_steps>);
  command.add_flag("--strict", options.strict,
                   "Exit code 1 when something in the files is damaged or was left out");
  command.add_flag("--resync", options.resync,
                   "Go on behind damage with the next record that is whole");
}

int log_exit_code(const LogOptions& options, const Diagnostics& diagnostics) {
  if (!options.strict) return kExitDone;
  for (const Diagnostic& entry : diagnostics.entries()) {
    if (entry.severity == Severity::kInfo) continue;
    return report({Code::kCorrupt,
                   fmt::format("{}: something in it is damaged or was left out; expected all of "
                               "it, because of --strict",
                               printable(options.title(), 2000))});
  }
  return kExitDone;
}

int print_log(const LogOptions& options, LogNotices notices, LogPrinter print) {
  TerminalProgress progress(false);
  const auto wish = options.wish();
  if (!wish) return report_usage(wish.error());
  const auto log = app::read_logs(options.paths, options.at_damage(), progress);
  if (!log) return report(log.error());
  if (notices == LogNotices::kWarn) warn(options.title(), log->diagnostics());
  if (const Status printed = print(options, *wish, *log); !printed) {
    return report(with_context(printed.error(), options.title()));
  }
  return log_exit_code(options, log->diagnostics());
}

}  // namespace tideline::cli
