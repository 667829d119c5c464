// LMS version 1 as an entry of the table of rewriters.
#pragma once

#include "core/rewrite/rewriter.h"

namespace tideline::lms1 {

[[nodiscard]] const Rewriter& rewriter();

}  // namespace tideline::lms1
