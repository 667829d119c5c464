// LMS version 2 as an entry of the table of rewriters.
#pragma once

#include "core/rewrite/rewriter.h"

namespace tideline::lms2 {

[[nodiscard]] const Rewriter& rewriter();

}  // namespace tideline::lms2
