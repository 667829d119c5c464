// Tested by unit/web/routes_log_cards_test.cc.
#include "app/web/markdown_json.h"

#include <nlohmann/json.hpp>

namespace tideline::web {
namespace {

using nlohmann::ordered_json;

const char* kind_word(ui::MarkdownBlock::Kind kind) {
  switch (kind) {
    case ui::MarkdownBlock::Kind::kParagraph: return "paragraph";
    case ui::MarkdownBlock::Kind::kHeading: return "heading";
    case ui::MarkdownBlock::Kind::kCode: return "code";
    case ui::MarkdownBlock::Kind::kTable: return "table";
    case ui::MarkdownBlock::Kind::kRule: break;
  }
  return "rule";
}

ordered_json line_json(const ui::MarkdownLine& line) {
  ordered_json runs = ordered_json::array();
  for (const ui::MarkdownRun& run : line) {
    ordered_json entry = {{"text", run.text}};
    std::string look;
    if (run.is_strong) look += 'b';
    if (run.is_emphasised) look += 'i';
    if (run.is_struck) look += 's';
    if (run.is_code) look += 'c';
    if (!look.empty()) entry["look"] = look;
    if (!run.address.empty()) entry["address"] = run.address;
    runs.push_back(std::move(entry));
  }
  return runs;
}

ordered_json lines_json(const std::vector<ui::MarkdownLine>& lines) {
  ordered_json list = ordered_json::array();
  for (const ui::MarkdownLine& line : lines) list.push_back(line_json(line));
  return list;
}

}  // namespace

ordered_json markdown_json(const ui::MarkdownText& text) {
  ordered_json blocks = ordered_json::array();
  for (const ui::MarkdownBlock& block : text.blocks) {
    ordered_json entry = {{"kind", kind_word(block.kind)}};
    if (block.level > 0) entry["level"] = block.level;
    if (block.lists > 0) entry["lists"] = block.lists;
    if (block.quotes > 0) entry["quotes"] = block.quotes;
    if (!block.marker.empty()) entry["marker"] = block.marker;
    if (block.kind == ui::MarkdownBlock::Kind::kTable) {
      entry["rows"] = ordered_json::array();
      for (const auto& row : block.rows) entry["rows"].push_back(lines_json(row));
    } else {
      entry["lines"] = lines_json(block.lines);
    }
    blocks.push_back(std::move(entry));
  }
  return blocks;
}

}  // namespace tideline::web
