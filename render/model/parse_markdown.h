// Reads Markdown by cmark-gfm, which no other file knows.
#pragma once

#include <string_view>

#include "render/model/markdown.h"

namespace tideline::ui {

/// Paragraphs, headings, emphasis, code, lists, quotes, tables, rules, links, as in CommonMark with
/// GitHub's tables and strikethrough. HTML is shown as it was written; a picture is its words with
/// its address. Any bytes are accepted. Cost: O(bytes), for hostile texts O(bytes^2). Thread:
/// any.
[[nodiscard]] MarkdownText parse_markdown(std::string_view text);

}  // namespace tideline::ui
