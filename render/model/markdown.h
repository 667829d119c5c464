// Text with Markdown as a list of blocks, and where its words stand. Nothing in it is a program,
// and nothing is loaded: addresses are text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "render/view/canvas.h"

namespace tideline::ui {

/// A stretch of text of one look, printable.
struct MarkdownRun {
  std::string text;
  std::string address = {};  ///< of a link or a picture; empty for other text
  bool is_strong = false, is_emphasised = false, is_struck = false, is_code = false;
  friend bool operator==(const MarkdownRun&, const MarkdownRun&) = default;
};
using MarkdownLine = std::vector<MarkdownRun>;

struct MarkdownBlock {
  enum class Kind : std::uint8_t { kParagraph, kHeading, kCode, kTable, kRule };
  Kind kind = Kind::kParagraph;
  int level = 0;                         ///< of a heading: 1 to 6
  int lists = 0, quotes = 0;             ///< around it
  std::string marker = {};               ///< "-" or "3.", of the first block of an item
  std::vector<MarkdownLine> lines = {};  ///< between line breaks; those of code are not wrapped
  std::vector<std::vector<MarkdownLine>> rows = {};  ///< of a table: its heading, then cells
};

/// Blocks from top to bottom; what is nested says how deep it lies.
struct MarkdownText {
  std::vector<MarkdownBlock> blocks;
};

/// Reads Markdown. Precondition: the text is short (kMostTextBytes).
using ParseMarkdown = MarkdownText (*)(std::string_view text);

/// Words of one look in one line.
struct MarkdownPiece {
  render::Rect rect;  ///< of the text, from the left upper corner of all
  MarkdownRun run;
  bool is_heading = false;
};

struct MarkdownShape {
  enum class Kind : std::uint8_t { kShade, kQuote, kRule, kCell };
  Kind kind = Kind::kShade;
  render::Rect rect;
};

struct MarkdownLayout {
  std::vector<MarkdownPiece> pieces;
  std::vector<MarkdownShape> shapes;  ///< below the text
  float height_px = 0;
};

/// The width of words of a look in letters of `size_px`.
using MeasureWords =
    std::function<float(std::string_view words, const MarkdownRun& look, float size_px)>;

/// Wraps the text to `width_px`; what is longer than a line is broken between letters. No piece
/// reaches beyond the width, unless that has no room for a letter. Cost: O(letters). Thread: pure.
[[nodiscard]] MarkdownLayout layout_markdown(const MarkdownText& text, float width_px,
                                             float font_px, const MeasureWords& measure);

}  // namespace tideline::ui
