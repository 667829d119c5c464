// What io::write_document writes, as bytes.
#pragma once

#include <string>

#include "core/io/document.h"
#include "core/io/write_document.h"

namespace tideline::fuzz {

/// Errors: those of write_document.
[[nodiscard]] Result<std::string> written(const io::Document& document, const Graph& graph,
                                          io::OutputFormat format);

}  // namespace tideline::fuzz
