// Markdown of logged texts for a page, which makes elements of it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "render/model/markdown.h"

namespace tideline::web {

/// A list of blocks {"kind": "paragraph" | "heading" | "code" | "table" | "rule"}, with "level" of
/// headings, "lists" and "quotes" around it and "marker" where there are some, and "lines", of
/// tables "rows" of cells. A line or a cell is a list of runs {"text"} with "address" of links and
/// "look", letters of "bisc" (bold, slanted, struck, code), where they have some. All of it is
/// text: nothing is markup, whatever the log holds. Cost: O(bytes). Thread: pure.
[[nodiscard]] nlohmann::ordered_json markdown_json(const ui::MarkdownText& text);

}  // namespace tideline::web
