// What io::write_document writes, as bytes: it writes to files only, so a short-lived one in
// memory.
#pragma once

#include <string>

#include "core/io/document.h"
#include "core/io/write_document.h"

namespace tideline::fuzz {

/// Errors: those of write_document. Everything else that goes wrong with the file is fatal.
[[nodiscard]] Result<std::string> written(const io::Document& document, const Graph& graph,
                                          io::OutputFormat format);

}  // namespace tideline::fuzz
