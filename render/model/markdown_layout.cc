// Where the words of Markdown stand. Tested by tests/gui/markdown_test.cc.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "render/model/markdown.h"

namespace tideline::ui {
namespace {

using render::Rect;

constexpr float kLineShare = 1.3F;  // of the size of the letters
constexpr float kBlockGapShare = 0.5F;
constexpr float kIndentShare = 1.6F;  // for a list, and for a quote
constexpr int kMostIndents = 10;      // deeper ones stand where these do
constexpr float kLeastRoomShare = 6;  // for text in a narrow place
constexpr float kCellPadShare = 0.4F;

float heading_share(int level) {
  constexpr float kShares[] = {1.6F, 1.4F, 1.2F, 1.1F};
  return level >= 1 && level <= 4 ? kShares[level - 1] : 1;
}

// The bytes of the first letter.
std::size_t letter_bytes(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) ++bytes;
  return bytes;
}

class Layout {
 public:
  Layout(float width_px, float font_px, const MeasureWords& measure)
      : width_px_(width_px), font_px_(font_px), measure_(measure) {}

  MarkdownLayout run(const MarkdownText& text) {
    for (const MarkdownBlock& block : text.blocks) place(block);
    made_.height_px = y_;
    return std::move(made_);
  }

 private:
  [[nodiscard]] float indent_of(int depth) const {
    return static_cast<float>(std::min(depth, kMostIndents)) * kIndentShare * font_px_;
  }

  void place(const MarkdownBlock& block) {
    const bool is_next_item = !block.marker.empty() && block.lists > 0;
    if (y_ > 0) y_ += (is_next_item ? 0.15F : kBlockGapShare) * font_px_;
    const float most = std::max(0.0F, width_px_ - kLeastRoomShare * font_px_);
    const float quotes = std::min(most, indent_of(block.quotes));
    const float x0 = std::min(most, quotes + indent_of(block.lists));
    const float top = y_;
    is_heading_ = block.kind == MarkdownBlock::Kind::kHeading;
    if (!block.marker.empty()) {
      const MarkdownRun marker{block.marker};
      const float width = measure_(block.marker, marker, font_px_);
      const float x = std::max(quotes, x0 - width - 0.4F * font_px_);
      add_piece(marker, x, y_, width, font_px_);
    }
    switch (block.kind) {
      case MarkdownBlock::Kind::kParagraph: place_lines(block, x0, font_px_); break;
      case MarkdownBlock::Kind::kHeading:
        place_lines(block, x0, heading_share(block.level) * font_px_);
        break;
      case MarkdownBlock::Kind::kCode: place_code(block, x0); break;
      case MarkdownBlock::Kind::kTable: place_table(block, x0); break;
      case MarkdownBlock::Kind::kRule:
        made_.shapes.push_back({MarkdownShape::Kind::kRule, {x0, y_, width_px_, y_ + 1}});
        y_ += 0.3F * font_px_;
        break;
    }
    for (int quote = 1; quote <= std::min(block.quotes, kMostIndents); ++quote) {
      const float x = std::min(quotes, indent_of(quote)) - font_px_;
      made_.shapes.push_back({MarkdownShape::Kind::kQuote, {x, top, x + 0.2F * font_px_, y_}});
    }
  }

  void place_lines(const MarkdownBlock& block, float x0, float size_px) {
    for (const MarkdownLine& line : block.lines) y_ = place_line(line, x0, width_px_, y_, size_px);
    if (block.lines.empty()) y_ += kLineShare * size_px;
  }

  void place_code(const MarkdownBlock& block, float x0) {
    const float pad = kCellPadShare * font_px_;
    const float top = y_;
    const std::size_t shade = made_.shapes.size();
    made_.shapes.push_back({});
    y_ += pad;
    for (const MarkdownLine& line : block.lines) {
      y_ = place_line(line, x0 + pad, width_px_ - pad, y_, font_px_);
    }
    y_ += pad;
    made_.shapes[shade] = {MarkdownShape::Kind::kShade, {x0, top, width_px_, y_}};
  }

  // Columns get what they need, or where that is too much, shares of the room by it.
  [[nodiscard]] std::vector<float> column_widths(const MarkdownBlock& block, float room) const {
    std::size_t count = 0;
    for (const auto& row : block.rows) count = std::max(count, row.size());
    const float pad = 2 * kCellPadShare * font_px_;
    std::vector<float> widths(count, pad);
    for (const auto& row : block.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        float width = pad + 1;
        for (const MarkdownRun& run : row[i]) width += measure_(run.text, run, font_px_);
        widths[i] = std::max(widths[i], width);
      }
    }
    const float all = std::accumulate(widths.begin(), widths.end(), 0.0F);
    if (all <= room) return widths;
    // Narrow columns stay; the others share what is left.
    const float fair = room / static_cast<float>(std::max<std::size_t>(1, count));
    float narrow = 0, wide = 0;
    for (const float width : widths) (width <= fair ? narrow : wide) += width;
    for (float& width : widths) {
      if (width > fair) width *= (room - narrow) / wide;
    }
    return widths;
  }

  void place_table(const MarkdownBlock& block, float x0) {
    const std::vector<float> widths = column_widths(block, width_px_ - x0);
    const float pad = kCellPadShare * font_px_;
    is_heading_ = true;
    for (const auto& row : block.rows) {
      float x = x0, bottom = y_ + kLineShare * font_px_;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const float end = place_line(row[i], x + pad, x + widths[i] - pad, y_, font_px_);
        bottom = std::max(bottom, end);
        x += widths[i];
      }
      x = x0;
      for (const float width : widths) {
        made_.shapes.push_back({MarkdownShape::Kind::kCell, {x, y_, x + width, bottom}});
        x += width;
      }
      y_ = bottom;
      is_heading_ = false;
    }
  }

  void add_piece(const MarkdownRun& look, float x, float y, float width, float size_px) {
    made_.pieces.push_back({{x, y, x + width, y + size_px}, look, is_heading_});
  }

  // Returns the y behind its last line.
  float place_line(const MarkdownLine& line, float x0, float x1, float y, float size_px) {
    float x = x0;
    const float line_px = kLineShare * size_px;
    y += (line_px - size_px) / 2;
    for (const MarkdownRun& run : line) place_run(run, x0, x1, x, y, size_px);
    return y + size_px + (line_px - size_px) / 2;
  }

  // Words are gathered until the line is full.
  void place_run(const MarkdownRun& run, float x0, float x1, float& x, float& y, float size_px) {
    MarkdownRun piece = run;
    piece.text.clear();
    float piece_px = 0;
    const auto flush = [&] {
      if (!piece.text.empty()) add_piece(piece, x, y, piece_px, size_px);
      x += piece_px;
      piece.text.clear();
      piece_px = 0;
    };
    const auto wrap = [&] {
      flush();
      x = x0;
      y += kLineShare * size_px;
    };
    std::string_view rest = run.text;
    while (!rest.empty()) {
      const bool is_space = rest.front() == ' ';
      const std::size_t end = is_space ? rest.find_first_not_of(' ') : rest.find(' ');
      std::string_view word = rest.substr(0, end);
      rest.remove_prefix(word.size());
      const float word_px = measure_(word, run, size_px);
      const bool is_begin = x + piece_px <= x0;
      if (is_space && is_begin && !run.is_code) continue;
      if (x + piece_px + word_px <= x1) {
        piece.text += word;
        piece_px += word_px;
        continue;
      }
      if (is_space) continue;  // at the end of a line
      if (!is_begin) wrap();
      if (word_px <= x1 - x0) {
        piece.text += word;
        piece_px += word_px;
        continue;
      }
      while (!word.empty()) {
        const std::string_view letter = word.substr(0, letter_bytes(word));
        const float letter_px = measure_(letter, run, size_px);
        if (x + piece_px + letter_px > x1 && x + piece_px > x0) wrap();
        piece.text += letter;
        piece_px += letter_px;
        word.remove_prefix(letter.size());
      }
    }
    flush();
  }

  float width_px_, font_px_;
  const MeasureWords& measure_;
  MarkdownLayout made_;
  bool is_heading_ = false;
  float y_ = 0;
};

}  // namespace

MarkdownLayout layout_markdown(const MarkdownText& text, float width_px, float font_px,
                               const MeasureWords& measure) {
  return Layout(width_px, font_px, measure).run(text);
}

}  // namespace tideline::ui
