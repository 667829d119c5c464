// The logs and checkpoints that a page may open.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/session/document.h"
#include "app/web/paths.h"

namespace tideline::web {

/// Adds to "logs" and "checkpoints" what lies directly in the folder `path`, and the folder itself
/// where it is a log, or the file `path`. Cost: that of looking at names, and at beginnings and
/// ends of files. Thread: pure.
void add_documents(const AllowedPaths& paths, const std::string& path,
                   nlohmann::ordered_json& list);

/// As AllowedPaths::for_reading, of a log or checkpoint: its reader opens the files beside a
/// checkpoint, too, so no link beside it may lead elsewhere.
[[nodiscard]] Result<std::string> document_for_reading(const AllowedPaths& paths,
                                                       const std::string& path);

/// What the page means by an upload called `name` that can be read at `path`: as
/// app::kind_of_path, but a log by its name, too, which the path does not have. Errors:
/// kInvalidArgument for one of the files of a checkpoint that has several.
[[nodiscard]] Result<const app::DocumentKind*> kind_of_upload(const std::string& name,
                                                              const std::string& path);

}  // namespace tideline::web
