// What the name of an output asks for.
#pragma once

#include <string>
#include <vector>

#include "core/io/document.h"

namespace tideline::io {

/// What an output name asks for: .pb, .pbtxt, .meta, saved_model.pb or the folder of a SavedModel.
struct OutputFormat {
  Format format = Format::kGraph;
  Encoding encoding = Encoding::kBinary;
  bool is_folder = false;
};
/// Errors: kInvalidArgument for any other name. A MetaGraph in text form stays one as .pbtxt; a
/// SavedModel in text form stays text in a folder.
[[nodiscard]] Result<OutputFormat> output_format_of(const std::string& path,
                                                    const Document& document);

/// Whether `path` names a folder: an existing one, a name with a slash at its end or without a dot.
[[nodiscard]] bool is_folder_name(const std::string& path);

/// What the format of the output cannot hold, as sentences for the user; empty when nothing is
/// lost.
[[nodiscard]] std::vector<std::string> losses(const Document& document, OutputFormat format);

}  // namespace tideline::io
