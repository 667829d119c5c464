// The options of `render --view scopes`, of which other views have some, too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "core/base/error.h"
#include "render/view/scene.h"
#include "render/view/scopes_part.h"

namespace tideline::cli {

struct ScopesOptions {
  std::string expand;            ///< paths, with commas between them
  std::string loop;              ///< empty: the whole graph
  std::string aside, not_aside;  ///< paths, with commas between them
  std::string color;             ///< empty: the usual one of the view
  std::string direction = "horizontal";
  int trace = 1;
  std::vector<Option> options;  ///< the above, as they were given
};
/// What colours say in this view.
[[nodiscard]] render::ColorBy colors_of(const ScopesOptions& options, const std::string& view);
/// Adds --expand, --loop, --aside, --not-aside, --color-by, --direction and --trace.
void add_scopes_look(const Command& command, ScopesOptions& options);

/// Refuses them with another view. Returns nullopt if all is well; else prints a message and
/// returns the exit code.
[[nodiscard]] std::optional<int> refuse_scopes(const ScopesOptions& options,
                                               const std::string& view);

/// What they say. Errors: kNotFound for a scope, an op or a loop that is not there.
[[nodiscard]] Result<render::ScopesPart> scopes_part(const ScopesOptions& options,
                                                     const render::Scene& scene);

}  // namespace tideline::cli
