// SavedModel folders: where the graph is in them, and writing one with everything else copied.
#pragma once

#include <string>
#include <vector>

#include "core/base/output_folder.h"
#include "core/base/progress.h"
#include "core/io/document.h"
#include "core/io/write_document.h"

namespace tideline::io {

/// Whether `folder` has a saved_model.pb or saved_model.pbtxt, or a split one, which is refused
/// when it is opened.
[[nodiscard]] bool is_saved_model(const std::string& folder);

/// The SavedModel folder that the file `path` lies in, to be copied with it: the file has the name
/// of one, and variables or assets are beside it. Empty when it stands alone.
[[nodiscard]] std::string folder_around(const std::string& path);

/// Opens a SavedModel folder. Errors as read_document; kNotFound without a saved_model.pb.
[[nodiscard]] Result<Document> read_saved_model(const std::string& folder, Progress& progress,
                                                const ReadOptions& options = {});

/// All files of a SavedModel folder but the graph, as paths inside it, sorted: variables, assets
/// and whatever else is there. Errors: kIo; kUnsupported for links to folders and special files.
[[nodiscard]] Result<std::vector<std::string>> companion_files(const std::string& folder);

/// Writes a SavedModel with `graph` into `out`: the graph's file, then copies of the document's
/// companion files. The fingerprint is left out when the graph's file is not the same any more.
/// Errors: as write_document and OutputFolder::copy.
[[nodiscard]] Status write_saved_model(const Document& document, const Graph& graph,
                                       OutputFormat format, OutputFolder& out, Progress& progress);

/// What differs in the companion files of two SavedModel folders, as sentences.
[[nodiscard]] Result<std::vector<std::string>> compare_companions(const std::string& original,
                                                                  const std::string& rewritten);

}  // namespace tideline::io
