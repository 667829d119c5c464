// Tested by the golden case diff_view.
#include "app/cli/diff_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/opening.h"
#include "app/cli/terminal.h"
#include "app/engine/side_peaks.h"
#include "core/base/text.h"
#include "render/view/text_fit.h"

namespace tideline::cli {
namespace {

constexpr std::string_view kView = "diff";

Result<app::NamedGraph> graph_before(const DiffPictureOptions& options,
                                     const app::Snapshot& snapshot, Progress& progress) {
  const app::ReadGraphPtr& source = snapshot.graph->file->source;
  if (options.original.empty()) {
    return app::NamedGraph{"original", source, source, app::memory_of_original(snapshot)};
  }
  TIDELINE_TRY(app::ReadGraphPtr read,
               open_input(app::choice_beside(source->choice, options.original), progress,
                          Notices::kWarn, io::Cycles::kAllow));
  app::SideMemory memory = app::memory_beside(snapshot, read);
  return app::NamedGraph{std::string(render::last_part(options.original)), std::move(read), nullptr,
                         std::move(memory)};
}

Result<app::NamedGraph> graph_after(const DiffPictureOptions& options,
                                    const app::Snapshot& snapshot,
                                    const app::ReadGraphPtr& source) {
  if (!options.original.empty()) {
    return app::NamedGraph{std::string(render::last_part(source->choice.path)), source, nullptr,
                           app::memory_of_original(snapshot)};
  }
  TIDELINE_TRY(Graph graph, apply(source->document.graph, snapshot.plan()));
  return app::NamedGraph{snapshot.planned.used.rewriter, app::with_graph(*source, std::move(graph)),
                         source, app::memory_of_planned(snapshot)};
}

Result<std::vector<std::string>> open_scopes(const render::GraphChanges& changes,
                                             const std::string& expand) {
  std::vector<std::string> open;
  for (const std::string& path : split_list(expand, ',')) {
    bool is_there = false;
    for (const auto& scope : changes.scopes) {
      is_there = is_there || path == "*" || scope.path == path;
      // Also those around it.
      const bool is_around = path.starts_with(scope.path) && path.size() > scope.path.size() &&
                             path[scope.path.size()] == '/';
      if (path == "*" || scope.path == path || is_around) open.emplace_back(scope.path);
    }
    if (!is_there) {
      return fail(Code::kNotFound,
                  "--expand: nothing differs in a scope '{}'; expected one with differences, or *",
                  printable(path));
    }
  }
  std::sort(open.begin(), open.end());
  open.erase(std::unique(open.begin(), open.end()), open.end());
  return open;
}

}  // namespace

void add_diff_look(const Command& command, DiffPictureOptions& options) {
  options.options = {
      command
          .add_option("--original", options.original,
                      "Of --view diff: the graph before; without it GRAPH is compared with what "
                      "the policy makes of it")
          .not_empty()
          .type_name("FILE"),
      command.add_flag("--overlay", options.is_overlay,
                       "Of --view diff: draw the levels of both graphs over each other"),
  };
}

std::optional<int> refuse_diff(const DiffPictureOptions& options, const std::string& view,
                               bool has_policy) {
  if (view == kView) {
    if (options.original.empty() == has_policy) return std::nullopt;
    return report_usage({Code::kInvalidArgument,
                         has_policy ? "--original is given with a policy; expected one of them"
                                    : "--view diff needs two graphs; expected --original FILE, or "
                                      "a policy that changes GRAPH"});
  }
  for (const Option& option : options.options) {
    if (!option.is_given()) continue;
    return report_usage(
        {Code::kInvalidArgument, fmt::format("{} is given; expected --view diff", option.name())});
  }
  return std::nullopt;
}

Result<DiffPicture> diff_picture(const DiffPictureOptions& options, const app::Snapshot& snapshot,
                                 const std::string& op, const std::string& expand,
                                 render::Picture& picture, Progress& progress) {
  const app::ReadGraphPtr& source = snapshot.graph->file->source;
  TIDELINE_TRY(app::NamedGraph before, graph_before(options, snapshot, progress));
  TIDELINE_TRY(app::NamedGraph after, graph_after(options, snapshot, source));
  DiffPicture made;
  TIDELINE_TRY(made.shown, app::show_changes(std::move(before), std::move(after), progress));
  TIDELINE_TRY(picture.part.diff.open, open_scopes(made.shown->changes, expand));
  picture.part.diff.is_overlay = options.is_overlay;
  picture.changes = &made.shown->changes;
  if (op.empty()) return made;
  TIDELINE_TRY(auto lines, app::changed_text(*made.shown, op));
  if (lines.empty()) {
    return fail(Code::kNotFound, "--select: neither graph has an op '{}'", printable(op));
  }
  picture.part.diff.op = op;
  made.text = render::ChangedText{op, std::move(lines)};
  return made;
}

}  // namespace tideline::cli
