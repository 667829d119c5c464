// The entry of section-wise training in the table of rewriters.
#pragma once

#include "core/rewrite/rewriter.h"

namespace tideline::sections {

[[nodiscard]] const Rewriter& rewriter();

}  // namespace tideline::sections
