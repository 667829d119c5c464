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

/// The plugins that are there: files whose names begin with `begin` and end in ".so", of each name
/// the best, by name. `built` is a folder of the build tree with a folder for each plugin.
[[nodiscard]] std::vector<std::string> find_plugins(const std::string& begin,
                                                    const std::string& built);

}  // namespace tideline
