#include "app/cli/rewrite_lms2.h"

#include <memory>

#include "app/cli/rewrite_lms.h"

namespace tideline::cli {

void add_rewrite_lms2(const Command& rewrite_command, Action& action) {
  auto arguments = std::make_shared<LmsArguments>();
  const Command command = rewrite_command.add_subcommand(
      "lms2", "Large model support, version 2: swap tensors to the host and back");
  arguments->policy.policy.mode = PolicyMode::kLms2;
  add_lms_arguments(command, *arguments);
  add_lms2_options(command, arguments->policy);
  add_search_options(command, arguments->policy.policy.search);
  command.callback(
      [arguments, &action] { action = [arguments] { return rewrite_lms(*arguments); }; });
}

}  // namespace tideline::cli
