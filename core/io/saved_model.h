// SavedModel folders: finding the graph, and writing a folder with all other files copied.
#pragma once

#include <string>

#include "core/base/output_folder.h"
#include "core/base/progress.h"
#include "core/io/document.h"
#include "core/io/write_document.h"

namespace tideline::io {

/// Whether `folder` has a saved_model.pb or saved_model.pbtxt, or a split (chunked) one, which
/// read_saved_model refuses.
[[nodiscard]] bool is_saved_model(const std::string& folder);

/// The SavedModel folder of the file `path`, to be copied with it, if the file is named like the
/// graph of a SavedModel and has variables or assets beside it; else empty.
[[nodiscard]] std::string folder_around(const std::string& path);

/// Opens a SavedModel folder. Errors as read_document; kNotFound without a saved_model.pb;
/// kInvalidArgument if that is a pipe or a device.
[[nodiscard]] Result<Document> read_saved_model(const std::string& folder, Progress& progress,
                                                const ReadOptions& options = {});

/// Writes a SavedModel with `graph` into `out`: the graph's file, then copies of the document's
/// companion files (model_files.h). The fingerprint is omitted if the graph's file has changed.
/// Copies keep their readers; of the readers of the graph's file those that are not among `readers`
/// lose access. Errors: as write_document, companion_files and OutputFolder::copy.
[[nodiscard]] Status write_saved_model(const Document& document, const Graph& graph,
                                       OutputFormat format, OutputFolder& out, Progress& progress,
                                       const Readers& readers = {});

}  // namespace tideline::io
