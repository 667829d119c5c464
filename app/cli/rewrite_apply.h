// The mode apply of the verb rewrite: a plan file, applied to the graph that it is for.
#pragma once

#include "app/cli/commands.h"

namespace tideline::cli {

void add_rewrite_apply(const Command& rewrite, const Front& front, Action& action);

}  // namespace tideline::cli
