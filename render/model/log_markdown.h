// The Markdown of the texts of a log, laid out and kept between frames.
#pragma once

#include <map>
#include <memory>

#include "render/model/log_images.h"
#include "render/model/log_texts.h"
#include "render/model/markdown.h"

namespace tideline::ui {

/// The rows that were shown last. Thread: the UI's.
class LogMarkdown {
 public:
  /// `log` may be null.
  void update(const std::shared_ptr<const LogContents>& log);
  /// Of a row with this text; parsed once, and laid out again where width or letters are others.
  /// Valid until the next call. Cost: O(1), for a new one that of parsing and layout_markdown.
  [[nodiscard]] const MarkdownLayout& row(LogRowKey key, const ShownText& text, float width_px,
                                          float font_px, ParseMarkdown parse,
                                          const MeasureWords& measure);

 private:
  struct Kept {
    MarkdownText text;
    MarkdownLayout layout;
    float width_px = -1, font_px = 0, sample_px = 0;
  };

  std::shared_ptr<const LogContents> log_;
  std::map<LogRowKey, Kept> kept_;
};

/// What is shown of a row: its Markdown or, of a tensor of several columns, a table in whose cells
/// there may be some.
[[nodiscard]] MarkdownText markdown_of(const ShownText& text, ParseMarkdown parse);

}  // namespace tideline::ui
