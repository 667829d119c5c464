// Opens what a command line names in a viewer, for the verbs that do what a window does.
#pragma once

#include <optional>

#include "app/cli/commands.h"
#include "app/session/viewer.h"

namespace tideline::cli {

/// The wish that the options about sizes and the step lead to, with a policy that is off.
[[nodiscard]] app::Wish wish_of(const GraphArgument& graph);

/// Opens `graph` as a document of `kind` and waits for it, and for the plan of `wish`. If there is
/// none, prints why and returns the exit code.
[[nodiscard]] std::optional<int> open_in(app::Viewer& viewer, const app::DocumentKind& kind,
                                         const GraphArgument& graph, app::Wish wish);

}  // namespace tideline::cli
