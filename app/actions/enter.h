// Going into what a box of the scopes view stands for, and back: a loop is a part of the graph that
// is shown alone, the body of a function is a document of its own.
#pragma once

#include <string>

#include "app/actions/commands.h"

namespace tideline::app {

/// Shows only a loop, named by its frame or one of its ops. Precondition of all: there is a graph.
/// Errors: kNotFound, with the loops that there are.
[[nodiscard]] Answered enter_loop(Viewer& viewer, const std::string& name);

/// Opens the function that the op `name` calls or, if it calls none, shows the loop that it is in;
/// of a scope or a series the only loop in it. `function` chooses among several. Errors: kNotFound
/// for a box that there is not; kInvalidArgument if nothing can be entered, or several can.
[[nodiscard]] Answered enter_box(Viewer& viewer, const std::string& name,
                                 const std::string& function);

/// Whether a loop is shown alone, or the body of a function.
[[nodiscard]] bool is_within(const Viewer& viewer);
/// Shows what is around the loop; of a function the document where it was entered, else the graph
/// of its file.
Answered leave_one(Viewer& viewer);
/// Shows the whole graph of the file.
Answered leave_all(Viewer& viewer);

}  // namespace tideline::app
