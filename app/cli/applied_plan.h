// Applies a plan file to a document; the result is as if it had been written and read again.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/io/document.h"

namespace tideline::cli {

/// Reads the plan in `path` and applies it to `document`. Errors: those of read_plan, apply and
/// open_bytes; kInvalidArgument when the plan is for other bytes than the document's.
[[nodiscard]] Result<io::Document> apply_plan_file(const io::Document& document,
                                                   const std::string& path, Progress& progress);

}  // namespace tideline::cli
