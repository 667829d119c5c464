#include "app/cli/log_options.h"
#include "app/cli/opening.h"
#include "app/cli/terminal.h"
#include "app/engine/export_log.h"
#include "app/engine/read_log.h"
#include "core/base/output_folder.h"

namespace tideline::cli {

int export_log(const LogOptions& options) {
  TerminalProgress progress(options.quiet);
  const auto wish = options.wish();
  if (!wish) return report_usage(wish.error());
  if (const Status free = check_output_folder(options.output, false, never_replace()); !free) {
    return report(free.error());
  }
  const auto log = app::read_logs(options.paths, options.at_damage(), progress);
  if (!log) return report(log.error());
  warn(options.title(), log->diagnostics());
  // Damaged input is refused before anything is written.
  if (const int code = log_exit_code(options, log->diagnostics()); code != kExitDone) return code;
  const auto counts = app::export_log(*log, *wish, options.output, progress);
  if (!counts) {
    // Errors of the output already begin with its path.
    const bool is_output = counts.error().message.starts_with(options.output);
    const bool is_cancelled = counts.error().code == Code::kCancelled;
    return report(is_output || is_cancelled ? counts.error()
                                            : with_context(counts.error(), options.title()));
  }
  if (!options.quiet) {
    say("wrote {}: {} files", options.output, counts->files);
    if (counts->left_out > 0) say("; {} rows have none", counts->left_out);
    say("\n");
  }
  return kExitDone;
}

}  // namespace tideline::cli
