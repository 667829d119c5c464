// Draws in a process of its own where the libraries that draw may crash.
#pragma once

#include <functional>
#include <string>

#include "core/base/error.h"

namespace tideline::gui {

/// Whether the address space of this process is limited (ulimit -v).
[[nodiscard]] bool is_memory_limited();

/// What `draw` returns, called in a child process: Mesa and LLVM end a process in which they find
/// no memory. What `draw` changes is lost. Errors: those of `draw`, with the limit; kIo when the
/// child ended, saying how; kCancelled when a signal asked it to end. Cost: a fork, and a copy of
/// the result. Thread: any; `draw` must need no other thread of this process.
[[nodiscard]] Result<std::string> draw_apart(const std::function<Result<std::string>()>& draw);

}  // namespace tideline::gui
