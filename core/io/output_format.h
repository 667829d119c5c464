// The output format that a file name implies.
#pragma once

#include <string>
#include <vector>

#include "core/io/document.h"

namespace tideline::io {

/// A format for .pb, .pbtxt, .meta, saved_model.pb, or the folder of a SavedModel.
struct OutputFormat {
  Format format = Format::kGraph;
  Encoding encoding = Encoding::kBinary;
  bool is_folder = false;
};
/// The format for the name `path`. A MetaGraph in text form stays a MetaGraph as .pbtxt; a
/// SavedModel in text form stays text in a folder. Errors: kInvalidArgument for other names.
[[nodiscard]] Result<OutputFormat> output_format_of(const std::string& path,
                                                    const Document& document);

/// Whether `path` names a folder: an existing one, or a name that ends in a slash or has no dot.
[[nodiscard]] bool is_folder_name(const std::string& path);

/// Sentences for the user about what is lost because the output format cannot represent it.
[[nodiscard]] std::vector<std::string> losses(const Document& document, OutputFormat format);

}  // namespace tideline::io
