#include <fmt/format.h>

#include <memory>

#include "app/cli/commands.h"
#include "app/cli/rewrite_lms.h"

namespace tideline::cli {
namespace {

// A mode of `rewrite` for every line of the table of rewriters.
void add_mode(const Command& rewrite, const Rewriter& rewriter, Action& action) {
  auto arguments = std::make_shared<LmsArguments>();
  const Command command =
      rewrite.add_subcommand(std::string(rewriter.id), std::string(rewriter.help));
  arguments->policy.policy.rewriter = rewriter.id;
  add_lms_arguments(command, *arguments);
  add_rewriter_options(command, rewriter, arguments->policy);
  if (rewriter.search) add_search_options(command, arguments->policy.policy.search);
  for (const ParameterOption& entry : arguments->policy.options) {
    if (entry.parameter->is_required) entry.option.required();
  }
  command.callback(
      [arguments, &action] { action = [arguments] { return rewrite_lms(*arguments); }; });
}

}  // namespace

void add_rewrite(const Command& app, Action& action) {
  const Command command = app.add_subcommand(
      "rewrite", "Write a graph that trains in less memory, with the same numbers");
  command.require_subcommand();
  for (const Rewriter* rewriter : rewriters()) add_mode(command, *rewriter, action);
}

}  // namespace tideline::cli
