// Tested by tests/gui/markdown_test.cc.
#include "render/model/log_markdown.h"

namespace tideline::ui {
namespace {

constexpr std::size_t kMostKeptMarkdown = 200;

// Of a cell: all of its blocks in one line.
MarkdownLine cell_of(const std::string& cell, ParseMarkdown parse) {
  MarkdownLine runs;
  for (const MarkdownBlock& block : parse(cell).blocks) {
    for (const MarkdownLine& line : block.lines) {
      if (!runs.empty()) runs.push_back({" "});
      runs.insert(runs.end(), line.begin(), line.end());
    }
  }
  // Such as a rule, or the dash of a list without an item.
  if (runs.empty() && !cell.empty()) runs.push_back({cell});
  return runs;
}

}  // namespace

MarkdownText markdown_of(const ShownText& text, ParseMarkdown parse) {
  if (text.table.empty()) return parse(text.text);
  MarkdownBlock table;
  table.kind = MarkdownBlock::Kind::kTable;
  for (const auto& row : text.table) {
    auto& cells = table.rows.emplace_back();
    for (const std::string& cell : row) cells.push_back(cell_of(cell, parse));
  }
  MarkdownText made;
  made.blocks.push_back(std::move(table));
  return made;
}

void LogMarkdown::update(const std::shared_ptr<const LogContents>& log) {
  if (log == log_) return;
  if (log == nullptr || log_ == nullptr || log->path != log_->path || log->order != log_->order) {
    kept_.clear();
  }
  log_ = log;
}

const MarkdownLayout& LogMarkdown::row(LogRowKey key, const ShownText& text, float width_px,
                                       float font_px, ParseMarkdown parse,
                                       const MeasureWords& measure) {
  if (kept_.size() >= kMostKeptMarkdown && !kept_.contains(key)) kept_.clear();
  Kept& kept = kept_[key];
  const float sample_px = measure("Tideline 0", {}, font_px);  // of another font it is another
  if (kept.width_px < 0) kept.text = markdown_of(text, parse);
  if (kept.width_px != width_px || kept.font_px != font_px || kept.sample_px != sample_px) {
    kept.layout = layout_markdown(kept.text, width_px, font_px, measure);
    kept.width_px = width_px;
    kept.font_px = font_px;
    kept.sample_px = sample_px;
  }
  return kept.layout;
}

}  // namespace tideline::ui
