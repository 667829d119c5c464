#include "core/io/graph_format.h"

#include <algorithm>
#include <filesystem>

#include "core/base/text.h"

namespace tideline::io {

bool is_folder_name(const std::string& path) {
  std::error_code error;
  if (path.ends_with('/') || std::filesystem::is_directory(path, error)) return true;
  return std::filesystem::path(path).filename().string().find('.') == std::string::npos;
}

std::vector<std::string> written_endings(std::initializer_list<Format> messages) {
  std::vector<std::string> all;
  for (const Format message : messages) {
    const auto before = static_cast<std::ptrdiff_t>(all.size());
    for (const GraphFormat* format : graph_formats()) {
      for (const GraphName& name : format->names) {
        if (name.message != message || !name.is_written) continue;
        if (name.ending.starts_with('.')) all.emplace_back(name.ending);
      }
    }
    std::sort(all.begin() + before, all.end());
  }
  return all;
}

std::string readable_graphs(const char* article) {
  return fmt::format("{0}GraphDef ({1}), {0}MetaGraphDef ({2})", article,
                     fmt::join(written_endings({Format::kGraph}), ", "),
                     fmt::join(written_endings({Format::kMetaGraph}), ", "));
}

const GraphName* GraphFormat::name_of(std::string_view file) const {
  const auto found = std::find_if(names.begin(), names.end(), [&](const GraphName& name) {
    return name.ending.starts_with('.') ? file.ends_with(name.ending)
                                        : !file.empty() && file == name.ending;
  });
  return found == names.end() ? nullptr : &*found;
}

bool is_graph_name(std::string_view file) {
  return std::any_of(graph_formats().begin(), graph_formats().end(),
                     [&](const GraphFormat* format) { return format->name_of(file) != nullptr; });
}

Result<OutputFormat> output_format_of(const std::string& path, const Document& document) {
  if (!path.empty() && is_folder_name(path)) {
    const bool is_model = document.format == Format::kSavedModel;
    return OutputFormat{Format::kSavedModel, is_model ? document.encoding : &kBinaryFormat, true};
  }
  for (const GraphFormat* format : graph_formats()) {
    const GraphName* name = format->name_of(std::filesystem::path(path).filename().string());
    if (name == nullptr || !name->is_written) continue;
    const auto has = [&](const GraphName& other) { return other.message == document.format; };
    const bool stays = name->message == Format::kGraph && document.encoding == format &&
                       std::none_of(format->names.begin(), format->names.end(), has);
    return OutputFormat{stays ? document.format : name->message, format, false};
  }
  return fail(Code::kInvalidArgument,
              "{}: expected a name that ends in {}, or the name of a folder for a SavedModel "
              "(without a dot, or with a / at its end)",
              path, alternatives(written_endings()));
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
  if (!format.encoding->loss.empty()) sentences.emplace_back(format.encoding->loss);
  return sentences;
}

}  // namespace tideline::io
