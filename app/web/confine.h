// Limits what the server's threads may do with files, whatever their code does.
#pragma once

#include <string>
#include <vector>

namespace tideline::web {

/// What a thread may reach. Folders stand for all that is below them.
struct Reach {
  std::vector<std::string> readable;  ///< folders
  std::vector<std::string> writable;  ///< folders; files there may also be read
};

/// From now on the calling thread, and every thread that it starts, can open files below `reach`
/// and no others, also by links and by names that change meanwhile; nothing brings that back. Files
/// that are open stay usable. False where the kernel cannot do that (Landlock, Linux 5.13), and for
/// folders that are not there; nothing has changed then. Thread: any.
/// Source: the kernel's userspace-api/landlock.rst.
[[nodiscard]] bool confine_thread(const Reach& reach);

}  // namespace tideline::web
