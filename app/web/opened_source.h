// What a page asks to be opened: a graph, a log, a checkpoint or a lesson, of a path or an upload.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "app/session/document.h"
#include "app/session/lesson.h"
#include "app/web/message.h"
#include "app/web/paths.h"
#include "app/web/uploads.h"
#include "core/events/open_graph.h"

namespace tideline::web {

struct OpenedSource {
  events::GraphChoice graph;          ///< for any kind, its path
  std::shared_ptr<Upload> upload;     ///< that the path leads to; null for others
  std::optional<app::Lesson> lesson;  ///< whose graph it is
  const app::DocumentKind* kind = app::find_document_kind("graph");
};

/// {"path" | "upload" | "lesson", "run", "tag", "function", "meta_graph", "inline", "document"}.
/// An upload without "document" is what its name and its content say. Errors: kInvalidArgument,
/// kNotFound, also for what lies outside of the folders that may be read.
[[nodiscard]] Result<OpenedSource> parse_opened_source(const nlohmann::json& object,
                                                       Uploads& uploads, const AllowedPaths& paths);

/// GET functions?path|upload&run&tag: {"total", "functions": [{"name", "detail"}]} of a graph, in
/// file order; with one of the names as "function" the graph opens as its body. Cost: one pass over
/// the bytes of the file. Thread: any.
[[nodiscard]] Response functions_of_graph(Uploads& uploads, const AllowedPaths& paths,
                                          const Request& request);

}  // namespace tideline::web
