#include "app/cli/rewrite_lms1.h"

#include <memory>

#include "app/cli/rewrite_lms.h"

namespace tideline::cli {

void add_rewrite_lms1(const Command& rewrite_command, Action& action) {
  auto arguments = std::make_shared<LmsArguments>();
  const Command command = rewrite_command.add_subcommand(
      "lms1", "Large model support, version 1: swap what the backward phase reads");
  arguments->policy.policy.mode = PolicyMode::kLms1;
  add_lms_arguments(command, *arguments);
  add_lms1_options(command, arguments->policy);
  command.option("--optimizer-scopes").required();
  command.callback(
      [arguments, &action] { action = [arguments] { return rewrite_lms(*arguments); }; });
}

}  // namespace tideline::cli
