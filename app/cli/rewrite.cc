#include "app/cli/commands.h"
#include "app/cli/rewrite_lms1.h"
#include "app/cli/rewrite_lms2.h"

namespace tideline::cli {

void add_rewrite(const Command& app, Action& action) {
  const Command command = app.add_subcommand(
      "rewrite", "Write a graph that trains in less memory, with the same numbers");
  command.require_subcommand();
  add_rewrite_lms2(command, action);
  add_rewrite_lms1(command, action);
}

}  // namespace tideline::cli
