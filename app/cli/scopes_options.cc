// Tested by the golden case scopes_view.
#include "app/cli/scopes_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "render/view/scope_boxes.h"
#include "render/view/scopes_loop.h"
#include "render/view/views.h"

namespace tideline::cli {
void add_scopes_look(const Command& command, ScopesOptions& options) {
  const std::vector<std::string> colors(render::kColorByWords.begin(), render::kColorByWords.end());
  options.options = {
      command
          .add_option("--expand", options.expand,
                      "Of --view scopes: scopes and series that are open, as net,net/block_[1-16]; "
                      "those around them are open, too; * opens all. Likewise of --view diff")
          .not_empty()
          .type_name("SCOPE,..."),
      command
          .add_option("--loop", options.loop,
                      "Of --view scopes: only the ops of this while loop, named by its frame or by "
                      "an op in it")
          .not_empty()
          .type_name("NAME"),
      command
          .add_option("--aside", options.aside,
                      "Of --view scopes: scopes, series and ops that stand aside of the flow")
          .not_empty()
          .type_name("NAME,..."),
      command
          .add_option("--not-aside", options.not_aside,
                      "Of --view scopes: those that stand in the flow, though they are read by "
                      "many, or are no part of the step")
          .not_empty()
          .type_name("NAME,..."),
      command
          .add_option("--color-by", options.color,
                      "Of --view levels, both (usually phase) and scopes (scope): what colours "
                      "say: " +
                          alternatives(colors))
          .one_of(colors)
          .type_name("NAME"),
      command
          .add_option("--direction", options.direction,
                      "Of --view scopes: horizontal, from left to right, or vertical")
          .one_of({"horizontal", "vertical"})
          .type_name("NAME")
          .show_default(),
      command
          .add_option("--trace", options.trace,
                      "Of --view scopes with --select: mark what flows into the op and out of it "
                      "through so many boxes")
          .in_range(1, render::kMostTrace)
          .type_name("N")
          .show_default(),
  };
}

std::optional<int> refuse_scopes(const ScopesOptions& options, const std::string& view) {
  if (view == "scopes") return std::nullopt;
  for (const Option& option : options.options) {
    const bool is_color = option.name() == "--color-by";
    const bool is_of_other = (view == "diff" && option.name() == "--expand") ||
                             ((view == "levels" || view == "both") && is_color);
    if (!option.is_given() || is_of_other) continue;
    return report_usage(
        {Code::kInvalidArgument, fmt::format("{} is given; expected --view {}", option.name(),
                                             is_color ? "levels, both or scopes" : "scopes")});
  }
  return std::nullopt;
}

render::ColorBy colors_of(const ScopesOptions& options, const std::string& view) {
  if (!options.color.empty()) return render::color_by_of(options.color);
  return view == "scopes" ? render::ScopesPart().color : render::ViewPart().levels_color;
}

namespace {

Status move_aside(const render::Scene& scene, const render::ScopeBoxes& boxes,
                  const std::string& paths, bool is_aside, render::ScopesPart& part) {
  for (const std::string& path : split_list(paths, ',')) {
    if (!boxes.find(path) && !scene.graph->find(path).valid()) {
      return fail(Code::kNotFound,
                  "{}: there is no scope and no op '{}'; expected the name of one, or of a series",
                  is_aside ? "--aside" : "--not-aside", printable(path));
    }
    part.aside[path] = is_aside;
  }
  return {};
}

}  // namespace

Result<render::ScopesPart> scopes_part(const ScopesOptions& options, const render::Scene& scene) {
  render::ScopesPart part;
  part.color = colors_of(options, "scopes");
  part.is_vertical = options.direction == "vertical";
  part.trace = options.trace;
  if (!options.loop.empty()) {
    auto loop = render::loop_called(scene, options.loop);
    if (!loop) return tl::unexpected(with_context(std::move(loop).error(), "--loop"));
    part.loop = *std::move(loop);
  }
  const render::ScopeBoxes boxes = render::find_scope_boxes(scene, part.loop);
  TIDELINE_RETURN_IF_ERROR(move_aside(scene, boxes, options.aside, true, part));
  TIDELINE_RETURN_IF_ERROR(move_aside(scene, boxes, options.not_aside, false, part));
  part.open = render::open_at_first(scene, boxes, part.loop);
  if (options.expand.empty()) return part;
  auto open =
      render::with_open(scene, boxes, std::move(part.open), split_list(options.expand, ','));
  if (!open) return tl::unexpected(with_context(std::move(open).error(), "--expand"));
  part.open = *std::move(open);
  return part;
}

}  // namespace tideline::cli
