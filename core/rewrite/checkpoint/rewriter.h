// The replacement of savers as an entry of the table of rewriters.
#pragma once

#include "core/rewrite/rewriter.h"

namespace tideline::checkpoint_ops {

[[nodiscard]] const Rewriter& rewriter();

}  // namespace tideline::checkpoint_ops
