#include <fmt/format.h>

#include <memory>

#include "app/cli/commands.h"
#include "app/cli/rewrite_apply.h"
#include "app/cli/rewrite_mode.h"
#include "app/cli/run_metadata.h"
#include "app/cli/terminal.h"
#include "core/base/version.h"

namespace tideline::cli {
namespace {

// The options of a rewriter, with which it is a mode.
void add_mode_options(const Command& command, const Rewriter& rewriter,
                      PolicyArguments& arguments) {
  arguments.policy.rewriter = rewriter.id;
  add_rewriter_options(command, rewriter, arguments);
  const bool has_models = rewriter.search && rewriter.search->has_models;
  if (has_models) add_search_options(command, arguments.policy.search);
  for (const ParameterOption& entry : arguments.options) {
    if (entry.parameter->is_required) entry.option.required();
  }
}

// Adds the policy of the link `number`, which stands behind --then; what is written and shown may
// be said in any link. Returns the exit code, and says why, when it is no good.
std::optional<int> add_link(const LinkWords& words, std::size_t number, ModeArguments& arguments,
                            std::vector<Policy>& policies) {
  const CommandLine line("tideline rewrite ... --then",
                         "One more rewriter, for what the one before it gives", "",
                         fmt::format("tideline {}", kVersion));
  const Command root = line.root();
  root.require_subcommand();
  PolicyArguments* chosen = nullptr;
  std::vector<std::unique_ptr<PolicyArguments>> given;
  for (const Rewriter* rewriter : rewriters()) {
    const Command command =
        root.add_subcommand(std::string(rewriter->id), std::string(rewriter->help));
    PolicyArguments* policy = given.emplace_back(std::make_unique<PolicyArguments>()).get();
    add_result_options(command, arguments);
    add_mode_options(command, *rewriter, *policy);
    command.callback([&chosen, policy] { chosen = policy; });
  }
  std::vector<std::string> texts = words;
  std::string program = "tideline";
  std::vector<char*> argv = {program.data()};
  for (std::string& text : texts) argv.push_back(text.data());
  if (const auto ended = line.parse(static_cast<int>(argv.size()), argv.data())) {
    if (ended->message.empty()) return ended->exit_code;
    return report_usage(
        {Code::kInvalidArgument, fmt::format("--then {}: {}", number, ended->message)});
  }
  if (const auto refused = refuse_policy(*chosen)) return *refused;
  policies.push_back(chosen->policy);
  return std::nullopt;
}

int rewrite_chain(ModeArguments& arguments, const std::vector<LinkWords>& links) {
  if (const auto refused = refuse_policy(arguments.policy)) return *refused;
  std::vector<Policy> policies = {arguments.policy.policy};
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (const auto ended = add_link(links[i], i + 1, arguments, policies)) return *ended;
  }
  return rewrite_mode(arguments, policies);
}

// A mode of `rewrite` for every line of the table of rewriters.
void add_mode(const Command& rewrite, const Rewriter& rewriter, const std::vector<LinkWords>& links,
              const Front& front, Action& action) {
  auto arguments = std::make_shared<ModeArguments>();
  arguments->output.draw_png = front.draw_png;
  const Command command =
      rewrite.add_subcommand(std::string(rewriter.id), std::string(rewriter.help));
  add_graph(command, arguments->graph);
  add_rounds(command, arguments->graph);
  add_run_metadata(command, arguments->run_metadata);
  add_result_options(command, *arguments);
  command
      .add_option_function(
          "--then", [](const std::string&) {},
          "Another rewriter behind this one, with its own options; may be repeated")
      .type_name("MODE OPTIONS");
  add_mode_options(command, rewriter, arguments->policy);
  command.callback([arguments, &links, &action] {
    action = [arguments, &links] { return rewrite_chain(*arguments, links); };
  });
}

}  // namespace

void add_rewrite(const Command& app, const std::vector<LinkWords>& links, const Front& front,
                 Action& action) {
  const Command command = app.add_subcommand(
      "rewrite", "Write a graph that trains in less memory, with the same numbers");
  command.require_subcommand();
  for (const Rewriter* rewriter : rewriters()) add_mode(command, *rewriter, links, front, action);
  add_rewrite_apply(command, front, action);
}

}  // namespace tideline::cli
