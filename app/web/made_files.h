// Files that are made to be downloaded.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>

#include "app/web/served.h"
#include "app/web/uploads.h"

namespace tideline::web {

/// Makes what `wish` asks for: {"kind": "graph", "format": "pbtxt"}, kind "log", "csv", "plan", or
/// "svg" with the members of a picture. Graphs have the bytes that file.write gives. What consists
/// of several files is a zip archive. Waits until `deadline` for a file that is being read and a
/// plan that is being made. Takes the mutex, but not while it waits or writes. What is written
/// meanwhile lies below `folder` (empty: the system's place for temporary files). Errors:
/// kInvalidArgument; kCancelled without a plan at the deadline; those of app::write.
[[nodiscard]] Result<Download> made_file(Served& served, const nlohmann::json& wish,
                                         const std::string& folder,
                                         std::chrono::steady_clock::time_point deadline);

/// All files in `folder` and the folders in it as a zip archive that packs nothing.
/// Equal files give equal archives. Errors: kIo; kUnsupported for a file of more than 4 GiB.
[[nodiscard]] Result<std::shared_ptr<const OpenFile>> zip_of(const std::string& folder);

}  // namespace tideline::web
