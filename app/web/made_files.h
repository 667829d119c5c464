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
/// kInvalidArgument; kCancelled without a plan at the deadline; those of session::write.
[[nodiscard]] Result<Download> made_file(Served& served, const nlohmann::json& wish,
                                         const std::string& folder,
                                         std::chrono::steady_clock::time_point deadline);

/// Files by name as a zip archive that packs nothing; names with folders. At most 4 GiB in all.
/// Errors: kUnsupported for more. Deterministic. Thread: pure.
[[nodiscard]] Result<std::string> zip_of(
    const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace tideline::web
