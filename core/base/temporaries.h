// Names of the temporary files and folders that outputs are written under, and removal of those
// that a killed process left.
//
// "a/graph.pb" is written as "a/.graph.pb.tideline-PID-XXXXXX", a name that no other program makes.
// While a checkpoint is put together, ".NAME.tideline-part-PID-XXXXXX" is a second name of its
// data. A folder that was replaced lies under ".NAME.tideline-old-PID-XXXXXX" until it is removed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tideline {

/// A template for mkstemp and mkdtemp, in the folder of `path`: a rename to `path` is then atomic.
[[nodiscard]] std::string temporary_pattern(const std::string& path);

/// The name under which what was at `path` is kept after it was exchanged with `temporary`.
[[nodiscard]] std::string set_aside_name(const std::string& temporary);

/// The name of the temporary file `temporary` for the time in which it has its final name as well,
/// but something that names it is still missing. remove_abandoned leaves it.
[[nodiscard]] std::string part_name(const std::string& temporary);

/// The files in `folder` with such a name whose process no longer exists, if they belong to this
/// user and are not in use. Cost: O(entries of the folder).
[[nodiscard]] std::vector<std::string> abandoned_parts(const std::string& folder) noexcept;

/// Whether a file or folder of this name is a temporary one of ours.
[[nodiscard]] bool is_temporary_name(std::string_view name);

/// Marks the temporary file or folder `fd` as in use for as long as the descriptor is open.
void mark_in_use(int fd);

/// Removes temporary files and folders in `folder` whose process no longer exists, if they belong
/// to this user and are not in use. Folders that were set aside are removed only if `remove_old`
/// does so. Failures are ignored. Cost: O(entries of the folder).
void remove_abandoned(const std::string& folder,
                      const std::function<void(const std::string& path)>& remove_old = {}) noexcept;

/// Removes a folder that we wrote, with everything in it; links are not followed.
void remove_tree(const std::string& path) noexcept;

}  // namespace tideline
