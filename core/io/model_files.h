// The files of a SavedModel folder beside the graph, and which files such a folder has at all.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/output_folder.h"

namespace tideline::io {

/// All files of a SavedModel folder except the graph, as sorted relative paths: variables, assets
/// and anything else, but no temporary files of ours. Errors: kIo; kUnsupported for links that lead
/// out of the folder or to a folder, and for pipes and devices.
[[nodiscard]] Result<std::vector<std::string>> companion_files(const std::string& folder);

/// Differences between the companion files of two SavedModel folders, as sentences. The fingerprint
/// is not compared. Errors: those of companion_files and InputFile. Cost: O(bytes), in constant
/// memory.
[[nodiscard]] Result<std::vector<std::string>> compare_companions(const std::string& original,
                                                                  const std::string& rewritten);

/// Whether a SavedModel has a file of this relative path: the graph, the fingerprint, Keras's
/// metadata, debug information, variables, or anything below assets.
[[nodiscard]] bool is_model_file(const std::string& name);

/// Permits to replace a SavedModel folder if nothing is lost that is not of a SavedModel: each of
/// its files is one that a SavedModel has, or one of the SavedModel folder `source` (empty: none)
/// with the same content, which the new folder has, too.
[[nodiscard]] MayReplace replace_model(const std::string& source);

}  // namespace tideline::io
