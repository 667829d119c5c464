// Where plugins are looked for.
#pragma once

#include <string>
#include <vector>

namespace tideline {

/// The paths that a plugin may have, best first: `file` in $TIDELINE_PLUGINS if that is set, and
/// nowhere else then; otherwise in `built`, the folder of the build tree beside the program's, then
/// in the installation that the program belongs to. The files need not exist.
[[nodiscard]] std::vector<std::string> plugin_paths(const std::string& file,
                                                    const std::string& built);

}  // namespace tideline
