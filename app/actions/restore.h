// Makes again what an earlier window left unwritten.
#pragma once

#include "app/session/viewer.h"

namespace tideline::app {

/// Starts opening the graphs of `script`, the file of an earlier window (session/unwritten.h), and
/// removes it from `viewer.unwritten_before`. Errors: those of reading the file; kCorrupt when it
/// names no graph.
[[nodiscard]] Status start_restoring(Viewer& viewer, const std::string& script);

/// Gives the graphs that are open by now the wishes that they had. Called with every refresh.
void finish_restoring(Viewer& viewer);

}  // namespace tideline::app
