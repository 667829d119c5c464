// The mode lms1 of the verb rewrite.
#pragma once

#include "app/cli/commands.h"

namespace tideline::cli {

void add_rewrite_lms1(const Command& rewrite, Action& action);

}  // namespace tideline::cli
