// Limits what threads may do with files and the network, whatever their code does.
#pragma once

#include <vector>

namespace tideline {

/// What a thread may reach: descriptors of folders, which stand for all that is below them.
struct Reach {
  std::vector<int> readable;
  std::vector<int> writable;  ///< files there may also be read
};

/// From now on the calling thread, and every thread that it starts, can open files below `reach`
/// and no others, also by links and by names that change meanwhile; nothing brings that back. Files
/// that are open stay usable. False where the kernel cannot do that (Landlock, Linux 5.13); the
/// thread may then do what it could before, but start no set-user-ID program. Thread: any. Source:
/// the kernel's userspace-api/landlock.rst.
[[nodiscard]] bool confine_thread(const Reach& reach);

/// The same for code that may read everything: it can create, change, rename and remove no file and
/// no folder, and where the kernel knows how (Linux 6.7) open no TCP connection. The devices in
/// /dev, but for terminals, stay usable. (Before Linux 6.2 a file can still be truncated by its
/// name.)
[[nodiscard]] bool deny_writing();

}  // namespace tideline
