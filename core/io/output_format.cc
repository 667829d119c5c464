#include "core/io/output_format.h"

#include <filesystem>

namespace tideline::io {

bool is_folder_name(const std::string& path) {
  std::error_code error;
  if (path.ends_with('/') || std::filesystem::is_directory(path, error)) return true;
  return std::filesystem::path(path).filename().string().find('.') == std::string::npos;
}

Result<OutputFormat> output_format_of(const std::string& path, const Document& document) {
  const bool stays_text = document.encoding == Encoding::kText;
  if (!path.empty() && is_folder_name(path)) {
    const bool is_text = document.format == Format::kSavedModel && stays_text;
    return OutputFormat{Format::kSavedModel, is_text ? Encoding::kText : Encoding::kBinary, true};
  }
  const std::string name = std::filesystem::path(path).filename().string();
  if (name == "saved_model.pb") return OutputFormat{Format::kSavedModel, Encoding::kBinary, false};
  if (name == "saved_model.pbtxt") return OutputFormat{Format::kSavedModel, Encoding::kText, false};
  if (path.ends_with(".pb")) return OutputFormat{Format::kGraph, Encoding::kBinary, false};
  if (path.ends_with(".meta")) return OutputFormat{Format::kMetaGraph, Encoding::kBinary, false};
  if (path.ends_with(".pbtxt")) {
    const bool stays_meta = document.format == Format::kMetaGraph && stays_text;
    return OutputFormat{stays_meta ? Format::kMetaGraph : Format::kGraph, Encoding::kText, false};
  }
  return fail(
      Code::kInvalidArgument,
      "{}: expected a name that ends in .pb, .pbtxt or .meta, or the name of a folder for a "
      "SavedModel (without a dot, or with a / at its end)",
      path);
}

std::vector<std::string> losses(const Document& document, OutputFormat format) {
  std::vector<std::string> sentences;
  if (document.format != Format::kGraph && format.format == Format::kGraph) {
    sentences.push_back(fmt::format(
        "A GraphDef holds only the graph: {} collections and the other fields of the MetaGraph are "
        "not in the output.",
        document.collections.entries.size()));
  }
  if (document.format == Format::kSavedModel && format.format == Format::kMetaGraph) {
    sentences.emplace_back(
        "A MetaGraph is one graph of a SavedModel: the values of its variables are not in the "
        "output.");
  }
  const bool has_values = document.format == Format::kSavedModel && !document.folder.empty();
  if (format.format == Format::kSavedModel && (!has_values || !format.is_folder)) {
    sentences.emplace_back("The output holds no values of variables and no assets.");
  }
  return sentences;
}

}  // namespace tideline::io
