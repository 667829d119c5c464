// Data-parallel towers as an entry of the table of rewriters.
#pragma once

#include "core/rewrite/rewriter.h"

namespace tideline::replicate {

[[nodiscard]] const Rewriter& rewriter();

}  // namespace tideline::replicate
