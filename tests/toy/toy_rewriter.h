// A rewriter that no product has: it adds copies of the first tensors that nobody reads. It proves
// that a rewriter is one folder and one line.
#pragma once

#include "core/rewrite/rewriter.h"

namespace tideline::toy {

[[nodiscard]] const Rewriter& rewriter();

}  // namespace tideline::toy
