// The verb report: what a policy does to a graph, as one page of HTML.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/actions/commands.h"
#include "app/cli/commands.h"
#include "app/cli/open_viewer.h"
#include "app/cli/opening.h"
#include "app/cli/policy_options.h"
#include "app/cli/terminal.h"
#include "core/base/output_file.h"

namespace tideline::cli {
namespace {

struct ReportOptions {
  GraphArgument graph;
  PolicyArguments policy;
  std::string path;
  bool force = false;
};

int run_report(ReportOptions& options) {
  options.policy.policy.search.is_faithful = true;
  if (const auto refused = refuse_policy(options.policy)) return *refused;
  if (const auto refused = check_run_model(options.graph)) return *refused;
  if (options.graph.as_run == AsRun::kExact) {
    return report_usage({Code::kInvalidArgument,
                         "--as-run exact: a page is of the step as it is modelled; expected "
                         "modelled or off"});
  }
  if (!options.path.ends_with(".html") && !options.path.ends_with(".htm")) {
    return report_usage({Code::kInvalidArgument,
                         fmt::format("-o {}: expected a name that ends in .html", options.path)});
  }
  if (const Status place = check_output_path(options.path, options.force); !place) {
    return report(place.error());
  }
  app::Session opened;
  app::Viewer viewer(opened);
  app::Wish wish = wish_of(options.graph);
  wish.policy = options.policy.policy;
  if (options.policy.profile) {
    wish.profile = *options.policy.profile;
    if (!built_in_profile(options.policy.profile_name)) {
      wish.profile_file = options.policy.profile_name;
    }
  }
  const app::DocumentKind& kind = *app::find_document_kind("graph");
  if (const auto failed = open_in(viewer, kind, options.graph, std::move(wish))) return *failed;
  warn(options.graph.graph.path, viewer.graph().snapshot()->graph->diagnostics);
  warn(viewer.graph().snapshot()->warnings());
  app::Words words = {options.path};
  if (options.force) words.emplace_back("force");
  if (const auto written = app::run_action(viewer, "file.write-report", words); !written) {
    return report(written.error());
  }
  say("wrote {}\n", options.path);
  return kExitDone;
}

}  // namespace

void add_report(const Command& app, Action& action) {
  auto options = std::make_shared<ReportOptions>();
  const Command command = app.add_subcommand(
      "report", "One page of HTML: peaks, pictures, swaps, and what is alive at the peak");
  add_graph(command, options->graph);
  add_inline(command, options->graph.graph);
  add_rounds(command, options->graph);
  add_run_model(command, options->graph);
  add_policy_options(command, options->policy);
  command.add_option("-o,--output", options->path, "Page to write")
      .type_name("FILE.html")
      .not_empty()
      .required();
  command.add_flag("--force", options->force, "Replace the file if it exists");
  command.callback([options, &action] { action = [options] { return run_report(*options); }; });
}

}  // namespace tideline::cli
